import Instruments
import MarketStore
import Providers
import Store
import Support
import Synchronization
import Testing

@testable import Metadata

@Suite("Pricing of coins that no venue trades", .timeLimit(.minutes(10)))
struct PriceTaskTests {
    private static let gecko = Venue(rawValue: "coingecko")
    private static let coin = InstrumentID(venue: gecko, symbol: "PEP-USD")

    /// A database in which a venue trades one of two coins for longer than an hour, and somebody wants the
    /// other.
    private static func database(_ provider: Provider) async throws -> Database {
        let database = Database(configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
        let traded = Instrument(
            id: InstrumentID(venue: .kraken, symbol: "BTC/USD"), base: Asset(rawValue: "BTC"),
            quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero, sizeScale: .zero)
        let now = provider.environment.now()
        try await database.store([traded], at: now.adding(nanoseconds: -3_601_000_000_000))
        var rows = [("BTC", "Bitcoin", "bitcoin"), ("PEP", "Pepe", "pepe")].map { code, name, id in
            AssetRow(asset: Asset(rawValue: code), name: name, providerID: id, categories: [], rank: 1)
        }
        for place in rows.indices { rows[place].figures.price = Amount(units: 5) }
        try await database.transaction { [rows] session in try session.store(rows, at: now) }
        return database
    }

    private static func task(_ provider: Provider, _ database: Database, as name: String) -> PriceTask {
        var use = ProviderUse(CoinGecko.description, key: "k")
        use.address = Provider.root
        return PriceTask(
            [use], database, instance: name,
            outside: .init(environment: provider.environment, publisher: nil, pace: RequestSpacing()),
            figures: provider.figures, logger: TestDatabase.logger)
    }

    @Test("what is left is listed, wanted, asked for with the key, and counted; one instance does it")
    func turn() async throws {
        let provider = Provider()
        let database = try await Self.database(provider)
        let path = try #require(CoinGecko.description.request(.keys(["pepe"]), at: "")?.url)
        provider.answer(path, #"{"pepe":{"usd":0.0000123,"last_updated_at":1795000000}}"#)
        let task = Self.task(provider, database, as: "one")
        _ = try await task.turn()
        #expect(try await database.instruments(on: Self.gecko).map(\.id) == [Self.coin])
        #expect(provider.state.withLock { $0.urls.isEmpty })
        let wish = Subscription(instrument: Self.coin, channels: ["ticker"], wantedBy: "test")
        _ = try await database.execute(.addSubscription(wish, at: provider.environment.now()))
        _ = try await task.turn()
        #expect(provider.state.withLock { $0.urls } == [Provider.root + path])
        #expect(provider.state.withLock { $0.headers } == [["x-cg-demo-api-key": "k"]])
        #expect(provider.figures.values.aggregated == 1)
        // Another instance does nothing while the first lives, and goes on counting when that is gone.
        let other = Self.task(provider, database, as: "two")
        _ = try await other.turn()
        #expect(provider.state.withLock { $0.urls.count } == 1)
        await task.end()
        provider.pass(60_000_000_000)
        _ = try await other.turn()
        #expect(provider.state.withLock { $0.urls.count } == 2)
        let month = provider.environment.now().month
        let asked = try await database.withSession { session in
            try session.countRequests(0, to: Self.gecko, in: month)
        }
        #expect(asked == 2)
        await database.close()
    }

    @Test("nothing is left before a venue's instruments are known for an hour")
    func early() async throws {
        let provider = Provider()
        let database = try await Self.database(provider)
        let early = provider.environment.now().adding(nanoseconds: -60_000_000_000)
        let count = try await database.transaction { session in
            try session.listLeftCoins(of: Self.gecko, at: early)
        }
        #expect(count == 0)
        let late = try await database.transaction { session in
            try session.listLeftCoins(of: Self.gecko, at: provider.environment.now())
        }
        #expect(late == 1)
        await database.close()
    }
}
