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
        var days: [MarketDay] = []
        for symbol in topics.symbols.sorted() {
            if let day = MarketDay(symbol, day(of: symbol), at: position) { days.append(day) }
        }
        return days
    }

    /// By hours, where there is a past to make them of: of all markets together the minutes cost a core.
    private mutating func day(of symbol: String) -> [Candle] {
        let (minute, hour) = (CandleInterval.minute, CandleInterval.hour)
        let begin = position.adding(nanoseconds: -86_400_000_000_000)
        guard past != nil else { return candles(of: symbol, minute, from: begin, until: nil) }
        let (first, last) = (hour.end(from: hour.start(of: begin)), hour.start(of: position))
        return candles(of: symbol, minute, from: begin, until: first)
            + candles(of: symbol, hour, from: first, until: last)
            + candles(of: symbol, minute, from: last, until: nil)
    }

    private mutating func candles(
        of symbol: String, _ interval: CandleInterval, from begin: Timestamp, until end: Timestamp?
    ) -> [Candle] {
        let query = CandleQuery(
            symbol: symbol, interval: interval, start: begin, end: end?.adding(nanoseconds: -1), limit: 1_441)
        let whole = interval.start(of: script.started.adding(nanoseconds: interval.nanoseconds - 1))
        return candles.candles(
            query, from: script.hasPast ? whole : Timestamp(nanoseconds: .min), at: position,
            after: past?.candles(query, at: position) ?? [])
    }
}

extension Dialect {
    func restTickers(_ days: [MarketDay]) -> RESTAnswer { notFound() }
}
