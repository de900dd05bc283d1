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

@Suite("Discover", .timeLimit(.minutes(10)))
struct DiscoverRouteTests {
    private static func row(
        _ code: String, _ rank: Int32, change: String, volume: String?, cap: String?, _ categories: String...
    ) throws -> AssetRow {
        var row = AssetRow(
            asset: Asset(rawValue: code), name: "The \(code)", providerID: "the-\(code.lowercased())",
            categories: categories, rank: rank)
        row.figures.price = try Amount(parsing: "2")
        row.figures.priceChange = try Amount(parsing: change)
        row.figures.volume = try volume.map { try Amount(parsing: $0) }
        row.figures.marketCap = try cap.map { try Amount(parsing: $0) }
        return row
    }

    /// Five coins: one that a venue trades, one that fell, one that hardly anybody trades, one that stands
    /// still, and one that is new.
    private static func store(in database: Database) async throws {
        let known = [
            try row("BTC", 1, change: "1.5", volume: "900000000", cap: "1200000", "Layer 1 (L1)"),
            try row("ETH", 2, change: "-4.25", volume: "400000000", cap: "1300000", "Layer 1 (L1)"),
            try row("PEP", 3, change: "600", volume: "120", cap: "50", "Meme"),
            try row("USD", 4, change: "0", volume: "5000000", cap: "900", "Stable"),
        ]
        let new = try row("NEW", 5, change: "0.75", volume: nil, cap: nil, "Meme")
        try await database.transaction { session in try session.store(known, at: .zero) }
        try await database.transaction { session in
            try session.store([new], at: Timestamp(nanoseconds: 1_000_000_000))
        }
    }

    private static func symbols(_ answer: TestAnswer, _ list: String) throws -> [String] {
        guard case .array(let items)? = try answer.json(list) else { return ["no \(list)"] }
        return items.compactMap { $0["symbol"]?.text ?? $0["name"]?.text }
    }

