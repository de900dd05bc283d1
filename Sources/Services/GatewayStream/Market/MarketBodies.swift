package import Instruments
package import MarketData
package import Shapes
package import Wire

/// A trade as `bitpal trades --json` has it.
package struct TradeBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<TradeBody>("Trade") {
        Field("amount", \.amount, "Of the base asset, or contracts.", as: .decimal, example: "0.25")
        Field("id", \.id, "As the venue names it.", example: "98765")
        Field(
            "is_aggregate", \.isAggregate, "Whether the id numbers trades that the venue put together.",
            example: false)
        Field(
            "is_backfill", \.isBackfill, "Whether it was fetched, or sent again, after its time.",
            example: false)
        Field("price", \.price, as: .decimal, example: "61000.5")
        Field(
            "received_time", \.receivedTime, "When it was received here.", as: .time,
            example: "2026-11-21T12:00:00.15Z")
        Field("side", \.side, "What the taker did.", as: .words(Side.allCases.map(\.name)))
        Field("symbol", \.symbol, example: "BTC/USD")
        Field(
            "time", \.time, "When it was made, by the venue.", as: .time, example: "2026-11-21T12:00:00.123Z")
        Field("venue", \.venue, example: .venue)
    }

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

    package init(_ trade: Trade, of instrument: InstrumentID) {
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
package struct CandleBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<CandleBody>("StreamCandle") {
        Field("amended", \.amended)
        Field("close", \.close, as: .decimal)
        Field("closed", \.closed)
        Field("complete", \.complete)
        Field("from_venue", \.fromVenue)
        Field("high", \.high, as: .decimal)
        Field("interval", \.interval)
        Field("low", \.low, as: .decimal)
        Field("open", \.open, as: .decimal)
        Field(ifPresent: "quote_volume", \.quoteVolume, as: .decimal)
        Field("start", \.start, as: .time)
        Field("symbol", \.symbol)
        Field("trades", \.trades)
        Field("venue", \.venue)
        Field("volume", \.volume, as: .decimal)
    }

    var venue: String
    var symbol: String
    var interval: String
    package var start: String
    package var open: String
    package var high: String
    package var low: String
    package var close: String
    package var volume: String
    package var quoteVolume: String?
    package var trades: UInt64
    /// Whether it is over and no trade of it is known to be missing.
    package var complete: Bool
    package var amended: Bool
    var fromVenue: Bool
    package var closed: Bool

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
struct NewestCandleBody: WireBody, Sendable, Hashable {
    static let shape = BodyShape<NewestCandleBody>("NewestCandle", sorted: true) {
        Field(all: \.newest)
        Field("previous", \.previous)
    }

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
}

/// An index price as `bitpal index --json` has it.
package struct IndexBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<IndexBody>("IndexPrice") {
        Field("constituents", \.constituents, "What it is made of.")
        Field("pair", \.pair, example: "BTC-USD")
        Field(ifPresent: "price", \.price, as: .decimal, example: "61000.50")
        Field("time", \.time, "When it was computed.", as: .time, example: "2026-11-21T12:00:00Z")
        Field(
            ifPresent: "unavailable", \.unavailable,
            "Why there is no price, or why it may be out of date.")
    }

    /// A market's part in it.
    struct Constituent: WireBody, Sendable, Hashable {
        static let shape = BodyShape<Constituent>("IndexConstituent") {
            Field(
                ifPresent: "exclusion", \.exclusion, "Why it does not count now; left out where it does.")
            Field("instrument", \.instrument, example: "kraken:BTC/USD")
            Field(ifPresent: "price", \.price, as: .decimal, example: "61000.5")
            Field(
                ifPresent: "weight", \.weight,
                """
                What its price counts: its volume of 24 hours in the base asset. The index price is the \
                median that is weighted so.
                """, as: .decimal, example: "0.5")
        }

        var instrument: String
        var price: String?
        var weight: String?
        /// Why it does not count; `nil` when it does.
        var exclusion: String?
    }

    var pair: String
    package var price: String?
    /// Why there is no price, or why it may be out of date.
    package var unavailable: String?
    package var time: String
    var constituents: [Constituent]

    package init(_ said: ReceivedValue<Bitpal_V1_IndexPrice>, _ condition: BusConnectionState) {
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
