import Instruments
import MarketState
import MarketStore
import Store
import Support
import Testing

@testable import OperatorCommands

@Suite("Search and trending", .timeLimit(.minutes(10)))
struct SearchPageTests {
    private static func instrument(
        _ venue: Venue, _ symbol: String, _ base: String, _ quote: String, _ kind: InstrumentKind = .spot
    ) -> Instrument {
        Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: kind, priceScale: .zero, sizeScale: .zero)
    }

    private static let instruments = [
        instrument(.bitmex, "XBTUSD", "XBT", "USD", .perpetual),
        instrument(.kraken, "BTC/USD", "BTC", "USD"), instrument(.kraken, "ETH/USD", "ETH", "USD"),
        instrument(.binance, "BTCUSDT", "BTC", "USDT"),
    ]
    private static let assets = [
        AssetRow(
            asset: Asset(rawValue: "BTC"), name: "Bitcoin", providerID: "bitcoin", categories: ["layer 1"],
            rank: 1),
        AssetRow(
            asset: Asset(rawValue: "ETH"), name: "Ethereum", providerID: "ethereum", categories: [], rank: 2),
    ]

    private static func database() async throws -> (Database, BitpalExecutable) {
        let configuration = try await TestDatabase.market()
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        try await database.store(instruments, at: .zero)
        try await database.transaction { session in try session.store(Self.assets, at: .zero) }
        let row = TrendingRow(
            instrument: instruments[0].id, score: Numeric(units: 155, scale: 0),
            volumeScore: Numeric(units: 75, scale: 0), priceScore: Numeric(units: 80, scale: 0),
            volume: Numeric(units: 45, scale: 1), usualVolume: Numeric(units: 2, scale: 0),
            priceChange: Numeric(units: 1_000, scale: 4))
        try await database.store([row], of: .zero)
        return (
            database, BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        )
    }

    @Test("a name with a mistake finds every venue's symbol, those of another code of the asset too")
    func search() async throws {
        let (database, tool) = try await Self.database()
        let outcome = try await tool.run(["search", "bitcon", "perpetual", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.lines.first?.hasPrefix(
                #"{"venue":"bitmex","symbol":"XBTUSD","base":"XBT","quote":"USD","kind":"perpetual","name":"Bitcoin","#
                    + #""rank":1,"categories":["layer 1"],"exchanges":["binance","bitmex","kraken"],"score":"#
            )
                == true)
        #expect(outcome.lines.count == 3)
        let page = try await tool.run(["search", "ethereum"])
        #expect(page.lines.count == 2 && page.lines[1].hasSuffix("Ethereum  -           kraken"))
        let category = try await tool.run(["search", "layer"])
        #expect(category.lines.count == 4)
        #expect(category.lines.dropFirst().allSatisfy { $0.contains("Bitcoin  layer 1") })
        let none = try await tool.run(["search", "zzzz"])
        #expect(none.status == 3 && none.hasOneErrorLine)
        #expect(try await tool.run(["search"]).status == 2)
        #expect(try await tool.run(["search", "btc", "--limit", "0"]).status == 2)
        await database.close()
    }

    @Test("trending shows the parts of the scores and where the asset trades")
    func trending() async throws {
        let (database, tool) = try await Self.database()
        let outcome = try await tool.run(["trending", "--json"])
        #expect(
            outcome.output
                == #"{"hour":"1970-01-01T00:00:00Z","venue":"bitmex","symbol":"XBTUSD","name":"Bitcoin","score":"155","#
                + #""volume_score":"75","price_score":"80","volume":"4.5","usual_volume":"2","price_change":"0.1000","#
                + #""exchanges":["binance","bitmex","kraken"]}"# + "\n")
        let page = try await tool.run(["trending"])
        #expect(page.lines.last?.contains("10.00  binance, bitmex, kraken") == true)
        await database.close()
    }

    @Test("without scores trending says so")
    func empty() async throws {
        let configuration = try await TestDatabase.market()
        let tool = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let outcome = try await tool.run(["trending"])
        #expect(outcome.status == 0 && outcome.output.hasPrefix("no scores yet"))
        #expect(try await tool.run(["trending", "--json"]).output.isEmpty)
    }
}
