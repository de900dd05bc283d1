import Instruments
import MarketState

/// The last 24 hours of a market that is played, for the routes that tell of all markets at once.
struct MarketDay: Hashable, Sendable {
    var symbol: String
    /// Of all trades of these hours; without any, of the last one before.
    var sums: CandleSums<Int64>
    /// What the venue's clock shows.
    var time: Timestamp

    var last: String { sums.decimal(price: sums.close).normalized.description }
    var open: String { sums.decimal(price: sums.open).normalized.description }
    var high: String { sums.decimal(price: sums.high).normalized.description }
    var low: String { sums.decimal(price: sums.low).normalized.description }
    /// In the base asset.
    var volume: String { sums.decimal(size: sums.volume).normalized.description }
    /// In the quote asset.
    var turnover: String { sums.notionalValue.normalized.description }

    /// Of the first price, in percent.
    var changePercent: String {
        let scale = Scale(rawValue: sums.pricePlaces) ?? .zero
        let (open, close) = (Price(sums.open).decimal(scale), Price(sums.close).decimal(scale))
        return PriceChange(from: open, to: close)?.percent.description ?? "0"
    }

    /// Adds up minutes; `nil` without any.
    init?(_ symbol: String, _ candles: [Candle], at time: Timestamp) {
        guard var sums = candles.first?.sums else { return nil }
        for candle in candles.dropFirst() where candle.sums.count > 0 {
            // What needs more digits than there are is left out: nobody trades that much here.
            try? sums.merge(candle.sums)
        }
        (self.symbol, self.sums, self.time) = (symbol, sums, time)
    }
}

extension Playback {
    /// The last 24 hours of each market that was traded, by symbol.
    mutating func days() -> [MarketDay] {
        let minute = CandleInterval.minute
        let begin = minute.start(of: script.started.adding(nanoseconds: minute.nanoseconds - 1))
        let first = script.hasPast ? begin : Timestamp(nanoseconds: .min)
        var days: [MarketDay] = []
        for symbol in topics.symbols.sorted() {
            let query = CandleQuery(
                symbol: symbol, interval: minute,
                start: position.adding(nanoseconds: -86_400_000_000_000), end: nil, limit: 1_441)
            let minutes = candles.candles(
                query, from: first, at: position, after: past?.candles(query, at: position) ?? [])
            if let day = MarketDay(symbol, minutes, at: position) { days.append(day) }
        }
        return days
    }
}

extension Dialect {
    func restTickers(_ days: [MarketDay]) -> RESTAnswer { notFound() }
}
