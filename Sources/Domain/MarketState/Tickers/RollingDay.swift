public import Instruments
public import MarketData

/// The statistics of an instrument's last 24 hours, exact and rolling by the second.
///
/// Memory is bounded by one bucket for each second that had trades, at most 86,400; a quiet instrument has
/// few. Time is the venue's and moves by trades and ``advance(to:)``, never back. Trades must come once
/// each: what `CandleAggregator` refuses must not come here. Whoever applies trades also judges whether
/// their times can be true: one a year ahead empties the window.
public struct RollingDay: Sendable {
    /// Seconds of the window.
    public static let seconds: Int64 = 86_400

    /// Decimal places of all prices.
    public private(set) var priceScale: Scale
    /// Decimal places of all sizes.
    public private(set) var sizeScale: Scale
    private var blocks: [DayBlock] = []
    private var totals = DayTotals()
    /// The last trade before the window, as far as it is known.
    private var prior: (price: Int64, time: Timestamp)?
    /// The second that the window ends with.
    private var now: Int64?

    public init(priceScale: Scale, sizeScale: Scale) {
        self.priceScale = priceScale
        self.sizeScale = sizeScale
    }

    /// Adds a trade, which may be late; finer scales refine all that is there.
    ///
    /// - Throws: ``CandleOverflow`` when a number does not fit 63 bits at the finer scale; nothing changes.
    public mutating func apply(_ trade: Trade) throws(CandleOverflow) {
        try add(CandleSums(CandleTrade<Int64>(trade)), seconds: 1, at: trade.venueTime)
    }

    /// Takes over a stored candle of a second or a minute, or the trades of one in sums, after a restart.
    ///
    /// Give them in order of time, then trades. A candle of a minute counts as a whole by its first second,
    /// so that the window is not exact until it has left. To know the price at the window's start, begin
    /// with the last candle before it.
    ///
    /// - Throws: ``CandleOverflow``, as for a trade.
    /// - Precondition: The candle is of a second or a minute and comes from trades.
    public mutating func restore(_ candle: Candle) throws(CandleOverflow) {
        precondition(candle.interval.rank <= 1, "a window of seconds is restored from seconds or minutes")
        try add(candle.sums, seconds: candle.interval.seconds, at: candle.start)
    }

    /// Moves the window's end to a venue time.
    public mutating func advance(to time: Timestamp) { advance(to: RollingDay.second(of: time)) }

    /// The statistics of the window that ends with the latest trade or ``advance(to:)``; `nil` before the
    /// first trade.
    public var statistics: DayStatistics? {
        guard let now else { return nil }
        let first = blocks.first?.first
        guard let open = prior?.price ?? first?.open else { return nil }
        let newest = blocks.last?.last
        var high = Int64.min
        var low = Int64.max
        for block in blocks {
            high = max(high, block.high)
            low = min(low, block.low)
        }
        return DayStatistics(
            open: Price(open), high: first.map { _ in Price(high) }, low: first.map { _ in Price(low) },
            last: Price(newest?.close ?? open), lastTime: newest?.closeTime ?? prior?.time ?? .zero,
            volume: totals.volume, notional: totals.notional, count: totals.count, priceScale: priceScale,
            sizeScale: sizeScale,
            start: Timestamp.zero.adding(nanoseconds: (now - RollingDay.seconds + 1) * 1_000_000_000),
            isExact: totals.coarse == 0)
    }

    private static func second(of time: Timestamp) -> Int64 {
        CandleInterval.second.start(of: time).nanoseconds / 1_000_000_000
    }

    private mutating func add(
        _ sums: CandleSums<Int64>, seconds: Int64, at time: Timestamp
    ) throws(CandleOverflow) {
        try refine(price: sums.pricePlaces, size: sums.sizePlaces)
        let sums = try sums.refined(price: priceScale.rawValue, size: sizeScale.rawValue)
        let second = RollingDay.second(of: time)
        advance(to: second)
        let bucket = DayBucket(
            second: second, open: sums.open, high: sums.high, low: sums.low, close: sums.close,
            openTime: sums.openTime, closeTime: sums.closeTime,
            totals: DayTotals(
                volume: sums.volume, notional: sums.notional, count: sums.count, coarse: seconds > 1 ? 1 : 0))
        guard let now, second > now - RollingDay.seconds else { return expire(bucket) }
        totals.add(bucket.totals)
        let number = second >> 9
        var place = blocks.count
        while place > 0, blocks[place - 1].number > number { place -= 1 }
        if place == 0 || blocks[place - 1].number != number {
            blocks.insert(DayBlock(number: number), at: place)
            place += 1
        }
        blocks[place - 1].add(bucket)
    }

    private mutating func advance(to second: Int64) {
        if let now, second <= now { return }
        now = second
        let first = second - RollingDay.seconds + 1
        while let oldest = blocks.first {
            guard let bucket = oldest.first else {
                blocks.removeFirst()
                continue
            }
            guard bucket.second < first else { return }
            totals.remove(bucket.totals)
            expire(blocks[0].removeFirst())
        }
    }

    /// Remembers the price of what is now before the window.
    private mutating func expire(_ bucket: DayBucket) {
        if let prior, prior.time > bucket.closeTime { return }
        prior = (bucket.close, bucket.closeTime)
    }

    /// Takes all numbers to finer scales.
    private mutating func refine(price: UInt8, size: UInt8) throws(CandleOverflow) {
        let newPrice = max(priceScale, Scale(rawValue: price) ?? priceScale)
        let newSize = max(sizeScale, Scale(rawValue: size) ?? sizeScale)
        guard newPrice != priceScale || newSize != sizeScale else { return }
        let prices = newPrice.power / priceScale.power
        let sizes = newSize.power / sizeScale.power
        var finer = self
        for index in finer.blocks.indices where !finer.blocks[index].multiply(prices: prices, sizes: sizes) {
            throw CandleOverflow()
        }
        if let prior {
            let (product, overflow) = prior.price.multipliedReportingOverflow(by: prices)
            if overflow { throw CandleOverflow() }
            finer.prior = (product, prior.time)
        }
        guard finer.totals.multiply(prices: prices, sizes: sizes) else { throw CandleOverflow() }
        (finer.priceScale, finer.sizeScale) = (newPrice, newSize)
        self = finer
    }
}
