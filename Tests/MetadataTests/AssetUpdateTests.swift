import Instruments
import MarketStore
import Metadata
import Store
import Support
import Synchronization
import Testing
import Web

@Suite("Metadata of assets", .timeLimit(.minutes(10)))
struct AssetUpdateTests {
    // Source: CoinGecko, "Public API v3, /coins/markets", the example of an answer, shortened.
    private static let page = """
        [{"id":"bitcoin","symbol":"btc","name":"Bitcoin","image":"x","current_price":70187,\
        "market_cap_rank":1,"roi":null},\
        {"id":"ethereum","symbol":"eth","name":"Ethereum","market_cap_rank":2},\
        {"id":"batcat","symbol":"btc","name":"batcat","market_cap_rank":null},\
        {"id":"nameless","symbol":"x","name":"","market_cap_rank":9}]
        """

    private static func row(_ code: String, _ name: String, _ id: String, _ rank: Int32?) -> AssetRow {
        AssetRow(asset: Asset(rawValue: code), name: name, providerID: id, categories: [], rank: rank)
    }

    @Test("a page names coins by code, and of one code the coin with the best rank stays")
    func parse() throws {
        let rows = try MarketsPage.parse(Array(Self.page.utf8))
        let bitcoin = Self.row("BTC", "Bitcoin", "bitcoin", 1)
        let ether = Self.row("ETH", "Ethereum", "ethereum", 2)
        #expect(rows == [bitcoin, ether, Self.row("BTC", "batcat", "batcat", nil)])
        #expect(MarketsPage.merge(rows) == [bitcoin, ether])
        #expect(MarketsPage.merge(rows.reversed()) == [ether, bitcoin])
        #expect(throws: MetadataError.malformed) { try MarketsPage.parse(Array("{}".utf8)) }
        #expect(
            MarketsPage.url(2, root: "http://x")
                == "http://x/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=250&page=2")
    }

    private final class Provider: Sendable {
        let state = Mutex<(now: Int64, urls: [String], waits: [Int64], status: Int)>((0, [], [], 200))
        let isFull: Bool

        init(isFull: Bool = false) { self.isFull = isFull }

        func update(_ database: Database) -> AssetUpdate {
            AssetUpdate(
                database: database, address: "http://x", pages: 3,
                now: { Timestamp(nanoseconds: self.state.withLock { $0.now }) },
                pause: { wait in self.state.withLock { $0.waits.append(wait) } },
                fetch: { url throws(WebError) in
                    let status = self.state.withLock { state in
                        state.urls.append(url)
                        return state.status
                    }
                    return (status, self.isFull ? Self.fullPage : Array(AssetUpdateTests.page.utf8))
                }, logger: TestDatabase.logger)
        }

        private static let fullPage = Array(
            "[\((0..<250).map { #"{"id":"\#($0)","symbol":"c\#($0)","name":"n"}"# }.joined(separator: ","))]"
                .utf8)
    }

    @Test("reads once a day, keeps what it has when the provider refuses, and tries again after an hour")
    func daily() async throws {
        let database = Database(
            configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
        let provider = Provider()
        let update = provider.update(database)
        #expect(await update.turn() == AssetUpdate.maximumAge)
        #expect(provider.state.withLock { $0.urls.count } == 1)
        // A restart in the same day asks nothing.
        provider.state.withLock { $0.now = 3_600_000_000_000 }
        #expect(await update.turn() == AssetUpdate.maximumAge - 3_600_000_000_000)
        #expect(provider.state.withLock { $0.urls.count } == 1)
        provider.state.withLock { ($0.now, $0.status) = (AssetUpdate.maximumAge, 429) }
        #expect(await update.turn() == AssetUpdate.retryAfter)
        #expect(try await database.rows(ListAssets()).map(\.asset.name) == ["Bitcoin", "Ethereum"])
        await database.close()
    }

    @Test("full pages follow one another at ten a minute")
    func pace() async throws {
        let database = Database(
            configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
        let provider = Provider(isFull: true)
        #expect(await provider.update(database).turn() == AssetUpdate.maximumAge)
        #expect(provider.state.withLock { $0.urls.count } == 3)
        #expect(provider.state.withLock { $0.waits } == [6_000_000_000, 6_000_000_000])
        #expect(try await database.rows(ListAssets()).count == 250)
        await database.close()
    }
}
