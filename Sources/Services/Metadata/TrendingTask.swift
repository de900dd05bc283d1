import Instruments
import Logging
import MarketStore
import Store

/// Computes what moves most, a few minutes after each hour; before the first whole hour more often.
///
/// One instance at a time does it, by its claim on the task.
struct TrendingTask: Sendable {
    /// The task's name in `market.task`.
    static let task = "trending"
    /// How long a claim holds: longer than the statements take.
    static let claim = Duration.seconds(120)
    /// How often it looks whether there is something to do.
    static let look = Duration.seconds(15)
    /// From an hour's end until its candles are stored for certain.
    ///
    /// Nanoseconds.
    static let lag: Int64 = 120_000_000_000

    let database: Database
    let instance: String
    let now: @Sendable () -> Timestamp
    let figures: MetadataFigures
    let logger: Logger

    /// Does what is due, if nobody else does.
    ///
    /// - Returns: How long until the next look.
    /// - Throws: `CancellationError`.
    func turn() async throws -> Duration {
        do {
            let claim = try await database.takeTask(
                Self.task, as: instance, source: "candles", for: Self.claim)
            if let claim { try await work(claim) }
        } catch {
            try Task.checkCancellation()
            figures.noteTrouble()
            logger.warning("Trending cannot be computed", metadata: ["error": "\(error)"])
        }
        return Self.look
    }

    private func work(_ claim: TaskClaim) async throws(StoreError) {
        let outcome = try await TrendingUpdate(database).update()
        figures.note(trending: outcome.count)
        let span = outcome.isWhole ? "two days of hours" : "the minutes since the start"
        try await database.end(
            claim, dueIn: Self.wait(after: outcome, at: now()), isDone: true,
            "\(outcome.count) scores from \(span)")
    }

    /// Until shortly after the next hour; five minutes before the first whole hour, half a minute before the
    /// first score.
    static func wait(after outcome: TrendingUpdate.Outcome, at now: Timestamp) -> Duration {
        guard outcome.count > 0 else { return .seconds(30) }
        guard outcome.isWhole else { return .seconds(300) }
        let hour: Int64 = 3_600_000_000_000
        return .nanoseconds(hour - now.nanoseconds % hour + lag)
    }
}
