import Bus
import Hosting
import Instruments
import Notifying
import Operations
import Store
import Support
import Testing

@Suite("A notifier whose machine's clock is wrong", .timeLimit(.minutes(10)))
struct NotifierClockTests {
    /// A delivery that has failed and waits.
    private struct Waiting: Statement {
        static let sql = """
            SELECT failures, (extract(epoch FROM next_attempt - created_at) * 1000)::bigint,
                (extract(epoch FROM next_attempt - clock_timestamp()) * 1000)::bigint
            FROM alerts.outbox WHERE state = 'waiting' AND failures > 0 AND claimed_by IS NULL
            """
        static func decode(_ row: inout RowReader) throws(StoreError) -> Wait {
            Wait(failures: Int(try row.int32()), sinceMade: try row.int64(), fromNow: try row.int64())
        }
    }

    /// By PostgreSQL's clock, in milliseconds.
    private struct Wait: Sendable {
        var failures: Int
        var sinceMade: Int64
        var fromNow: Int64
    }

    /// What the clocks may differ by, in milliseconds.
    private static let error: Int64 = 1_000
    /// The first two waits and the jitter on top of them, in milliseconds.
    private static let longest: [Int64] = [10_000, 600_000]

    @Test(
        "tries again when it is time, neither at once nor ten minutes late",
        arguments: [-3_600, -600, 600] as [Int64])
    func retries(seconds: Int64) async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/status/500"))
        try await outbox.fire(1...1)
        let clock = DatabaseClock(outbox.database, logger: TestDatabase.logger) {
            BusClock.wall().adding(nanoseconds: seconds * 1_000_000_000)
        }
        try await eventually { await clock.look() }
        let settings = try Settings.load(
            service: "notifier", keys: NotifierConfiguration.keys,
            overrides: ["addresses.allowPrivate": "true"])
        let frame = ServiceFrame(instance: "test", logger: TestDatabase.logger)
            .timed(by: clock).with(outbox.database)
        let notifier = try Notifier.services(try NotifierConfiguration(settings: settings), in: frame)
        var found: Wait?
        try await serving(notifier) {
            try await eventually {
                found = try await outbox.database.first(Waiting())
                return found != nil
            }
        }
        let wait = try #require(found)
        try #require(wait.failures <= Self.longest.count, "tried \(wait.failures) times at once")
        // It was made before it failed, and is due five seconds after that at the soonest.
        #expect(wait.sinceMade >= 5_000 - Self.error)
        #expect(wait.fromNow <= Self.longest[wait.failures - 1] + Self.error)
        receiver.close()
        await outbox.database.close()
    }
}
