import Instruments
import MarketStore
import Store
import Support
import Testing

@Suite("Discover from the command line", .timeLimit(.minutes(10)))
struct DiscoverCommandTests {
    private static func coin(
        _ code: String, _ rank: Int32, _ change: String, volume: String
    ) throws -> AssetRow {
        var row = AssetRow(
            asset: Asset(rawValue: code), name: "The \(code)", providerID: code.lowercased(),
            categories: ["Meme"], rank: rank)
        row.figures.price = try Amount(parsing: "2")
        row.figures.priceChange = try Amount(parsing: change)
        row.figures.volume = try Amount(parsing: volume)
        row.figures.marketCap = Amount(units: 1_000_000)
        return row
    }

    /// A gateway that knows two coins, of which kraken trades the first, and the command that asks it.
    private static func serve() async throws -> (CommandServer, BitpalExecutable) {
        let server = try await CommandServer.start()
        let market = Instrument(
            id: InstrumentID(venue: .kraken, symbol: "BTC/USD"), base: Asset(rawValue: "BTC"),
            quote: Asset(rawValue: "USD"), kind: .spot, priceScale: Scale(1) ?? .zero,
            sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
        let coins = [
            try coin("BTC", 1, "1.5", volume: "900000000"), try coin("DUST", 2, "400", volume: "12"),
        ]
        try await Database.use(server.database, logger: TestDatabase.logger) { database in
            _ = try await database.store([market], at: .zero)
            try await database.transaction { session in try session.store(coins, at: .zero) }
        }
        return (server, BitpalExecutable(environment: server.environment))
    }

    @Test("is a table or lines of JSON, each with its list, without what hardly anybody trades")
    func lists() async throws {
        let (server, bitpal) = try await Self.serve()
        let all = try await bitpal.run(["discover"])
        #expect(all.status == 0 && all.lines[0].contains("market cap"), "\(all.errors)")
        let gainers = try await bitpal.run(["discover", "gainers", "--json"])
        #expect(gainers.status == 0 && gainers.lines.count == 1, "\(gainers.output)")
        #expect(gainers.lines[0].hasPrefix(#"{"list":"gainers","id":"btc""#), "\(gainers.output)")
        let more = try await bitpal.run(["discover", "gainers", "--min-volume", "0", "--json"])
        #expect(more.lines.count == 2 && more.lines[0].contains(#""symbol":"DUST""#), "\(more.output)")
        let none = try await bitpal.run(["discover", "losers", "newest"])
        #expect(none.status == 3 && none.hasOneErrorLine, "\(none.errors)")
        let wrong = try await bitpal.run(["discover", "--min-volume", "much"])
        #expect(wrong.status != 0 && wrong.hasOneErrorLine, "\(wrong.errors)")
        #expect(wrong.errors.contains("min_volume"), "\(wrong.errors)")
        #expect(try await bitpal.run(["discover", "best"]).status == 2)
        await server.stop()
    }

    @Test("a watchlist takes a coin by its key or code: its best market")
    func coins() async throws {
        let (server, bitpal) = try await Self.serve()
        #expect(try await bitpal.run(["watchlist", "create", "Coins"]).status == 0)
        let added = try await bitpal.run(["watchlist", "add", "Coins", "BTC", "--json"])
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output.contains(#""instrument":"kraken:BTC/USD""#), "\(added.output)")
        let unknown = try await bitpal.run(["watchlist", "add", "Coins", "nothing"])
        #expect(unknown.status == 3 && unknown.errors.contains("nothing"), "\(unknown.errors)")
        await server.stop()
    }
}