    @Test("tells gainers, losers, what trends, what is new, categories and a map in one answer")
    func first() async throws {
        try await MarketRouteTests.run { fixture, _, _ async throws in
            try await Self.store(in: fixture.services.database)
            let answer = try await fixture.client.get("/v1/discover")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.header("cache-control") == "private, max-age=5")
            // What hardly anybody trades leads nothing, though it rose most.
            #expect(try Self.symbols(answer, "gainers") == ["BTC"])
            #expect(try Self.symbols(answer, "losers") == ["ETH"])
            // 400 · 425 / 5,000 and 400 · 150 / 5,000.
            #expect(try Self.symbols(answer, "trending") == ["ETH", "BTC"])
            #expect(try answer.json("trending.0.score") == .number("34"))
            #expect(try answer.json("trending.1.score") == .number("12"))
            #expect(try answer.json("trending.0.scored") == .bool(false))
            #expect(try answer.json("hour") == nil)
            #expect(try Self.symbols(answer, "newest") == ["NEW"])
            #expect(try Self.symbols(answer, "heat_map") == ["ETH", "BTC", "USD", "PEP"])
            #expect(try answer.json("heat_map.0.change_percent") == .string("-4.25"))
            #expect(try Self.symbols(answer, "categories") == ["Layer 1 (L1)", "Stable", "Meme"])
            #expect(try answer.json("coins") == .number("5"))
            #expect(try answer.json("exchanges") == .array([.string("kraken")]))
            #expect(try answer.json("gainers.0.icon") == .string("/v1/icons/BTC"))
            #expect(try answer.json("gainers.0.origin") == .string("aggregated"))
            #expect(try answer.json("gainers.0.market") == .string("kraken:BTC/USD"))
        }
    }

    @Test("is of one category, of what one exchange trades, and of what is traded for so much")
    func filters() async throws {
        try await MarketRouteTests.run { fixture, _, _ async throws in
            try await Self.store(in: fixture.services.database)
            func expect(_ query: String, _ list: String, _ codes: [String]) async throws {
                let answer = try await fixture.client.get("/v1/discover?\(query)")
                #expect(try Self.symbols(answer, list) == codes, "\(query): \(answer.text.prefix(400))")
            }
            try await expect("min_volume=120", "gainers", ["PEP", "BTC"])
            try await expect("min_volume=121", "gainers", ["BTC"])
            // Of what nobody says how much is traded.
            try await expect("min_volume=0", "gainers", ["PEP", "BTC", "NEW"])
            try await expect("min_volume=0", "trending", ["PEP", "ETH", "BTC", "NEW"])
            try await expect("category=meme&min_volume=0", "gainers", ["PEP", "NEW"])
            try await expect("category=meme", "heat_map", ["PEP"])
            // What can be chosen does not go with what is chosen.
            try await expect("category=meme", "categories", ["Layer 1 (L1)", "Stable", "Meme"])
            try await expect("exchange=kraken", "heat_map", ["BTC"])
            try await expect("exchange=kraken", "categories", ["Layer 1 (L1)"])
            try await expect("exchange=nowhere", "gainers", [])
            try await expect("min_volume=0&limit=1", "gainers", ["PEP"])
            try await expect("cells=1", "heat_map", ["ETH"])
            let longer = try await fixture.client.get("/v1/coins?sort=gainers&min_volume=121")
            #expect(try Self.symbols(longer, "items") == ["BTC"])
            for (query, field) in [
                ("min_volume=-1", "min_volume"), ("min_volume=much", "min_volume"), ("limit=51", "limit"),
                ("cells=251", "cells"), ("q=b", "q"),
            ] {
                let refused = try await fixture.client.get("/v1/discover?\(query)")
                #expect(refused.status == 422, "\(query)")
                #expect(try refused.json("field") == .string(field), "\(query)")
            }
        }
    }

    @Test("takes the scores of the newest hour for what is followed, and says of which hour they are")
    func scores() async throws {
        try await MarketRouteTests.run { fixture, _, _ async throws in
            let database = fixture.services.database
            try await Self.store(in: database)
            let row = TrendingRow(
                instrument: MarketRouteTests.bitcoin, score: Numeric(units: 312, scale: 0),
                volumeScore: Numeric(units: 300, scale: 0), priceScore: Numeric(units: 12, scale: 0),
                volume: Numeric(units: 6, scale: 0), usualVolume: Numeric(units: 1, scale: 0),
                priceChange: Numeric(units: 150, scale: 4))
            try await database.store([row], of: Timestamp(nanoseconds: 1_767_225_600_000_000_000))
            let answer = try await fixture.client.get("/v1/discover")
            #expect(try Self.symbols(answer, "trending") == ["BTC", "ETH"])
            #expect(try answer.json("trending.0.score") == .number("312"))
            #expect(try answer.json("trending.0.volume_score") == .number("300"))
            #expect(try answer.json("trending.0.scored") == .bool(true))
            #expect(try answer.json("hour") == .string("2026-01-01T00:00:00Z"))
        }
    }

    @Test("shows prices of now, counts what venues say they trade, and says what stands behind a price")
    func live() async throws {
        try await MarketRouteTests.run { fixture, _, tape async throws in
            try await Self.store(in: fixture.services.database)
            tape.quote(.live, bid: 61_000, ask: 61_002)
            try await eventually {
                let answer = try await fixture.client.get("/v1/discover?limit=3")
                return try answer.json("gainers.0.price") == .string("61000")
                    && answer.json("gainers.0.origin") == .string("proven")
                    && answer.json("gainers.0.aggregated") == nil
            }
        }
    }

    @Test("is empty, and no error, while nothing is known of coins")
    func early() async throws {
        try await MarketRouteTests.run { fixture, _, _ async throws in
            let answer = try await fixture.client.get("/v1/discover")
            #expect(answer.status == 200)
            for list in ["gainers", "losers", "trending", "newest", "heat_map", "categories", "exchanges"] {
                #expect(try answer.json(list) == .array([]), "\(list)")
            }
            #expect(try answer.json("told") == nil)
        }
    }
}
