import Instruments
import MarketState
import MarketStore
import Store

/// Which stored candles are wanted.
struct StoredCandleQuery: Sendable {
    /// Candles that are shown where nobody says how many.
    static let usualCount: Int64 = 500
    /// Candles that one query reads.
    private static let page = 10_000

    var id: InstrumentID
    var interval: CandleInterval
    var span: CandleSpanOptions
    var wantsFlat: Bool

    /// What is stored of the instrument.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names when there is no such instrument.
    func instrument(in database: Database) async throws -> Instrument {
        if let known = try await database.instrument(id) { return known }
        let known = try await database.instruments(on: id.venue).map(\.id.symbol)
        let near = NearestNames.symbols(to: id.symbol, among: known)
        let hint: String
        if !near.isEmpty {
            hint = "did you mean \(near.joined(separator: ", "))?"
        } else if known.isEmpty {
            hint = "nothing of \(id.venue) is stored; is feed-ingestor connected to it?"
        } else {
            hint = "`bitpal search \(id.symbol)` looks everywhere"
        }
        throw CommandFailure(.notFound, "\(id) is not in the database; \(hint)")
    }

    /// Reads the candles, oldest first.
    func chart(of instrument: Instrument, in database: Database) async throws -> CandleChart {
        var chart = CandleChart(instrument: instrument, interval: interval, rows: [])
        guard let ends = try await database.candleEnds(of: id, interval) else { return chart }
        let wanted = span.resolve(interval, end: interval.end(from: ends.newest), limit: Self.usualCount)
        // Nothing is stored outside of the two ends: pages there would be empty.
        var from = max(wanted.lowerBound, ends.oldest)
        let to = min(wanted.upperBound, interval.end(from: ends.newest))
        while from < to {
            let next = min(to, from.adding(nanoseconds: Int64(Self.page) * interval.nanoseconds))
            let rows = try await database.candles(
                of: id, interval, from: from, to: next, limit: Self.page + 1)
            chart.rows += rows.reversed()
            from = next
        }
        // Beyond the newest candle nothing is known: a trade may be under way to the database.
        if wantsFlat { chart.fill(until: min(wanted.upperBound, ends.newest)) } else { chart.dropFlat() }
        return chart
    }
}
