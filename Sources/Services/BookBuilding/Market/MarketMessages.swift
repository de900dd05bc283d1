import Instruments
import MarketData
import MarketState
import Wire

extension Bitpal_V1_Candle {
    /// A candle of ours as it travels.
    ///
    /// - Parameters:
    ///   - candle: Made of trades, or the venue's where they were missed.
    ///   - terms: What a unit of size is worth; `nil` when nobody said yet, then without quote volume.
    ///   - now: By our clock.
    init(_ candle: Candle, _ terms: ContractTerms?, at now: Timestamp) {
        self.init()
        let sums = candle.sums
        interval = candle.interval.rawValue
        startUnixNanos = candle.start.nanoseconds
        stopUnixNanos = candle.end.nanoseconds
        priceScale = UInt32(sums.pricePlaces)
        sizeScale = UInt32(sums.sizePlaces)
        (open, high, low, close) = (sums.open, sums.high, sums.low, sums.close)
        volume = Int64(clamping: sums.volume)
        tradeCount = UInt64(sums.count)
        isClosed = candle.flags.contains(.closed)
        venueTimeUnixNanos = sums.closeTime.nanoseconds
        receivedTimeUnixNanos = now.nanoseconds
        baseVolume = sums.decimal(size: sums.volume).description
        if !candle.flags.contains(.withoutNotional) {
            takerBuyVolume = sums.decimal(size: sums.takerBuyVolume).description
        }
        if let terms, let value = candle.quoteVolume(terms) { quoteVolume = value.description }
        if let scale = Scale(rawValue: sums.pricePlaces), let finer = Scale(min(18, scale.places + 4)) {
            averagePrice = candle.averagePrice?.price(at: scale, roundedTo: finer)?.description ?? ""
        }
        isFromVenue = candle.flags.contains(.fromVenue)
        isIncomplete = candle.flags.contains(.incomplete)
        isAmended = candle.flags.contains(.amended)
        isFlat = candle.flags.contains(.flat)
    }
}

/// All that a ticker says, so that one that says nothing new is not told.
struct PublishedTicker: Hashable, Sendable {
    var statistics: DayFacts?
    var top: BookEntry.PublishedTop?
    var isIncomplete: Bool
    var staleReason: String

    /// The statistics but for where their window stands.
    struct DayFacts: Hashable, Sendable {
        let open: Price
        let high: Price?
        let low: Price?
        let last: Price
        let volume: Int128
        let notional: Int256
        let count: Int64

        init(_ statistics: DayStatistics) {
            (open, high, low) = (statistics.open, statistics.high, statistics.low)
            (last, volume) = (statistics.last, statistics.volume)
            (notional, count) = (statistics.notional, statistics.count)
        }
    }
}

extension Bitpal_V1_DayTicker {
    /// The last 24 hours and the best prices as they travel, at the finer of their scales.
    init(_ facts: PublishedTicker, _ statistics: DayStatistics?, _ terms: ContractTerms?) {
        self.init()
        let scales = (
            max(statistics?.priceScale ?? .zero, facts.top?.priceScale ?? .zero),
            max(statistics?.sizeScale ?? .zero, facts.top?.sizeScale ?? .zero)
        )
        priceScale = UInt32(scales.0.places)
        sizeScale = UInt32(scales.1.places)
        if let top = facts.top { set(top, scales) }
        if let statistics { set(statistics, scales.0, terms) }
        isIncomplete = facts.isIncomplete
        staleReason = facts.staleReason
        source = "trades"
    }

    private mutating func set(_ top: BookEntry.PublishedTop, _ scales: (Scale, Scale)) {
        bookState = .init(top.state)
        bookReason = .init(top.reason)
        func units(_ value: Int64, _ scale: Scale, _ finer: Scale) -> Int64? {
            (try? DecimalNumber(units: value, scale: scale).rescaled(to: finer))?.units
        }
        if let bid = top.bid, let price = units(bid.price.rawValue, top.priceScale, scales.0),
            let size = units(bid.size.rawValue, top.sizeScale, scales.1)
        {
            (bidPrice, bidSize) = (price, size)
        }
        if let ask = top.ask, let price = units(ask.price.rawValue, top.priceScale, scales.0),
            let size = units(ask.size.rawValue, top.sizeScale, scales.1)
        {
            (askPrice, askSize) = (price, size)
        }
    }

    private mutating func set(_ statistics: DayStatistics, _ finer: Scale, _ terms: ContractTerms?) {
        let scale = statistics.priceScale
        func units(_ price: Price) -> Int64? {
            (try? DecimalNumber(units: price.rawValue, scale: scale).rescaled(to: finer))?.units
        }
        if let price = units(statistics.last) { lastPrice = price }
        if let price = units(statistics.open) { openPrice = price }
        if let price = statistics.high.flatMap(units) { highPrice = price }
        if let price = statistics.low.flatMap(units) { lowPrice = price }
        let size = statistics.sizeScale
        baseVolume = WideDecimal(units: Int256(statistics.volume), places: size.places).description
        let value = terms?.value(
            notional: statistics.notional, size: statistics.volume, priceScale: scale, sizeScale: size)
        quoteVolume = value?.description ?? ""
        change = WideDecimal(units: Int256(statistics.change), places: scale.places).description
        changePercent = Scale(4).flatMap { statistics.changePercent?.rounded(to: $0) }?.description ?? ""
        tradeCount = UInt64(statistics.count)
        windowStartUnixNanos = statistics.start.nanoseconds
        windowEndUnixNanos = statistics.start.nanoseconds + RollingDay.seconds * 1_000_000_000
        lastTradeTimeUnixNanos = statistics.lastTime.nanoseconds
    }
}

extension Bitpal_V1_BookDepth {
    /// The best levels of a book as they travel.
    init(_ replica: BookReplica) {
        self.init()
        state = .init(replica.state)
        reason = .init(replica.reason)
        priceScale = UInt32(replica.book.priceScale.places)
        sizeScale = UInt32(replica.book.sizeScale.places)
        replica.book.bids.forEachLevel(best: BookDepth.levels) { level in
            bidPrices.append(level.price.rawValue)
            bidSizes.append(level.size.rawValue)
        }
        replica.book.asks.forEachLevel(best: BookDepth.levels) { level in
            askPrices.append(level.price.rawValue)
            askSizes.append(level.size.rawValue)
        }
        bidCount = UInt32(clamping: replica.book.bidCount)
        askCount = UInt32(clamping: replica.book.askCount)
        venueTimeUnixNanos = replica.venueTime?.nanoseconds ?? 0
        receivedTimeUnixNanos = replica.receivedTime.nanoseconds
    }

    /// Whether both say the same of the book.
    func says(the other: Bitpal_V1_BookDepth) -> Bool {
        var other = other
        (other.venueTimeUnixNanos, other.receivedTimeUnixNanos) = (venueTimeUnixNanos, receivedTimeUnixNanos)
        other.at = at
        return self == other
    }
}
