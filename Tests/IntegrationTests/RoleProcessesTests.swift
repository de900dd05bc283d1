import Foundation
import InstallationStore
import Instruments
import MarketStore
import Store
import Support
import Testing
import Web

/// All services on one demo market, each a process and each a role of its own in the database.
private final class RolePlatform {
    static let instrument = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    /// Those with a database, in the order of their ports.
    static let services = ServiceRole.allCases

    let database: StoreConfiguration
    let base: UInt16
    private let folder: String
    private var processes: [String: ChildProcess] = [:]

    init() async throws {
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 14)
        database = try await RolesCluster.database { configuration in
            for migrator in InstallationSchemas.migrators {
                try await migrator.migrate(configuration, logger: TestDatabase.logger)
            }
            _ = try await InstallationSchemas.access.run(configuration, passwords: [])
        }
    }

    private var common: [String: String] {
        let simulator = "127.0.0.1:\(base + 3)"
        let scope = "BITPAL_FEED_INGESTOR_KRAKEN_"
        return [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)", "BITPAL_VENUE_SIMULATOR_ADDRESS": simulator,
            "BITPAL_VENUE_SIMULATOR_SPEED": "15", "BITPAL_VENUE_SIMULATOR_VENUES": "kraken",
            "BITPAL_VENUE_SIMULATOR_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 5)",
            "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 6)",
            "BITPAL_BOOK_BUILDER_BACKFILL_REST_URL": "http://\(simulator)",
            "BITPAL_BOOK_BUILDER_METADATA_ADDRESS": "none",
            "BITPAL_PORTFOLIO_SERVICE_RATES_ADDRESS": "none",
            "BITPAL_PORTFOLIO_SERVICE_BACKFILL_REST_URL": "http://\(simulator)",
            "BITPAL_FEED_INGESTOR_VENUES": "kraken", scope + "SYMBOLS": Self.instrument.symbol,
            scope + "WEB_SOCKET_URL": "ws://\(simulator)/kraken",
            scope + "REST_URL": "http://\(simulator)/kraken",
            "BITPAL_GATEWAY_ADDRESS": "127.0.0.1:\(base + 4)",
        ]
    }

    /// Where a service says whether it is ready.
    func operations(of service: ServiceRole) -> String {
        "127.0.0.1:\(base + 7 + UInt16(Self.services.firstIndex(of: service) ?? 0))"
    }

    func start() throws {
        for service in ["bus-broker", "venue-simulator"] {
            processes[service] = try ChildProcess(service, environment: common, folder: folder)
        }
        for service in Self.services { try start(service) }
    }

    /// Starts a service as its own role, or as another's.
    func start(_ service: ServiceRole, as role: ServiceRole? = nil) throws {
        var environment = common
        environment["BITPAL_DATABASE_URL"] = database.user((role ?? service).name).description
        environment[Platform.prefix(service.rawValue) + "OPERATIONS_ADDRESS"] = operations(of: service)
        processes[service.rawValue] = try ChildProcess(
            service.rawValue, environment: environment, folder: folder)
    }

    func process(_ service: ServiceRole) -> ChildProcess? { processes[service.rawValue] }

    /// Who ended by itself, with the end of what it said.
    var ended: String? {
        processes.first { !$0.value.isRunning }.map { "\($0.key): …\($0.value.errors.suffix(2_000))" }
    }

    /// What anybody said of a right that it lacks.
    var refused: [String] {
        processes.flatMap { name, process in
            process.errors.split(separator: "\n").filter { $0.contains("42501") }.map { "\(name): \($0)" }
        }
    }

    func stop() async -> [String: Int32] {
        var statuses: [String: Int32] = [:]
        for (name, process) in processes {
            process.signal(SIGTERM)
            statuses[name] = await process.exitStatus()
        }
        return statuses
    }
}

@Suite("Services with roles of their own", .serialized, .timeLimit(.minutes(10)))
struct RoleProcessesTests {
    @Test("follow a market, store it and say that they are ready, and none is refused anything")
    func work() async throws {
        let platform = try await RolePlatform()
        try platform.start()
        let client = HTTPClient()
        for service in RolePlatform.services {
            try await eventually(every: .milliseconds(100)) {
                if let ended = platform.ended { throw PropertyFailure(ended) }
                let address = "http://\(platform.operations(of: service))/health/ready"
                return (try? await client.get(address))?.status == 200
            }
        }
        let database = Database(configuration: platform.database, logger: TestDatabase.logger)
        for table: Query in [
            "SELECT FROM market.trade", "SELECT FROM market.candle WHERE interval_seconds = 60",
            "SELECT FROM market.subscription", "SELECT FROM market.lease WHERE owner IS NOT NULL",
            "SELECT FROM market.member WHERE service = 'notifier'", "SELECT FROM market.retention",
        ] {
            try await eventually(every: .milliseconds(100)) {
                if let ended = platform.ended { throw PropertyFailure(ended) }
                return try await database.withSession { try $0.exists(table) }
            }
        }
        await database.close()
        #expect(platform.refused == [])
        #expect(await platform.stop().values.allSatisfy { $0 == 0 })
        #expect(platform.refused == [])
    }

    @Test("end with 78 and the right that is missing where they sign in as another")
    func other() async throws {
        let platform = try await RolePlatform()
        try platform.start(.notifier, as: .feedIngestor)
        let process = try #require(platform.process(.notifier))
        #expect(await process.exitStatus() == 78)
        #expect(process.errors.contains("bitpal_feed_ingestor"), "\(process.errors)")
        #expect(process.errors.contains("bitpal migrate --roles"), "\(process.errors)")
    }

    @Test("are made by `bitpal migrate --roles` in an empty database, which shows no password")
    func command() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let secret = "never-to-be-shown"
        for role in ServiceRole.allCases {
            try "postgresql://\(role.name):\(secret)@postgres:5432/bitpal\n".write(
                toFile: "\(folder)/\(role.rawValue).url", atomically: true, encoding: .utf8)
        }
        let arguments = ["migrate", "--roles", "--role-urls", folder, "--data-dir", folder]
        let database = try await RolesCluster.database { configuration in
            let job = try ChildProcess(
                "bitpal", arguments: arguments,
                environment: ["BITPAL_DATABASE_URL": configuration.description], folder: folder)
            guard await job.exitStatus() == 0 else { throw PropertyFailure(job.errors) }
            #expect(job.output.contains("roles: passwords of bitpal_feed_ingestor, "), "\(job.output)")
            #expect(!job.output.contains(secret) && !job.errors.contains(secret))
        }
        #expect(try await InstallationSchemas.access.pending(database) == [])
        let again = try ChildProcess(
            "bitpal", arguments: ["migrate", "--dry-run"],
            environment: ["BITPAL_DATABASE_URL": database.description], folder: folder)
        #expect(await again.exitStatus() == 0, "\(again.output)")
    }
}
