import MarketState

/// The numbers of a candle as texts.
struct CandleTexts {
    let open: String
    let high: String
    let low: String
    let close: String
    let volume: String

    init(_ candle: Candle) {
        let sums = candle.sums
        open = sums.decimal(price: sums.open).description
        high = sums.decimal(price: sums.high).description
        low = sums.decimal(price: sums.low).description
        close = sums.decimal(price: sums.close).description
        volume = sums.decimal(size: sums.volume).description
    }
}
