public import Instruments
public import MarketData

/// A sum or a price that the candle's integers cannot hold; nothing was added.
public struct CandleOverflow: Error, Hashable, Sendable {
    public init() {}
}

/// One trade as candles see it.
public struct CandleTrade<Units: CandleUnits>: Sendable {
    /// When it happened, by the venue.
    public var time: Timestamp
    /// In units of `pricePlaces`.
    public var price: Units
    /// In units of `sizePlaces`.
    public var size: Units
    /// Decimal places of the price, at most 18 for Int64 and 38 for Int128.
    public var pricePlaces: UInt8
    /// Decimal places of the size, as above.
    public var sizePlaces: UInt8
    /// Direction of the taker; `nil` when unknown.
    public var side: Side?

    @inlinable
    public init(
        time: Timestamp, price: Units, size: Units, pricePlaces: UInt8, sizePlaces: UInt8, side: Side?
    ) {
        self.time = time
        self.price = price
        self.size = size
        self.pricePlaces = pricePlaces
        self.sizePlaces = sizePlaces
        self.side = side
    }
}

/// What the trades of one interval add up to, exactly.
///
/// Trades are given in the order in which they came. Open is the first and close the last by venue time;
/// among equal times the one that came first opens and the one that came last closes.
public struct CandleSums<Units: CandleUnits>: Hashable, Sendable {
    /// Venue time of the trade that opened.
    public private(set) var openTime: Timestamp
    /// Venue time of the trade that closed.
    public private(set) var closeTime: Timestamp
    /// First price.
    public private(set) var open: Units
    /// Highest price.
    public private(set) var high: Units
    /// Lowest price.
    public private(set) var low: Units
    /// Last price.
    public private(set) var close: Units
    /// Σ size, in units of `sizePlaces`.
    public private(set) var volume: Int128
    /// Σ size of the trades whose taker bought.
    public private(set) var takerBuyVolume: Int128
    /// Σ price × size, in units of both places together.
    public private(set) var notional: Int256
    /// Number of trades.
    public private(set) var count: Int64
    /// Decimal places of the prices.
    public private(set) var pricePlaces: UInt8
    /// Decimal places of the sizes.
    public private(set) var sizePlaces: UInt8

    /// Begins with one trade.
    public init(_ trade: CandleTrade<Units>) {
        (openTime, closeTime) = (trade.time, trade.time)
        (open, high, low, close) = (trade.price, trade.price, trade.price, trade.price)
        volume = Int128(trade.size)
        takerBuyVolume = trade.side == .buy ? volume : 0
        notional = Units.product(trade.price, trade.size)
        count = 1
        (pricePlaces, sizePlaces) = (trade.pricePlaces, trade.sizePlaces)
    }

    /// Takes sums over from where they were stored.
    ///
    /// `openTime` and `closeTime` of stored rows may be the interval's first and last instant where the
    /// rows do not say more; then a late trade cannot change open or close.
    public init(
        openTime: Timestamp, closeTime: Timestamp, open: Units, high: Units, low: Units, close: Units,
        volume: Int128, takerBuyVolume: Int128, notional: Int256, count: Int64, pricePlaces: UInt8,
        sizePlaces: UInt8
    ) {
        (self.openTime, self.closeTime) = (openTime, closeTime)
        (self.open, self.high, self.low, self.close) = (open, high, low, close)
        (self.volume, self.takerBuyVolume) = (volume, takerBuyVolume)
        (self.notional, self.count) = (notional, count)
        (self.pricePlaces, self.sizePlaces) = (pricePlaces, sizePlaces)
    }

    /// Adds a trade that came after all others; its scales may differ.
    ///
    /// - Throws: ``CandleOverflow``; the sums are as before.
    public mutating func add(_ trade: CandleTrade<Units>) throws(CandleOverflow) {
        guard trade.pricePlaces == pricePlaces, trade.sizePlaces == sizePlaces else {
            return try merge(CandleSums(trade))
        }
        try merge(same: CandleSums(trade))
    }

