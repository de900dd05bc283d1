import Bus
package import Instruments
package import Logging
import ServiceLifecycle
package import Store
import Synchronization

/// The time of day as PostgreSQL has it: the one clock that all instances of an installation share.
///
/// What one instance writes another one judges: when a session is over, when a delivery is due again, until
/// when a rule holds. By the clocks of two machines that are minutes apart a session would end as it begins,
/// and what is to be tried again in five seconds would be tried at once, or after minutes. So an instance
/// asks PostgreSQL for the time when it starts and every ten seconds, and counts on from there by a clock
/// that nobody sets: whoever steps the machine's time of day changes nothing here, neither now nor while
/// PostgreSQL is away.
///
/// Limits and pauses are none of its business: those are counted by a clock that nobody sets.
package final class DatabaseClock: Service, Sendable {
    private static let pause = Duration.seconds(10)

    private let database: Database
    private let logger: Logger
    private let machine: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> Timestamp
    private let state: Mutex<State>
    /// What readers need of it, without a lock.
    private let nanoseconds: Atomic<Int64>

    private struct State {
        var offset: ClockOffset
        /// By how much the machine's time of day was said to be behind; 0 for not.
        var behind: Int64 = 0
    }

    /// A clock that goes on from the machine's time of now until PostgreSQL was asked.
    ///
    /// - Parameters:
    ///   - database: Whose time counts.
    ///   - logger: Is told when the machine's time of day is another.
    ///   - machine: Its time of day.
    ///   - monotonic: Its clock that nobody sets, which also counts while it sleeps.
    package init(
        _ database: Database, logger: Logger,
        machine: @escaping @Sendable () -> Timestamp = { BusClock.wall() },
        monotonic: @escaping @Sendable () -> Timestamp = { Timestamp(nanoseconds: BusClock.sinceStart()) }
    ) {
        self.database = database
        self.logger = logger
        self.machine = machine
        self.monotonic = monotonic
        let start = machine().nanoseconds(since: monotonic())
        state = Mutex(State(offset: ClockOffset(nanoseconds: start)))
        nanoseconds = Atomic(start)
    }

    /// The time of day.
    package func now() -> Timestamp { monotonic().adding(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

    /// Asks PostgreSQL every ten seconds, until graceful shutdown or cancellation.
    package func run() async {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: Self.pause)
                await self.look()
            }
        }
    }

    /// Asks PostgreSQL for the time once; without an answer, or with a late one, everything stays as it is.
    ///
    /// - Returns: Whether there was an answer that says what time it is.
    @discardableResult
    package func look() async -> Bool {
        guard let sample = try? await measure() else { return false }
        let isTaken = state.withLock { state in
            guard state.offset.take(sample) else { return false }
            nanoseconds.store(state.offset.nanoseconds, ordering: .relaxed)
            return true
        }
        if isTaken { compare() }
        return isTaken
    }

    private func measure() async throws(StoreError) -> ClockOffset.Sample {
        try await database.withSession { [monotonic] session in
            let asked = monotonic()
            let server = try session.timeOfDay()
            return ClockOffset.Sample(asked: asked, server: server, answered: monotonic())
        }
    }

    /// Says it when the machine's time of day is another one than it was said to be.
    private func compare() {
        let difference = now().nanoseconds(since: machine())
        let behind = difference.magnitude <= UInt64(ClockOffset.tolerance) ? 0 : difference
        let isNew = state.withLock { state in
            let (change, isFar) = behind.subtractingReportingOverflow(state.behind)
            guard isFar || change.magnitude > UInt64(ClockOffset.tolerance) else { return false }
            state.behind = behind
            return true
        }
        guard isNew else { return }
        guard behind != 0 else {
            return logger.notice("This machine's clock agrees with PostgreSQL's")
        }
        logger.warning(
            "This machine's clock is wrong, or PostgreSQL's is; PostgreSQL's counts",
            metadata: ["behind.seconds": "\(behind / 1_000_000_000)"])
    }
}
