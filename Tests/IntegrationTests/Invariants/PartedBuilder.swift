import Bus
import Foundation
import MarketStore
import Store
import Support

/// A book-builder on a machine of its own, and the broker on another one with everybody else of the bus, who
/// are threads of this test there; a cable between them that a test cuts.
///
/// PostgreSQL is reached by both: its socket is a file.
final class PartedBuilder {
    private static let bus = "tcp://\(IsolatedNetwork.address):7411"

    /// Of those who are on the broker's machine.
    let context: BusContext
    let addresses: BusAddresses
    let network: IsolatedNetwork
    let configuration: StoreConfiguration
    private let broker: ChildProcess
    private let builder: ChildProcess

    /// Starts all of them on a network that is prepared.
    init(_ network: IsolatedNetwork) async throws {
        self.network = network
        configuration = try await TestDatabase.market()
        addresses = try BusAddresses(base: Self.bus)
        let folder = try TestDatabase.temporaryDirectory()
        let keys = KeyFolder(folder + "/keys")
        try keys.make()
        try keys.add("test", .unlimited)
        try network.appear()
        broker = try network.far.start(
            "bus-broker",
            environment: ["BITPAL_BUS": Self.bus, "BITPAL_BUS_KEY_FILE": keys.keyFile(of: KeyFolder.broker)],
            folder: folder)
        let file = keys.keyFile(of: "test")
        context = try await network.far.inside {
            let context = try BusContext(keys: BusKeys(file: file))
            // With its first socket a context starts its threads, which make all of its connections.
            _ = try BusSocket(.stateClient, context: context)
            return context
        }
        builder = try network.near.start(
            "book-builder",
            environment: [
                "BITPAL_BUS": Self.bus, "BITPAL_BUS_KEY_FILE": file,
                "BITPAL_DATABASE_URL": configuration.description,
                "BITPAL_BOOK_BUILDER_BACKFILL_ENABLED": "false",
                "BITPAL_BOOK_BUILDER_LEASES_DURATION": "2s",
            ], folder: folder)
    }

    /// How often the builder noticed that the broker is gone.
    var losses: Int { builder.errors.components(separatedBy: "Broker lost").count - 1 }

    /// What is wrong with the processes; `nil` while they run.
    var trouble: String? {
        builder.isRunning && broker.isRunning ? nil : "one has ended by itself: \(logs)"
    }

    var logs: String { "builder …\(builder.errors.suffix(1_500)) broker …\(broker.errors.suffix(500))" }

    /// What a builder without a lease is like; `nil` once it holds one.
    func idleness(in database: Database) async throws -> String? {
        if let trouble { throw PropertyFailure(trouble) }
        let leases = try await database.withSession { try $0.leases(of: "book-builder") }
        return leases.contains { $0.owner != nil } ? nil : "no lease is held; \(logs)"
    }

    /// Stops both; their exit statuses.
    func stop() async -> [Int32] {
        for process in [builder, broker] { process.signal(SIGTERM) }
        return [await builder.exitStatus(), await broker.exitStatus()]
    }
}
