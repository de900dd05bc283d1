import Instruments
import MarketData
import MarketStore
import Wire

/// A trade as `bitpal trades --json` has it.
struct TradeBody: Encodable, Sendable, Hashable {
    var venue: String
    var symbol: String
    var id: String
    var side: String
    var price: String
    var amount: String
    var time: String
    var receivedTime: String
    var isAggregate: Bool
    var isBackfill: Bool

    private enum CodingKeys: String, CodingKey {
        case venue, symbol, id, side, price, amount, time
        case receivedTime = "received_time"
        case isAggregate = "is_aggregate"
        case isBackfill = "is_backfill"
    }

    init(_ trade: Trade, of instrument: InstrumentID) {
        venue = instrument.venue.rawValue
        symbol = instrument.symbol
        id = trade.id
        side = trade.side.name
        price = DecimalText.string(units: trade.price.rawValue, scale: trade.priceScale)
        amount = DecimalText.string(units: trade.size.rawValue, scale: trade.sizeScale)
        time = trade.venueTime.iso8601
        receivedTime = trade.receivedTime.iso8601
        (isAggregate, isBackfill) = (trade.isAggregate, trade.isBackfill)
    }
}

/// A candle as `bitpal candles --json` has it.
struct CandleBody: Encodable, Sendable, Hashable {
    var venue: String
    var symbol: String
    var interval: String
    var start: String
    var open: String
    var high: String
    var low: String
    var close: String
    var volume: String
    var quoteVolume: String?
    var trades: UInt64
    /// Whether it is over and no trade of it is known to be missing.
    var complete: Bool
    var amended: Bool
    var fromVenue: Bool
    var closed: Bool

    private enum CodingKeys: String, CodingKey {
        case venue, symbol, interval, start, open, high, low, close, volume
        case quoteVolume = "quote_volume"
        case trades, complete, amended
        case fromVenue = "from_venue"
        case closed
    }

    /// `nil` when the message contradicts itself.
    init?(_ candle: Bitpal_V1_Candle, of instrument: InstrumentID) {
        guard let scale = Scale(Int(candle.priceScale)), let sizeScale = Scale(Int(candle.sizeScale)) else {
            return nil
        }
        func text(_ units: Int64) -> String {
            DecimalNumber(units: units, scale: scale).normalized.description
        }
        venue = instrument.venue.rawValue
        symbol = instrument.symbol
        interval = candle.interval
        start = Timestamp(nanoseconds: candle.startUnixNanos).iso8601(fractionDigits: 0)
        (open, high, low, close) = (
            text(candle.open), text(candle.high), text(candle.low), text(candle.close)
        )
        let volume = DecimalNumber(units: candle.volume, scale: sizeScale).normalized.description
        self.volume = candle.baseVolume.isEmpty ? volume : candle.baseVolume
        quoteVolume = candle.quoteVolume.isEmpty ? nil : candle.quoteVolume
        trades = candle.tradeCount
        complete = candle.isClosed && !candle.isIncomplete
        (amended, fromVenue, closed) = (candle.isAmended, candle.isFromVenue, candle.isClosed)
    }
}

/// The newest candle, and beside it the one before as it was last said.
struct NewestCandleBody: Encodable, Sendable, Hashable {
    private enum CodingKeys: String, CodingKey { case previous }

    var newest: CandleBody
    var previous: CandleBody?

    /// A candle alone.
    init(_ newest: CandleBody) { self.newest = newest }

    /// `nil` when nothing is known, or the newest contradicts itself.
    init?(_ known: KnownCandles, of instrument: InstrumentID) {
        guard let newest = known.newest.flatMap({ CandleBody($0, of: instrument) }) else { return nil }
        self.newest = newest
        previous = known.previous.flatMap { CandleBody($0, of: instrument) }
    }

    func encode(to encoder: any Encoder) throws {
        try newest.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(previous, forKey: .previous)
    }
}

/// An index price as `bitpal index --json` has it.
struct IndexBody: Encodable, Sendable, Hashable {
    /// A market's part in it.
    struct Constituent: Encodable, Sendable, Hashable {
        var instrument: String
        var price: String?
        var weight: String?
        /// Why it does not count; `nil` when it does.
        var exclusion: String?
    }

