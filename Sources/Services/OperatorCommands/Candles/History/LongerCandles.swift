import Instruments
import MarketState
import MarketStore
import Store

/// Makes the longer candles of stored minutes.
///
/// One is made where all of its minutes are stored and complete, and where none is stored that is complete.
/// Minutes without a trade count when they are stored, as flat ones: that one is missing proves nothing.
struct LongerCandles {
    /// Lengths that minutes are made into.
    static let intervals = CandleInterval.allCases.filter { $0.rank > CandleInterval.minute.rank }

    let id: InstrumentID
    let database: Database

    /// Stores the candles that touch a span and are over.
    ///
    /// Week by week, since every length divides a week, so that memory and partitions stay bounded.
    ///
    /// - Returns: How many of each length are new or changed.
    /// - Throws: `StoreError`.
    func roll(_ span: Range<Timestamp>, at now: Timestamp) async throws -> [CandleInterval: Int] {
        var written: [CandleInterval: Int] = [:]
        var week = CandleInterval.week.start(of: span.lowerBound)
        while week < span.upperBound {
            let end = CandleInterval.week.end(from: week)
            let minutes = try await runs(.minute, from: week, to: end)
            for interval in Self.intervals where !minutes.isEmpty {
                let touched =
                    max(week, interval.start(of: span.lowerBound))..<min(end, ceiling(span, interval))
                written[interval, default: 0] += try await roll(touched, interval, of: minutes, at: now)
            }
            week = end
        }
        return written
    }

    private func roll(
        _ span: Range<Timestamp>, _ interval: CandleInterval, of minutes: [CandleRun], at now: Timestamp
    ) async throws -> Int {
        let known = try await runs(interval, from: span.lowerBound, to: span.upperBound)
        let rows = try await database.rollCandles(
            of: id, .minute, into: interval, from: span.lowerBound, to: span.upperBound)
        var batch = CandleBatch()
        for row in rows {
            let end = interval.end(from: row.start)
            let isWhole = minutes.contains { $0.from <= row.start && end <= $0.to }
            let isKnown = known.contains { $0.from <= row.start && row.start < $0.to }
            if isWhole, !isKnown, end <= now { batch.append(row, of: id) }
        }
        return try await database.fill(batch).written
    }

    private func runs(_ interval: CandleInterval, from: Timestamp, to: Timestamp) async throws -> [CandleRun]
    {
        try await database.candleRuns(of: id, interval, from: from, to: to)
    }

    private func ceiling(_ span: Range<Timestamp>, _ interval: CandleInterval) -> Timestamp {
        let start = interval.start(of: span.upperBound)
        return start == span.upperBound ? start : interval.end(from: start)
    }
}
