import Bus
import Hosting
import Instruments
import Store
import Support
import Synchronization
import Testing

@Suite("Database clock", .timeLimit(.minutes(5)))
struct DatabaseClockTests {
    private static let second: Int64 = 1_000_000_000

    /// A machine whose clock can be set.
    private final class Machine: Sendable {
        let skew: Atomic<Int64>
        init(_ seconds: Int64) { skew = Atomic(seconds * second) }
        func now() -> Timestamp { BusClock.wall().adding(nanoseconds: skew.load(ordering: .relaxed)) }
        func set(to seconds: Int64) { skew.store(seconds * second, ordering: .relaxed) }
    }

    /// What a clock is off by; PostgreSQL is on this machine, so its clock is the tests' own.
    private static func error(_ clock: DatabaseClock) -> Int64 {
        let before = BusClock.wall()
        let read = clock.now()
        let after = BusClock.wall()
        if read < before { return before.nanoseconds(since: read) }
        return read > after ? read.nanoseconds(since: after) : 0
    }

    /// What half a trip and what is left alone make at most.
    private static let bound = ClockOffset.tolerance + ClockOffset.longestTrip / 2

    @Test(
        "agrees with PostgreSQL however far the machine's clock is off, and with all other instances",
        arguments: [-3_600, -600, -1, 0, 1, 600, 3_600] as [Int64])
    func skewed(seconds: Int64) async throws {
        let store = try await TestDatabase.empty()
        try await Database.use(store, logger: TestDatabase.logger) { database in
            let machine = Machine(seconds)
            let clock = DatabaseClock(database, logger: TestDatabase.logger, machine: machine.now)
            // A slow machine may answer too late to say anything.
            try await eventually { await clock.look() }
            #expect(Self.error(clock) <= Self.bound)
            // Somebody sets it right, or wrong the other way: it makes no difference, asked or not.
            for changed in [0, -seconds, seconds + 3_600] {
                machine.set(to: changed)
                #expect(Self.error(clock) <= Self.bound)
                try await eventually { await clock.look() }
                #expect(Self.error(clock) <= Self.bound)
            }
        }
    }

    @Test("goes on as it went while PostgreSQL is away")
    func away() async throws {
        let store = try await TestDatabase.empty()
        let machine = Machine(600)
        let clock = try await Database.use(store, logger: TestDatabase.logger) { database in
            let clock = DatabaseClock(database, logger: TestDatabase.logger, machine: machine.now)
            try await eventually { await clock.look() }
            return clock
        }
        // Its database is closed from here on, and somebody steps the machine's clock.
        machine.set(to: 7_200)
        #expect(await clock.look() == false)
        #expect(Self.error(clock) <= Self.bound)
    }

    @Test("gives a frame its time of day, and not what limits are counted by")
    func frame() throws {
        let database = Database(
            configuration: try StoreConfiguration(url: "postgresql://nobody@127.0.0.1:1/none"),
            logger: TestDatabase.logger)
        let machine = Machine(3_600)
        let clock = DatabaseClock(database, logger: TestDatabase.logger, machine: machine.now)
        let frame = ServiceFrame(instance: "test", logger: TestDatabase.logger)
        let timed = frame.timed(by: clock)
        #expect(timed.clock().nanoseconds(since: BusClock.wall()) > 3_000 * Self.second)
        #expect(timed.monotonic().nanoseconds(since: frame.monotonic()) < 60 * Self.second)
    }

    @Test("numbers the lives of a producer, so that one on another machine follows this one")
    func epochs() throws {
        let database = Database(
            configuration: try StoreConfiguration(url: "postgresql://nobody@127.0.0.1:1/none"),
            logger: TestDatabase.logger)
        let machine = Machine(3_600)
        let clock = DatabaseClock(database, logger: TestDatabase.logger, machine: machine.now)
        let frame = ServiceFrame(instance: "test", logger: TestDatabase.logger)
            .on(try BusContext(), at: .inproc("epochs")).timed(by: clock)
        let before = clock.now()
        let first = try frame.publisher("feed")
        let second = try frame.publisher("feed")
        #expect(first.epoch >= UInt64(clamping: before.nanoseconds) && second.epoch >= first.epoch)
        #expect(second.epoch <= UInt64(clamping: clock.now().nanoseconds))
    }
}
