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
/// asks PostgreSQL for the time when it starts and every ten seconds, and corrects its machine's by the
/// difference. While PostgreSQL is away the last difference holds.
///
/// Limits and pauses are none of its business: those are counted by a clock that nobody sets.
package final class DatabaseClock: Service, Sendable {
    private static let pause = Duration.seconds(10)

    private let database: Database
    private let logger: Logger
    private let machine: @Sendable () -> Timestamp
    private let offset = Mutex(ClockOffset())
    /// What readers need of it, without a lock.
    private let nanoseconds = Atomic<Int64>(0)

    /// A clock that goes as the machine's until PostgreSQL was asked.
    package init(
        _ database: Database, logger: Logger,
        machine: @escaping @Sendable () -> Timestamp = { BusClock.wall() }
    ) {
        self.database = database
        self.logger = logger
        self.machine = machine
    }

    /// The time of day.
    package func now() -> Timestamp { machine().adding(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

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
        let change: (before: Int64, after: Int64)? = offset.withLock { offset in
            let before = offset.nanoseconds
            guard offset.take(sample) else { return nil }
            nanoseconds.store(offset.nanoseconds, ordering: .relaxed)
            return (before, offset.nanoseconds)
        }
        guard let change else { return false }
        if change.before != change.after { report(change.after) }
        return true
    }

    private func measure() async throws(StoreError) -> ClockOffset.Sample? {
        try await database.withSession { [machine] session in
            let asked = machine()
            let microseconds = try session.first(
                "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
            ) { try $0.int64() }
            let answered = machine()
            return microseconds.map {
                ClockOffset.Sample(
                    asked: asked, server: Timestamp(nanoseconds: $0 &* 1_000), answered: answered)
            }
        }
    }

    private func report(_ nanoseconds: Int64) {
        guard nanoseconds != 0 else {
            return logger.notice("This machine's clock agrees with PostgreSQL's")
        }
        logger.warning(
            "This machine's clock is wrong, or PostgreSQL's is; PostgreSQL's counts",
            metadata: ["behind.seconds": "\(nanoseconds / 1_000_000_000)"])
    }
}
