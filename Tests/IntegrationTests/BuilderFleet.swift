import Bus
import Foundation
import Logging
import MarketStore
import Store
import Support
import Testing

/// A broker and any number of book-builders as processes, for a feed that the test speaks for.
final class BuilderFleet {
    static let places = 4

    let context: BusContext
    let addresses: BusAddresses
    let configuration: StoreConfiguration
    private let folder: String
    private let base: UInt16
    private let leases: String
    private var broker: ChildProcess?
    private var builders: [Int: ChildProcess] = [:]

    /// Starts the broker; `leases` is how long a dead builder's instruments stay its own.
    init(leases: String) async throws {
        self.leases = leases
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 4 + Self.places)
        addresses = try BusAddresses(base: "tcp://127.0.0.1:\(base)")
        configuration = try await TestDatabase.market()
        context = try BusContext()
        try startBroker()
    }

    private func startBroker() throws {
        broker = try ChildProcess(
            "bus-broker", environment: environment("BUS_BROKER", port: base + 3), folder: folder)
    }

    /// Ends the broker as a crash does, with all that it keeps, and starts it again.
    func crashBroker(by signal: Int32 = SIGKILL) async throws {
        await broker?.crash(by: signal)
        try startBroker()
    }

    private func environment(_ service: String, port: UInt16) -> [String: String] {
        let own = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)", "BITPAL_DATABASE_URL": configuration.description,
            "BITPAL_\(service)_OPERATIONS_ADDRESS": "127.0.0.1:\(port)",
        ]
        return own.merging(ChildProcess.withoutBacktrace) { $1 }
    }

    /// Starts the builder of a place, of which the first is 0.
    func start(_ place: Int) throws {
        var environment = environment("BOOK_BUILDER", port: base + 4 + UInt16(place))
        environment["BITPAL_BOOK_BUILDER_LEASES_DURATION"] = leases
        environment["BITPAL_BOOK_BUILDER_BACKFILL_ENABLED"] = "false"
        builders[place] = try ChildProcess("book-builder", environment: environment, folder: folder)
    }

    /// Ends the builder of a place as a crash does.
    func kill(_ place: Int, by signal: Int32 = SIGKILL) async {
        await builders.removeValue(forKey: place)?.crash(by: signal)
    }

    /// What the builder of a place calls itself on the bus and in its leases; `nil` until it says so.
    func instance(_ place: Int) -> String? {
        guard let words = builders[place]?.errors.split(whereSeparator: { " \n".contains($0) }) else {
            return nil
        }
        return words.first { $0.hasPrefix("instance=") }.map { String($0.dropFirst("instance=".count)) }
    }

    /// Whether a builder holds leases.
    func works(_ place: Int, in database: Database) async throws -> Bool {
        guard let name = instance(place) else { return false }
        let leases = try await database.withSession { try $0.leases(of: "book-builder") }
        return leases.contains { $0.owner?.hasPrefix(name) == true }
    }

    /// What a builder without a lease is like, for who waits for it to work; `nil` once it holds one.
    func idleness(_ place: Int, in database: Database) async throws -> String? {
        if try await works(place, in: database) { return nil }
        return "builder \(place) holds no lease; \(presence); …\(builders[place]?.errors.suffix(600) ?? "")"
    }

    /// Stops everything; the exit statuses.
    func stop() async -> [Int32] {
        var statuses: [Int32] = []
        for process in Array(builders.values) + [broker].compactMap({ $0 }) {
            process.signal(SIGTERM)
            statuses.append(await process.exitStatus())
        }
        return statuses
    }

    /// Which of the processes run, for a failure's text.
    var presence: String {
        let places = builders.sorted { $0.key < $1.key }.map { "builder \($0.key) \(Self.word($0.value))" }
        return (["broker \(broker.map(Self.word) ?? "absent")"] + places).joined(separator: ", ")
    }

    private static func word(_ process: ChildProcess) -> String { process.isRunning ? "runs" : "has ended" }

    /// The ends of what the builders logged, for a failure's text.
    var logs: String { builders.values.map { "…\($0.errors.suffix(1_500))" }.joined(separator: "\n") }

    /// A publisher in the place of feed-ingestor.
    func feed() throws -> Publisher {
        try Publisher(
            context: context,
            configuration: PublisherConfiguration(producer: "feed-ingestor", addresses: addresses),
            logger: TestDatabase.logger)
    }
}

/// Writes that were refused because another instance held the lease.
struct EpochViolations: Statement {
    static let sql = "SELECT coalesce(sum(refused), 0)::bigint FROM market.lease"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