    /// Adds the sums of later trades, or of another part of the interval; their scales may differ.
    ///
    /// - Throws: ``CandleOverflow``; the sums are as before.
    public mutating func merge(_ other: CandleSums) throws(CandleOverflow) {
        let price = Swift.max(pricePlaces, other.pricePlaces)
        let size = Swift.max(sizePlaces, other.sizePlaces)
        var mine = try refined(price: price, size: size)
        try mine.merge(same: try other.refined(price: price, size: size))
        self = mine
    }

    @inline(__always)
    private mutating func merge(same other: CandleSums) throws(CandleOverflow) {
        let (newVolume, first) = volume.addingReportingOverflow(other.volume)
        let (newNotional, second) = notional.addingReportingOverflow(other.notional)
        let (newCount, third) = count.addingReportingOverflow(other.count)
        if first || second || third { throw CandleOverflow() }
        volume = newVolume
        notional = newNotional
        count = newCount
        // At most the volume, which fits.
        takerBuyVolume += other.takerBuyVolume
        if other.openTime < openTime { (openTime, open) = (other.openTime, other.open) }
        if other.closeTime >= closeTime { (closeTime, close) = (other.closeTime, other.close) }
        if other.high > high { high = other.high }
        if other.low < low { low = other.low }
    }

    /// The same sums at finer scales.
    ///
    /// - Precondition: No scale is coarser than it is.
    /// - Throws: ``CandleOverflow``.
    public func refined(price: UInt8, size: UInt8) throws(CandleOverflow) -> CandleSums {
        precondition(price >= pricePlaces && size >= sizePlaces, "a coarser scale could lose digits")
        if price == pricePlaces, size == sizePlaces { return self }
        let priceFactor = try CandleSums.factor(Int(price - pricePlaces))
        let sizeFactor = try CandleSums.factor(Int(size - sizePlaces))
        var finer = self
        finer.open = try CandleSums.product(open, priceFactor)
        finer.high = try CandleSums.product(high, priceFactor)
        finer.low = try CandleSums.product(low, priceFactor)
        finer.close = try CandleSums.product(close, priceFactor)
        finer.volume = try CandleSums.product(volume, sizeFactor)
        finer.takerBuyVolume = try CandleSums.product(takerBuyVolume, sizeFactor)
        let (once, first) = notional.multipliedReportingOverflow(by: priceFactor)
        let (twice, second) = once.multipliedReportingOverflow(by: sizeFactor)
        if first || second { throw CandleOverflow() }
        finer.notional = twice
        (finer.pricePlaces, finer.sizePlaces) = (price, size)
        return finer
    }

    private static func factor(_ exponent: Int) throws(CandleOverflow) -> Int128 {
        guard exponent <= PowerOfTen.highest else { throw CandleOverflow() }
        return PowerOfTen.int128(exponent)
    }

    private static func product<Value: FixedWidthInteger>(
        _ value: Value, _ factor: Int128
    ) throws(CandleOverflow) -> Value {
        if value == 0 { return 0 }
        let (product, overflow) = Int128(value).multipliedReportingOverflow(by: factor)
        guard !overflow, let narrow = Value(exactly: product) else { throw CandleOverflow() }
        return narrow
    }
}

extension CandleSums {
    /// Σ price × size / Σ size in price units; `nil` when all sizes are zero.
    public var averagePrice: ExactRatio? {
        volume > 0 ? ExactRatio(notional, over: Int256(volume)) : nil
    }

    /// Whether prices, volume and number of trades are equal, whatever the places.
    public func isSame(as other: CandleSums) -> Bool {
        count == other.count
            && decimal(size: volume).normalized == other.decimal(size: other.volume).normalized
            && zip([open, high, low, close], [other.open, other.high, other.low, other.close])
                .allSatisfy { decimal(price: $0).normalized == other.decimal(price: $1).normalized }
    }

    /// A price of this candle as a decimal.
    public func decimal(price: Units) -> WideDecimal {
        WideDecimal(units: Int256(Int128(price)), places: Int(pricePlaces))
    }

    /// A volume of this candle as a decimal.
    public func decimal(size: Int128) -> WideDecimal {
        WideDecimal(units: Int256(size), places: Int(sizePlaces))
    }

    /// Σ price × size as a decimal.
    public var notionalValue: WideDecimal {
        WideDecimal(units: notional, places: Int(pricePlaces) + Int(sizePlaces))
    }
}
