import Instruments
import MarketData
import Wire

/// A ticker as it is told: prices and amounts as text, nothing where nothing is known.
struct TickerBody: Encodable, Sendable, Hashable {
    var instrument: String
    var venue: String
    var symbol: String
    var last: String?
    var bid: String?
    var bidSize: String?
    var ask: String?
    var askSize: String?
    var open: String?
    var high: String?
    var low: String?
    /// In the base asset, over 24 hours by our own count.
    var volume: String?
    var quoteVolume: String?
    var change: String?
    /// Percent of `open`.
    var changePercent: String?
    var trades: UInt64?
    var windowStart: String?
    var windowEnd: String?
    var lastTradeTime: String?
    /// The state of the book that bid and ask are of.
    var bookState: String?
    var bookReason: String?
    /// Trades of the window may be missing.
    var incomplete: Bool?
    /// Why the numbers are not of now; `nil` when they are.
    var stale: String?
    /// What the day's numbers are made of.
    var source: String?
    /// When this gateway heard the newest part, by its own clock.
    var heard: String

    private enum CodingKeys: String, CodingKey {
        case instrument, venue, symbol, last, bid
        case bidSize = "bid_size"
        case ask
        case askSize = "ask_size"
        case open, high, low, volume
        case quoteVolume = "quote_volume"
        case change
        case changePercent = "change_percent"
        case trades
        case windowStart = "window_start"
        case windowEnd = "window_end"
        case lastTradeTime = "last_trade_time"
        case bookState = "book_state"
        case bookReason = "book_reason"
        case incomplete, stale, source, heard
    }

    /// Tells what is known: bid and ask of the proven book first, then by the day's count, then by the venue.
    init(_ known: KnownTicker, _ condition: BusCondition) {
        instrument = known.instrument.description
        venue = known.instrument.venue.rawValue
        symbol = known.instrument.symbol
        heard = known.heard.iso8601
        if let said = known.venue { tell(said.value) }
        if let said = known.day { tell(said.value) }
        if let said = known.top { tell(said.value) }
        let doubt = [known.day?.producer, known.top?.producer].lazy.compactMap { $0 }
            .compactMap { condition.doubt(about: $0) }.first
        if stale == nil { stale = doubt }
        // Nobody knows any more whether it still is.
        if doubt != nil, bookState == BookState.live.name {
            (bookState, bookReason) = (BookState.stale.name, BookStateReason.busSilent.name)
        }
    }

    private mutating func tell(_ ticker: Ticker) {
        func price(_ price: Price?) -> String? { price?.decimal(ticker.priceScale).normalized.description }
        func size(_ size: Quantity?) -> String? { size?.decimal(ticker.sizeScale).normalized.description }
        last = price(ticker.lastPrice)
        (bid, bidSize) = (price(ticker.bidPrice), size(ticker.bidSize))
        (ask, askSize) = (price(ticker.askPrice), size(ticker.askSize))
    }

    private mutating func tell(_ day: Bitpal_V1_DayTicker) {
        func text(_ units: Int64, _ scale: UInt32) -> String? {
            Scale(Int(scale)).map { DecimalNumber(units: units, scale: $0).normalized.description }
        }
        func time(_ nanos: Int64) -> String? {
            nanos == 0 ? nil : Timestamp(nanoseconds: nanos).iso8601
        }
        func known(_ text: String) -> String? { text.isEmpty ? nil : text }
        if day.hasLastPrice { last = text(day.lastPrice, day.priceScale) }
        if day.hasBidPrice { bid = text(day.bidPrice, day.priceScale) }
        if day.hasBidSize { bidSize = text(day.bidSize, day.sizeScale) }
        if day.hasAskPrice { ask = text(day.askPrice, day.priceScale) }
        if day.hasAskSize { askSize = text(day.askSize, day.sizeScale) }
        if day.hasOpenPrice { open = text(day.openPrice, day.priceScale) }
        if day.hasHighPrice { high = text(day.highPrice, day.priceScale) }
        if day.hasLowPrice { low = text(day.lowPrice, day.priceScale) }
        (volume, quoteVolume) = (known(day.baseVolume), known(day.quoteVolume))
        (change, changePercent) = (known(day.change), known(day.changePercent))
        trades = day.tradeCount
        (windowStart, windowEnd) = (time(day.windowStartUnixNanos), time(day.windowEndUnixNanos))
        lastTradeTime = time(day.lastTradeTimeUnixNanos)
        bookState = UInt8(exactly: day.bookState.rawValue).flatMap(BookState.init(rawValue:))?.name
        bookReason = UInt8(exactly: day.bookReason.rawValue).flatMap(BookStateReason.init(rawValue:))?.name
        incomplete = day.isIncomplete
        (stale, source) = (known(day.staleReason), known(day.source))
    }

    private mutating func tell(_ top: BookTop) {
        (bookState, bookReason) = (top.state.name, top.reason.name)
        bid = top.bid?.price.decimal(top.priceScale).normalized.description
        bidSize = top.bid?.size.decimal(top.sizeScale).normalized.description
        ask = top.ask?.price.decimal(top.priceScale).normalized.description
        askSize = top.ask?.size.decimal(top.sizeScale).normalized.description
    }
}

extension TickerBody {
    /// The change over the whole 24 hours; `nil` where trades of them may be missing, for those who say
    /// nothing else of them.
    var dayChangePercent: String? { incomplete == true ? nil : changePercent }
}
