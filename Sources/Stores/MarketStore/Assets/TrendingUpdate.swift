package import Instruments
import MarketState
package import Store

/// Computes what moves most from stored candles and stores it, once for each hour.
///
/// Hours are of venue time: of a replayed recording as of a live market the newest stored hour counts.
/// Before there is a whole hour the minutes count that there are, under the hour that they are of.
/// Idempotent, so that several processes may do it.
package struct TrendingUpdate: Sendable {
    /// Scores of one hour that are stored at most, the highest.
    package static let limit = 1_000

    private let database: Database

    /// - Parameter database: Where the candles are.
    package init(_ database: Database) { self.database = database }

    /// What was stored.
    package struct Outcome: Hashable, Sendable {
        /// Scores.
        package let count: Int
        /// Whether they are of whole hours, not of the first minutes.
        package let isWhole: Bool

        /// Describes it.
        package init(count: Int, isWhole: Bool) {
            self.count = count
            self.isWhole = isWhole
        }
    }

    /// Scores the newest hour.
    ///
    /// - Returns: How many scores were stored, 0 when there are no candles.
    /// - Throws: `StoreError`; nothing is stored then.
    package func update() async throws(StoreError) -> Outcome {
        if let hour = try await database.newestStart(of: .hour) {
            let count = try await update(hour: hour)
            if count > 0 { return Outcome(count: count, isWhole: true) }
        }
        guard let minute = try await database.newestStart(of: .minute) else {
            return Outcome(count: 0, isWhole: false)
        }
        let end = minute.adding(nanoseconds: CandleInterval.minute.nanoseconds)
        let inputs = try await database.trendingInputs(end: end, of: .minute)
        let hour = minute.nanoseconds - minute.nanoseconds % CandleInterval.hour.nanoseconds
        return Outcome(
            count: try await store(inputs, Timestamp(nanoseconds: hour)), isWhole: false)
    }

    /// Scores the 24 hours before an hour.
    ///
    /// - Parameter hour: The first instant of an hour, by venue time.
    /// - Returns: How many scores were stored.
    /// - Throws: `StoreError`; nothing is stored then.
    package func update(hour: Timestamp) async throws(StoreError) -> Int {
        try await store(try await database.trendingInputs(end: hour, of: .hour), hour)
    }

    private func store(_ inputs: [TrendingInput], _ hour: Timestamp) async throws(StoreError) -> Int {
        let scores = inputs.map { TrendingUpdate.score($0) }
        let rows = TrendingScore.ranked(scores, limit: Self.limit).map { number in
            TrendingUpdate.row(inputs[number], scores[number])
        }
        return rows.isEmpty ? 0 : try await database.store(rows, of: hour)
    }

    /// Brings volumes and prices to common units; what has too many digits counts as unknown.
    static func score(_ input: TrendingInput) -> TrendingScore {
        let volumes = aligned(input.volume, input.volumeBefore) ?? (.zero, .zero)
        let prices = aligned(input.open, input.last)
        let open = prices?.0.narrowed.flatMap { Int64(exactly: $0) }
        let last = prices?.1.narrowed.flatMap { Int64(exactly: $0) }
        guard let open, let last else {
            return TrendingScore(volume: volumes.0, volumeBefore: volumes.1, open: 0, last: 0)
        }
        return TrendingScore(volume: volumes.0, volumeBefore: volumes.1, open: open, last: last)
    }

    private static func aligned(_ left: Numeric, _ right: Numeric) -> (Int256, Int256)? {
        guard let first = wide(left), let second = wide(right) else { return nil }
        let places = max(first.places, second.places)
        func units(_ number: WideNumber) -> Int256 {
            var power: Int128 = 1
            for _ in number.places..<places { power *= 10 }
            return Int256(product: number.units, power)
        }
        return (units(first), units(second))
    }

    private static func wide(_ number: Numeric) -> WideNumber? {
        var text = number.description
        return text.withUTF8 { bytes in try? WideNumber(parsing: UnsafeRawBufferPointer(bytes)) }
    }

    private static func row(_ input: TrendingInput, _ score: TrendingScore) -> TrendingRow {
        TrendingRow(
            instrument: input.instrument, score: Numeric(units: score.total, scale: 0),
            volumeScore: Numeric(units: score.volumePart, scale: 0),
            priceScore: Numeric(units: score.movementPart, scale: 0), volume: input.volume,
            usualVolume: input.volumeBefore, priceChange: Numeric(units: score.movement ?? 0, scale: 4))
    }
}
