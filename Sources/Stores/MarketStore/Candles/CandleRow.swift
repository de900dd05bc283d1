package import Instruments
package import MarketState
import Store

/// A candle as it is stored: what the trades of [start, start + length) add up to, by venue time.
package struct CandleRow: Hashable, Sendable {
    /// Its length.
    package var interval: CandleInterval
    /// The first instant that belongs to it; a multiple of the length, for weeks a Monday.
    package var start: Timestamp
    /// Venue time of the trade that opened; the start where nobody knows.
    package var openTime: Timestamp
    /// Venue time of the trade that closed; the last instant where nobody knows.
    package var closeTime: Timestamp
    /// First price, at `priceScale`.
    package var open: Price
    /// Highest price, at `priceScale`.
    package var high: Price
    /// Lowest price, at `priceScale`.
    package var low: Price
    /// Last price, at `priceScale`.
    package var close: Price
    /// Decimal places of the prices.
    package var priceScale: Scale
    /// Decimal places that its sizes had; the volumes below carry their own point.
    package var sizeScale: Scale
    /// Number of trades, not negative.
    package var tradeCount: Int64
    /// Σ size, not negative.
    package var volume: Amount
    /// Σ size of the trades whose taker bought; `nil` where the venue does not say.
    package var takerBuyVolume: Amount?
    /// Σ price × size, of which VWAP and quote volume are made; `nil` where the venue does not say.
    package var notional: Amount?
    /// What else is to be known.
    package var flags: CandleFlags

    package init(
        interval: CandleInterval, start: Timestamp, openTime: Timestamp, closeTime: Timestamp, open: Price,
        high: Price, low: Price, close: Price, priceScale: Scale, sizeScale: Scale, tradeCount: Int64,
        volume: Amount, takerBuyVolume: Amount?, notional: Amount?, flags: CandleFlags
    ) {
        self.interval = interval
        self.start = start
        self.openTime = openTime
        self.closeTime = closeTime
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.tradeCount = tradeCount
        self.volume = volume
        self.takerBuyVolume = takerBuyVolume
        self.notional = notional
        self.flags = flags
    }
}

extension CandleRow {
    static let columns: SQL = """
        interval_seconds, start_unix_nanos, open_time_unix_nanos, close_time_unix_nanos, open, high, low,
        close, price_scale, size_scale, trade_count, volume, taker_buy_volume, notional, flags
        """

    init(_ row: inout RowReader) throws(StoreError) {
        self.init(
            interval: try row.candleInterval(), start: try row.nanoseconds(), openTime: try row.nanoseconds(),
            closeTime: try row.nanoseconds(), open: Price(try row.int64()), high: Price(try row.int64()),
            low: Price(try row.int64()), close: Price(try row.int64()), priceScale: try row.scale(),
            sizeScale: try row.scale(), tradeCount: try row.int64(), volume: try row.amount(),
            takerBuyVolume: try row.amountOrNil(), notional: try row.amountOrNil(),
            flags: CandleFlags(rawValue: UInt8(truncatingIfNeeded: try row.int16())))
    }
}
