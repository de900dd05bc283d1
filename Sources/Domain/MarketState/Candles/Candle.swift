public import Instruments
public import MarketData

/// What is to be known of a candle besides its numbers.
public struct CandleFlags: OptionSet, Hashable, Sendable {
    /// The bits as they are stored; they only grow.
    public let rawValue: UInt8

    /// Wraps bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its interval is over.
    public static let closed = CandleFlags(rawValue: 1)
    /// Trades of it may be missing: the feed had a gap.
    public static let incomplete = CandleFlags(rawValue: 2)
    /// The venue's own candle, not made of trades.
    public static let fromVenue = CandleFlags(rawValue: 4)
    /// Changed after it was closed.
    public static let amended = CandleFlags(rawValue: 8)
    /// No trade: all prices are the last one before.
    public static let flat = CandleFlags(rawValue: 16)
    /// The venue does not say Σ price × size, so the sum is meaningless.
    public static let withoutNotional = CandleFlags(rawValue: 32)
}

/// Open, high, low, close and volumes of the trades in [start, start + interval), by venue time.
public struct Candle: Hashable, Sendable {
    /// Its length.
    public var interval: CandleInterval
    /// The first instant that belongs to it.
    public var start: Timestamp
    /// Its numbers.
    public var sums: CandleSums<Int64>
    /// What else is to be known.
    public var flags: CandleFlags

    public init(
        interval: CandleInterval, start: Timestamp, sums: CandleSums<Int64>, flags: CandleFlags = []
    ) {
        self.interval = interval
        self.start = start
        self.sums = sums
        self.flags = flags
    }

    /// The first instant after it.
    public var end: Timestamp { interval.end(from: start) }

    /// Σ value in the quote asset; `nil` when the venue does not say or it needs more than 256 bits.
    public func quoteVolume(_ terms: ContractTerms) -> WideDecimal? {
        if flags.contains(.withoutNotional), !terms.isInverse { return nil }
        guard let price = Scale(rawValue: sums.pricePlaces), let size = Scale(rawValue: sums.sizePlaces)
        else {
            return nil
        }
        return terms.value(notional: sums.notional, size: sums.volume, priceScale: price, sizeScale: size)
    }

    /// Σ price × size / Σ size in price units; `nil` without volume or where the venue does not say.
    public var averagePrice: ExactRatio? { flags.contains(.withoutNotional) ? nil : sums.averagePrice }
}

extension Candle {
    /// A venue's own candle, closed or not, which has no quote volume and no taker volume; `nil` for an
    /// interval that we do not keep.
    public init?(_ candle: VenueCandle) {
        guard let interval = CandleInterval(rawValue: candle.interval) else { return nil }
        let last = interval.end(from: candle.start).adding(nanoseconds: -1)
        let sums = CandleSums<Int64>(
            openTime: candle.start, closeTime: last, open: candle.open.rawValue, high: candle.high.rawValue,
            low: candle.low.rawValue, close: candle.close.rawValue, volume: Int128(candle.volume.rawValue),
            takerBuyVolume: 0, notional: .zero, count: Int64(clamping: candle.tradeCount),
            pricePlaces: candle.priceScale.rawValue, sizePlaces: candle.sizeScale.rawValue)
        self.init(
            interval: interval, start: candle.start, sums: sums,
            flags: [.fromVenue, .withoutNotional, candle.isClosed ? .closed : []])
    }

    /// This candle of the venue, with the sums of ours where ours says the same: then no trade was missed
    /// after all, and ours knows what venues leave out, as the value in the quote asset and the takers' part.
    public func completed(by own: Candle?) -> Candle {
        guard let own, own.interval == interval, own.start == start, own.sums.isSame(as: sums) else {
            return self
        }
        var candle = self
        candle.sums = own.sums
        candle.flags.subtract(.withoutNotional)
        if own.flags.contains(.withoutNotional) { candle.flags.insert(.withoutNotional) }
        return candle
    }

    /// The candle of an interval without trades after this one: all prices are this one's close.
    public func flat(at start: Timestamp) -> Candle {
        let sums = CandleSums<Int64>(
            openTime: start, closeTime: start, open: self.sums.close, high: self.sums.close,
            low: self.sums.close, close: self.sums.close, volume: 0, takerBuyVolume: 0, notional: .zero,
            count: 0, pricePlaces: self.sums.pricePlaces, sizePlaces: self.sums.sizePlaces)
        return Candle(interval: interval, start: start, sums: sums, flags: [.flat, .closed])
    }
}

extension CandleTrade<Int64> {
    /// A trade of the tape.
    @inlinable
    public init(_ trade: Trade) {
        self.init(
            time: trade.venueTime, price: trade.price.rawValue, size: trade.size.rawValue,
            pricePlaces: trade.priceScale.rawValue, sizePlaces: trade.sizeScale.rawValue, side: trade.side)
    }
}