    var pair: String
    var price: String?
    /// Why there is no price, or why it may be out of date.
    var unavailable: String?
    var time: String
    var constituents: [Constituent]

    init(_ said: Heard<Bitpal_V1_IndexPrice>, _ condition: BusCondition) {
        func known(_ text: String) -> String? { text.isEmpty ? nil : text }
        pair = said.value.pair
        price = known(said.value.price)
        unavailable = known(said.value.unavailable) ?? condition.doubt(about: said.producer)
        time = Timestamp(nanoseconds: said.value.computedTimeUnixNanos).iso8601
        constituents = said.value.constituents.map {
            Constituent(
                instrument: $0.instrument, price: known($0.price), weight: known($0.weight),
                exclusion: known($0.exclusion))
        }
    }
}

/// The feed of a venue.
struct FeedBody: Encodable, Sendable, Hashable {
    var venue: String
    var state: String
    var detail: String
    /// When it was heard, by this gateway's clock.
    var heard: String
    /// Nothing was heard of it for ten seconds, or its producer is silent.
    var silent: Bool
    var messagesReceived: UInt64
    var malformedMessages: UInt64
    var resyncs: UInt64
    var reconnects: UInt64
    var booksLive: UInt64
    var booksTotal: UInt64
    var tradesStored: UInt64
    var tradesWaiting: UInt64
    var connectedSince: String?
    var lastReceived: String?

    /// Longer than this without a word and a feed or service counts as silent: 10 s, in nanoseconds.
    static let silence: Int64 = 10_000_000_000

    private enum CodingKeys: String, CodingKey {
        case venue, state, detail, heard, silent
        case messagesReceived = "messages_received"
        case malformedMessages = "malformed_messages"
        case resyncs, reconnects
        case booksLive = "books_live"
        case booksTotal = "books_total"
        case tradesStored = "trades_stored"
        case tradesWaiting = "trades_waiting"
        case connectedSince = "connected_since"
        case lastReceived = "last_received"
    }

    init(_ said: Heard<Bitpal_V1_FeedStatus>, _ condition: BusCondition, at now: Timestamp) {
        func time(_ nanos: Int64) -> String? {
            nanos == 0 ? nil : Timestamp(nanoseconds: nanos).iso8601
        }
        let status = said.value
        venue = status.venue
        silent = said.age(at: now) > Self.silence || condition.isDoubted(said)
        // What it was when it was last heard of is not what it is.
        state = (silent && status.state == .live ? .silent : status.state).word
        detail = status.detail
        heard = said.time.iso8601
        (messagesReceived, malformedMessages) = (status.messagesReceived, status.malformedMessages)
        (resyncs, reconnects) = (status.resyncs, status.reconnects)
        (booksLive, booksTotal) = (status.booksLive, status.booksTotal)
        (tradesStored, tradesWaiting) = (status.tradesStored, status.tradesWaiting)
        connectedSince = time(status.connectedSinceUnixNanos)
        lastReceived = time(status.lastReceivedUnixNanos)
    }
}

/// A service, for operators.
struct ServiceBody: Encodable, Sendable, Hashable {
    var service: String
    var instance: String
    var version: String
    /// `nil` where it is not said.
    var started: String?
    var heard: String
    var ready: Bool
    var silent: Bool
    var detail: String
    var figures: [String: Int64]

    init(_ said: Heard<Bitpal_V1_ServiceStatus>, _ condition: BusCondition, at now: Timestamp) {
        let status = said.value
        (service, instance, version) = (status.service, status.instance, status.version)
        started = Timestamp(nanoseconds: status.startedUnixNanos).iso8601
        heard = said.time.iso8601
        ready = status.isReady
        silent = said.age(at: now) > FeedBody.silence || condition.isDoubted(said)
        (detail, figures) = (status.detail, status.figures)
    }

    /// An instance that gives its sign of life in the database, since it is not on the bus.
    init(_ member: Member, of service: String, at now: Timestamp) {
        (self.service, instance, version, started) = (service, member.instance, "", nil)
        (heard, ready, silent) = (now.iso8601, true, false)
        (detail, figures) = ("", [:])
    }
}

extension Bitpal_V1_FeedState {
    /// The state in lower case.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .live: "live"
        case .disconnected: "disconnected"
        case .silent: "silent"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}
