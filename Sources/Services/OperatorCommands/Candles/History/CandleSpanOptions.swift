import ArgumentParser
import Instruments
import MarketState

/// Which part of an instrument's history is wanted.
struct CandleSpanOptions: ParsableArguments {
    @Option(help: "The first start that is wanted: a day, ISO 8601, or s or ms since 1970.", transform: time)
    var from: Timestamp?

    @Option(help: "The first start that is no longer wanted.", transform: time)
    var to: Timestamp?

    @Option(
        help:
            "A chart's span and interval: \(ChartRange.allCases.map(\.rawValue).joined(separator: ", "))."
    )
    var range: ChartRange?

    /// Whether any of them was given.
    var isGiven: Bool { from != nil || to != nil || range != nil }

    func validate() throws {
        if range != nil, from != nil {
            throw ValidationError("--range counts back from the end; leave out --from")
        }
        if let from, let to, from >= to {
            throw ValidationError("--from \(from.plain) is not before --to \(to.plain)")
        }
    }

    private static func time(_ text: String) throws -> Timestamp {
        if let time = TradeTime.parse(text) ?? Timestamp(iso8601: text + "T00:00:00Z") { return time }
        throw ValidationError("\"\(text)\" is no time; accepted is a day or \(TradeTime.accepted)")
    }

    /// The span of candles up to `end` where no other end is given: whole intervals.
    func resolve(_ interval: CandleInterval, end: Timestamp, limit: Int64) -> Range<Timestamp> {
        let to = to ?? end
        let count = range.map { Int64($0.count) } ?? limit
        guard let from else {
            let last = interval.start(of: to.adding(nanoseconds: -1))
            let first = last.adding(nanoseconds: -(count - 1) * interval.nanoseconds)
            return min(first, to)..<to
        }
        return min(from, to)..<to
    }
}
