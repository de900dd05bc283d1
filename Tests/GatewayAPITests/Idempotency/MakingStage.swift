import AccountStore
import Accounts
import Hosting
import Instruments
import MarketStore
import Operations
import PortfolioStore
import ServiceLifecycle
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame
@testable import Store

/// A gateway whose way to PostgreSQL breaks where it is told to, beside one whose way does not.
struct MakingStage: Sendable {
    let fixture: AccountGatewayFixture
    let proxy: DatabaseProxy
    /// The first operator at each of both.
    let boss: TestClient
    let brokenBoss: TestClient
    /// Somebody without a session at the one that breaks.
    let brokenNobody: TestClient

    static func run(_ body: (MakingStage) async throws -> Void) async throws {
        var found: StoreConfiguration?
        try await AccountGatewayFixture.run {
            // Connections that come anew have exchanges of their own, more of them on a busy machine: nobody
            // knows how many are cut, and each makes one thing more.
            ($0.rulesPerUser, $0.channelsPerUser) = (100_000, 100_000)
            $0.demo = SimulatedCandles.demo
            ($0.quotas.portfolio.portfolios, $0.quotas.portfolio.shares) = (100_000, 100_000)
        } connect: { store in
            found = store
        } _: { fixture async throws in
            let store = try #require(found)
            let proxy = try DatabaseProxy(
                to: store.options["host"] ?? "127.0.0.1", port: Int(store.options["port"] ?? "") ?? 5_432)
            defer { proxy.close() }
            let coin = Instrument(
                id: TwoUserFixture.bitcoin, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"),
                kind: .spot, priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil,
                lotSize: nil)
            try await fixture.database.store(
                [coin] + SampleTests.listed.filter { $0.id != coin.id }, at: .zero)
            let boss = try await fixture.operatorClient()
            try await another(beside: fixture, through: try proxied(store, proxy)) { port in
                let (own, nobody) = (boss.headers, fixture.nobody.headers)
                try await body(
                    MakingStage(
                        fixture: fixture, proxy: proxy, boss: boss,
                        brokenBoss: TestClient(port: port, headers: own),
                        brokenNobody: TestClient(port: port, headers: nobody)))
            }
        }
    }

    /// Another gateway on the same database, which runs nothing but its server.
    private static func another(
        beside first: AccountGatewayFixture, through store: StoreConfiguration,
        _ body: (Int) async throws -> Void
    ) async throws {
        let database = Database(configuration: store, logger: TestDatabase.logger)
        var frame = first.fixture.services.frame.with(database)
        (frame.instance, frame.health) = ("test0001", HealthRegistry())
        var gateway = Gateway(try GatewayServices(first.fixture.services.configuration, in: frame))
        var accounts = try AccountService(gateway.services)
        accounts.clock = { [clock = first.clock] in clock.now }
        gateway.useAccounts(accounts)
        let server = try gateway.server(setting: "BITPAL_GATEWAY_ADDRESS")
        try await serving([database, server]) { try await body(try await server.bound().port) }
    }

    /// The same database by the proxy, which is asked again at once.
    private static func proxied(
        _ store: StoreConfiguration, _ proxy: DatabaseProxy
    ) throws -> StoreConfiguration {
        var options = store.options
        (options["host"], options["hostaddr"], options["port"]) = (proxy.folder, nil, "\(proxy.port)")
        let text = options.map { name, value in
            "\(name)='\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        }
        var proxied = try StoreConfiguration(url: text.joined(separator: " "))
        (proxied.acquireTimeout, proxied.lockTimeout) = (store.acquireTimeout, store.lockTimeout)
        proxied.statementTimeout = store.statementTimeout
        proxied.reconnectDelay = .milliseconds(1)...(.milliseconds(1))
        return proxied
    }
}
