package import Instruments
package import Portfolio
import Statistics

/// The same days of a portfolio and of a benchmark, beside each other.
package struct BenchmarkComparison {
    /// The end of the day that returns count from: the first of the history with a price of the benchmark;
    /// `nil` of none.
    package let start: Timestamp?
    /// Days with a return of both.
    package let days: Int
    /// Days whose price of the benchmark was older than ``Valuation/staleAfter``.
    package let staleDays: Int
    /// What the benchmark returned on those days.
    package let theirs: [Double]
    /// What the portfolio returned on them; `nil` while one of its days is not known.
    package let ours: [Double]?

    /// Compares each day of a history that the benchmark has a price on.
    package init(_ history: DailyHistory, with benchmark: Benchmark, in base: Asset) {
        var points: [(end: Timestamp, price: Double, isStale: Bool)] = []
        for day in history.days {
            let time = day.end.adding(nanoseconds: -1)
            guard let point = benchmark.price(in: base, at: time), point.price.isPositive else {
                points = []
                continue
            }
            let isStale = time.nanoseconds(since: point.time) > Valuation.staleAfter
            points.append((day.end, Double(point.price), isStale))
        }
        start = points.first?.end
        staleDays = points.count { $0.isStale }
        theirs = zip(points.dropFirst(), points).map { $0.price / $1.price - 1 }
        days = theirs.count
        // Both count from the end of the same day.
        ours = history.series.map { Array($0.returns.suffix(points.count).dropFirst()) }
    }

    /// The benchmark's growth; `nil` of fewer than two days.
    package var theirReturn: Double? { theirs.isEmpty ? nil : Returns.cumulative(theirs) }

    /// The portfolio's time-weighted growth on the same days, less the benchmark's; `nil` while one of the
    /// two is not known.
    package var excessReturn: Double? {
        guard let ours, let theirReturn else { return nil }
        return Returns.cumulative(ours) - theirReturn
    }

    /// How much the portfolio moves with the benchmark; `nil` where ``Returns/beta(_:benchmark:)`` is.
    package var beta: Double? { ours.flatMap { Returns.beta($0, benchmark: theirs) } }
    /// How much both move together, -1...1; `nil` where ``Returns/correlation(_:_:)`` is.
    package var correlation: Double? { ours.flatMap { Returns.correlation($0, theirs) } }
}
