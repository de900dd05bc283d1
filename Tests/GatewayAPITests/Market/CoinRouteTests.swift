import Instruments
import JSON
import MarketData
import MarketStore
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

@Suite("Coins", .timeLimit(.minutes(10)))
struct CoinRouteTests {
    private static func row(
        _ code: String, _ name: String, _ id: String, _ rank: Int32, _ figures: (String, String, String)
    ) throws -> AssetRow {
        var row = AssetRow(
            asset: Asset(rawValue: code), name: name, providerID: id,
            categories: rank < 3 ? ["Layer 1 (L1)"] : ["Meme"], rank: rank)
        row.figures.price = try Amount(parsing: figures.0)
        row.figures.priceChange = try Amount(parsing: figures.1)
        row.figures.marketCap = try Amount(parsing: figures.2)
        return row
    }

    /// Three coins, of which a venue trades the first.
    private static func store(in database: Database) async throws {
        let rows = [
            try row("BTC", "Bitcoin", "bitcoin", 1, ("60000.5", "1.5", "1200000")),
            try row("ETH", "Ethereum", "ethereum", 2, ("3000", "-4.25", "400000")),
            try row("PEP", "Pepe", "pepe", 3, ("0.0000123", "12", "100")),
        ]
        try await database.transaction { session in try session.store(rows, at: Timestamp(nanoseconds: 0)) }
    }

    private static func symbols(_ fixture: GatewayFixture, _ query: String) async throws -> [JSONValue] {
        let answer = try await fixture.client.get("/v1/coins\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        let count = try #require(try answer.count())
        return try (0..<count).compactMap { try answer.json("items.\($0).symbol") }
    }

    @Test("lists coins by rank, movement, category and exchange, page by page")
    func lists() async throws {
        try await MarketRouteTests.run { fixture, _, _ async throws in
            try await Self.store(in: fixture.services.database)
            func expect(_ query: String, _ codes: String...) async throws {
                #expect(try await Self.symbols(fixture, query) == codes.map { .string($0) }, "\(query)")
            }
            try await expect("", "BTC", "ETH", "PEP")
            try await expect("?sort=gainers", "PEP", "BTC")
            try await expect("?sort=losers", "ETH")
            try await expect("?category=meme", "PEP")
            try await expect("?exchange=kraken", "BTC")
            try await expect("?q=eth", "ETH")
            try await expect("?limit=1", "BTC")
            let page = try await fixture.client.get("/v1/coins?limit=2")
            guard case .string(let next)? = try page.json("next") else {
                Issue.record("there is no next page")
                return
            }
            try await expect("?limit=2&cursor=\(next)", "PEP")
            let wrong = try await fixture.client.get("/v1/coins?sort=best")
            #expect(wrong.status == 422)
            let categories = try await fixture.client.get("/v1/categories")
            #expect(try categories.json("items.0.name") == .string("Layer 1 (L1)"))
            #expect(try categories.json("items.0.market_cap") == .string("1600000"))
            // (1.5 · 1,200,000 − 4.25 · 400,000) / 1,600,000
            #expect(try categories.json("items.0.change_percent") == .string("0.0625"))
        }
    }

    @Test("coin:ID is its best market wherever a price is asked for; a price that nobody proved says so")
    func resolves() async throws {
        try await MarketRouteTests.run { fixture, _, tape async throws in
            let client = fixture.client
            try await Self.store(in: fixture.services.database)
            let told = try await client.get("/v1/coins/bitcoin")
            #expect(try told.json("price") == .string("60000.5") && told.json("aggregated") == .bool(true))
            #expect(try told.json("market") == .string("kraken:BTC/USD"))
            tape.quote(.live, bid: 61_000, ask: 61_002)
            try await eventually { try await client.get("/v1/tickers/coin:btc").status == 200 }
            let ticker = try await client.get("/v1/tickers/coin:bitcoin")
            #expect(try ticker.json("instrument") == .string("kraken:BTC/USD"))
            let coin = try await client.get("/v1/coins/Bitcoin")
            #expect(try coin.json("price") == .string("61000") && coin.json("aggregated") == nil)
            #expect(try coin.json("markets.0.proven") == .bool(true))
            let instrument = try await client.get("/v1/instruments/coin:bitcoin")
            #expect(try instrument.json("instrument") == .string("kraken:BTC/USD"))
            for path in ["coins/nope", "tickers/coin:nope", "tickers/coin:ethereum"] {
                #expect(try await client.get("/v1/\(path)").status == 404, "\(path)")
            }
        }
    }
}
