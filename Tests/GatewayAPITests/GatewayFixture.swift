import Bus
import BusBroker
import Credentials
import Hosting
import Instruments
import Logging
import Operations
import ServiceLifecycle
import Store
import Support

@testable import GatewayAPI
@testable import GatewayFrame

/// A gateway on a free port of loopback, with a real database and a real bus.
struct GatewayFixture: Sendable {
    let services: GatewayServices
    let client: TestClient

    /// What the gateway's secrets are sealed by.
    var vault: SecretVault? {
        get throws(SealingFault) {
            try services.configuration.accounts.keyFile.map { path throws(SealingFault) in
                try SecretVault(file: path, isMade: false)
            }
        }
    }

    /// What fails within a request is on the terminal, beside the test that it fails.
    private static let logger: Logger = {
        var logger = Logger(label: "gateway")
        logger.logLevel = .error
        return logger
    }()

    /// A gateway with all its areas that nobody runs: it is asked for its routes alone, and needs neither a
    /// database nor a bus for that.
    static func idle() throws -> Gateway {
        let store = try StoreConfiguration(url: "postgresql://nobody@127.0.0.1/none")
        let frame = ServiceFrame(instance: "test0000", logger: Self.logger)
            .on(try BusContext(), at: .inproc("idle"))
            .with(Database(configuration: store, logger: Self.logger))
        var gateway = Gateway(try GatewayServices(GatewayConfiguration(), in: frame))
        _ = try gateway.addAccounts()
        _ = gateway.addStream(gateway.services.market)
        return gateway
    }

    /// Runs a gateway while `body` runs: with changes to the defaults, to the gateway, such as who asks, to
    /// how the database is asked, once it has its schemas, and with another time of day, which requests are
    /// counted by as well where there is no `monotonic`.
    static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        prepare: (inout Gateway) -> Void = { _ in },
        connect: (inout StoreConfiguration) -> Void = { _ in },
        assemble: (inout Gateway) -> [any Service] = { [$0.services.market] },
        clock: @escaping @Sendable () -> Timestamp = { BusClock.wall() },
        monotonic: (@Sendable () -> Timestamp)? = nil,
        _ body: (GatewayFixture) async throws -> Void
    ) async throws {
        var configuration = GatewayConfiguration()
        configuration.server.address = NetworkAddress(host: "127.0.0.1", port: 0)
        configuration.server.requestsPerMinute = 1_000_000
        configuration.accounts.keyFile = try TestDatabase.temporaryDirectory() + "/key"
        // Those that are about who may sign up say it themselves.
        configuration.accounts.signUp = .open
        configure(&configuration)
        var store = try await TestDatabase.migrated("gateway", by: Gateway.migrate)
        connect(&store)
        let database = Database(configuration: store, logger: Self.logger)
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: .anyLoopbackPort),
            instance: "test", logger: Self.logger)
        try await serving([context, database, broker]) {
            let frame = ServiceFrame(
                instance: "test0000", logger: Self.logger, clock: clock, monotonic: monotonic
            )
            .on(context, at: try await broker.bound()).with(database)
            let services = try GatewayServices(configuration, in: frame)
            var gateway = Gateway(services)
            prepare(&gateway)
            let running = assemble(&gateway)
            let server = try gateway.server(setting: "BITPAL_GATEWAY_ADDRESS")
            try await serving(running + [server]) {
                let client = TestClient(port: try await server.bound().port)
                try await body(GatewayFixture(services: services, client: client))
            }
        }
    }
}
