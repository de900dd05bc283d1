import Instruments
import MarketData
package import Shapes
import Wire

/// A ticker as it is told: prices and amounts as text, nothing where nothing is known.
package struct TickerBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<TickerBody>("Ticker", "What is not known is left out.") {
        Field(ifPresent: "ask", \.ask, as: .decimal, example: "61000.5")
        Field(ifPresent: "ask_size", \.askSize, as: .decimal, example: "0.8")
        Field(ifPresent: "bid", \.bid, as: .decimal, example: "61000.4")
        Field(ifPresent: "bid_size", \.bidSize, as: .decimal, example: "1.2")
        Field(
            ifPresent: "book_reason", \.bookReason, "Why the book is in its state.",
            as: .words(BookStateReason.allCases.map(\.name)), example: "snapshot-replaced")
        Field(
            ifPresent: "book_state", \.bookState, "The state of the book that bid and ask are of.",
            as: .words(BookState.allCases.map(\.name)), example: "live")
        Field(ifPresent: "change", \.change, "Of the price since open.", as: .decimal, example: "723.3")
        Field(ifPresent: "change_percent", \.changePercent, "Percent of open.", as: .decimal, example: "1.2")
        Field(
            ifPresent: "derivative_time", \.derivativeTime,
            "When the venue said the newest of mark price, funding and open interest.", as: .time,
            example: "2026-11-21T12:00:00.123000000Z")
        Field(
            ifPresent: "funding_interval_seconds", \.fundingInterval, "What funding_rate is for.",
            example: 28800)
        Field(
            ifPresent: "funding_rate", \.fundingRate,
            "What longs pay to shorts for one interval, as a fraction of a position's value.",
            as: .decimal, example: "0.0001")
        Field(ifPresent: "high", \.high, as: .decimal, example: "61200")
        Field(ifPresent: "incomplete", \.incomplete, "Trades of the window may be missing.", example: false)
        Field(
            ifPresent: "index_price", \.indexPrice, "The venue's own price of what lies beneath.",
            as: .decimal, example: "61000.2")
        Field("instrument", \.instrument, example: "kraken:BTC/USD")
        Field(ifPresent: "last", \.last, as: .decimal, example: "61000.5")
        Field(
            ifPresent: "last_trade_time", \.lastTradeTime, as: .time,
            example: "2026-11-21T12:00:00.123000000Z")
        Field(ifPresent: "low", \.low, as: .decimal, example: "60100")
        Field(
            ifPresent: "mark_price", \.markPrice, "At what the venue values open positions.", as: .decimal,
            example: "61000.3")
        Field(
            ifPresent: "next_funding_time", \.nextFundingTime, "When funding_rate is paid.", as: .time,
            example: "2026-11-21T16:00:00.000000000Z")
        Field(
            ifPresent: "open", \.open, "The price when the window began.", as: .decimal, example: "60277.2")
        Field(ifPresent: "open_interest", \.openInterest, as: .decimal, example: "82035.1")
        Field(
            ifPresent: "open_interest_unit", \.openInterestUnit, "What open_interest counts.",
            as: .words(OpenInterestUnit.allCases.map(\.name)), example: "base")
        Field(
            ifPresent: "predicted_funding_rate", \.predictedFundingRate, "Of the interval after that.",
            as: .decimal, example: "0.00012")
        Field(
            ifPresent: "origin", \.origin,
            "What stands behind the price: our own tape or proven book, a venue's word, or that of others.",
            as: .words(PriceOrigin.allCases.map(\.rawValue)), example: "proven")
        Field(
            ifPresent: "quote_volume", \.quoteVolume, "In the quote asset, over the window.", as: .decimal,
            example: "75000000")
        Field(
            "received_time", \.receivedTime, "When this gateway heard the newest part, by its own clock.",
            as: .time,
            example: "2026-11-21T12:00:00.200000000Z")
        Field(
            ifPresent: "source", \.source,
            "What the day's numbers are made of: trades, or the venue's ticker until those cover a day.",
            example: "trades")
        Field(ifPresent: "stale", \.stale, "Why the numbers are not of now; left out when they are.")
        Field("symbol", \.symbol, example: "BTC/USD")
        Field(ifPresent: "trades", \.trades, "How many there were in the window.", example: 51234)
        Field("venue", \.venue, example: .venue)
        Field(
            ifPresent: "volume", \.volume, "In the base asset, over 24 hours; see source.",
            as: .decimal, example: "1234.5")
        Field(
            ifPresent: "window_end", \.windowEnd, as: .time, example: "2026-11-21T12:00:00.000000000Z")
        Field(
            ifPresent: "window_start", \.windowStart, "24 hours before its end.", as: .time,
            example: "2026-11-20T12:00:00.000000000Z")
    }

    var instrument: String
    var venue: String
    var symbol: String
    package var last: String?
    package var bid: String?
    var bidSize: String?
    var ask: String?
    var askSize: String?
    var open: String?
    var high: String?
    var low: String?
    /// In the base asset, over 24 hours by our own count.
    var volume: String?
    package internal(set) var quoteVolume: String?
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
    package var stale: String?
    /// What the day's numbers are made of.
    var source: String?
    /// What stands behind the price.
    package internal(set) var origin: String?
    var markPrice: String?
    var indexPrice: String?
    var fundingRate: String?
    var predictedFundingRate: String?
    var nextFundingTime: String?
    var fundingInterval: UInt32?
    var openInterest: String?
    var openInterestUnit: String?
    /// When the venue said the newest of these.
    var derivativeTime: String?
    /// When this gateway heard the newest part, by its own clock.
    package var receivedTime: String

    /// Tells what is known: bid and ask of the proven book first, then by the day's count, then by the venue
    /// itself.
    package init(_ known: KnownTicker, _ condition: BusConnectionState) {
        instrument = known.instrument.description
        venue = known.instrument.venue.rawValue
        symbol = known.instrument.symbol
        receivedTime = known.heard.iso8601
        if let said = known.venue { apply(said.value) }
        // Figures of a feed that is gone are nobody's.
        if let said = known.derivative, condition.doubt(about: said.producer) == nil { apply(said.value) }
        if let said = known.day { apply(said.value) }
        if let said = known.top { apply(said.value) }
        origin = standing(of: known)?.rawValue
        let doubt = [known.day?.producer, known.top?.producer].lazy.compactMap { $0 }
            .compactMap { condition.doubt(about: $0) }.first
        if stale == nil { stale = doubt }
        // Nobody knows any more whether it still is.
        if doubt != nil, bookState == BookState.live.name {
            (bookState, bookReason) = (BookState.stale.name, BookStateReason.busSilent.name)
        }
        if let said = known.market { complete(by: said, condition) }
    }

    private mutating func apply(_ ticker: Ticker) {
        func price(_ price: Price?) -> String? { price?.decimal(ticker.priceScale).normalized.description }
        func size(_ size: Quantity?) -> String? { size?.decimal(ticker.sizeScale).normalized.description }
        last = price(ticker.lastPrice)
        (bid, bidSize) = (price(ticker.bidPrice), size(ticker.bidSize))
        (ask, askSize) = (price(ticker.askPrice), size(ticker.askSize))
    }

    private mutating func apply(_ state: DerivativeTicker) {
        (markPrice, indexPrice) = (state.markPrice?.description, state.indexPrice?.description)
        fundingRate = state.fundingRate?.description
        predictedFundingRate = state.predictedFundingRate?.description
        (nextFundingTime, fundingInterval) = (state.nextFundingTime?.iso8601, state.fundingIntervalSeconds)
        (openInterest, openInterestUnit) = (state.openInterest?.description, state.openInterestUnit?.name)
        derivativeTime = (state.venueTime ?? state.receivedTime).iso8601
    }

    private mutating func apply(_ day: Bitpal_V1_DayTicker) {
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

    private mutating func apply(_ top: BookTop) {
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
    package var dayChangePercent: String? { incomplete == true ? nil : changePercent }
}
