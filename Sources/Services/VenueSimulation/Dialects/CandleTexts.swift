import MarketState

/// The numbers of a candle as plain decimals.
struct CandleTexts {
    let open, high, low, close: String
    let volume, notional, bought: String
    let count: Int64

    init(_ candle: Candle) {
        let sums = candle.sums
        func price(_ units: Int64) -> String { sums.decimal(price: units).normalized.description }
        func size(_ units: Int128) -> String { sums.decimal(size: units).normalized.description }
        (open, high, low, close) = (price(sums.open), price(sums.high), price(sums.low), price(sums.close))
        (volume, bought) = (size(sums.volume), size(sums.takerBuyVolume))
        notional = sums.notionalValue.normalized.description
        count = sums.count
    }
}
