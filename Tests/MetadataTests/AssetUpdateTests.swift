import Instruments
import MarketStore
import Store
import Support
import Synchronization
import Testing

@testable import Metadata

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
    // Source: CoinGecko API documentation, "Coins Categories List", the example's shape.
    private static let list = """
        [{"category_id":"layer-1","name":"Layer 1 (L1)"},{"category_id":"meme","name":"Meme"}]
        """
    private static let ether = #"[{"id":"ethereum","symbol":"eth","name":"Ethereum"}]"#

    private static func row(_ code: String, _ name: String, _ id: String, _ rank: Int32?) -> AssetRow {
        AssetRow(asset: Asset(rawValue: code), name: name, providerID: id, categories: [], rank: rank)
    }

    private static func provider() -> Provider {
        let provider = Provider()
        provider.answer(coins: page)
        provider.answer("/api/v3/coins/categories/list", list)
        provider.answer(coins: page, category: "layer-1")
        provider.answer(coins: "[]", category: "meme")
        return provider
    }

    private static func database() async throws -> Database {
        Database(configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
    }

    @Test("a page names coins by code, and of one code the coin with the best rank stays")
    func parse() throws {
        let rows = try MarketsPage.parse(Array(Self.page.utf8))
        var bitcoin = Self.row("BTC", "Bitcoin", "bitcoin", 1)
        bitcoin.figures.price = Amount(units: 70_187)
        let ether = Self.row("ETH", "Ethereum", "ethereum", 2)
        #expect(rows == [bitcoin, ether, Self.row("BTC", "batcat", "batcat", nil)])
        #expect(MarketsPage.merge(rows) == [bitcoin, ether])
        #expect(MarketsPage.merge(rows.reversed()) == [ether, bitcoin])
        #expect(throws: MetadataError.malformed) { try MarketsPage.parse(Array("{}".utf8)) }
        #expect(
            MarketsPage.url(2, root: "http://x")
                == "http://x/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=250&page=2")
    }

    @Test("categories have plain keys, and each key and name once")
    func parseCategories() throws {
        let text = """
            [{"category_id":"a-1","name":"A","x":1},{"category_id":"a-1","name":"B"},\
            {"category_id":"b","name":"A"},{"category_id":"a b","name":"C"},{"category_id":"c","name":""}]
            """
        #expect(try CategoryPages.parse(Array(text.utf8)) == [CategoryRow(id: "a-1", name: "A")])
        for body in ["{}", "<html>", #"[{"name":"A"}]"#, "[]]"] {
            #expect(throws: MetadataError.malformed) { try CategoryPages.parse(Array(body.utf8)) }
        }
    }

    @Test("reads coins and categories once a day, at most ten requests a minute")
    func daily() async throws {
        let database = try await Self.database()
        let provider = Self.provider()
        let update = provider.update(database)
        #expect(try await update.turn() == AssetUpdate.look)
        let coins = "markets?vs_currency=usd&order=market_cap_desc&per_page=250&page=1"
        #expect(provider.urls.map { $0.replacing("&category=layer-1", with: "L") }.count == 4)
        #expect(provider.urls[0] == coins && provider.urls[1] == "categories/list")
        #expect(provider.state.withLock { $0.waits } == [6_000_000_000, 6_000_000_000, 6_000_000_000])
        #expect(try await database.categories() == ["BTC": ["Layer 1 (L1)"], "ETH": ["Layer 1 (L1)"]])
        let task = try #require(try await database.task("assets"))
        #expect(task.owner == nil && task.failures == 0 && task.done != nil)
        // Looked at again in the same day, also by another instance after a restart: nothing is asked.
        provider.forget()
        try await database.hurry()
        _ = try await provider.update(database, as: "two").turn()
        #expect(provider.urls.isEmpty)
        // A day later everything is, and what changed is taken over.
        provider.pass(MetadataStep.day)
        provider.answer(coins: Self.ether, category: "meme")
        provider.answer(coins: "[]", category: "layer-1")
        try await database.hurry()
        _ = try await update.turn()
        #expect(provider.urls.count == 4)
        #expect(try await database.categories() == ["BTC": [], "ETH": ["Meme"]])
        await database.close()
    }

    @Test("full pages follow one another")
    func pages() async throws {
        let database = try await Self.database()
        let provider = Self.provider()
        let coin = { (number: Int) in #"{"id":"\#(number)","symbol":"c\#(number)","name":"n"}"# }
        for page in 1...3 {
            let coins = (0..<250).map { coin(page * 1_000 + $0) }.joined(separator: ",")
            provider.answer(coins: "[\(coins)]", page: page)
        }
        _ = try await provider.update(database).turn()
        #expect(provider.urls.prefix(4).map { $0.hasPrefix("markets") } == [true, true, true, false])
        #expect(try await database.assets().count == 750)
        #expect(provider.figures.values.assets == 750 && provider.figures.values.categoriesKnown == 2)
        await database.close()
    }

    @Test("what fails leaves what is stored and is tried again later and later", arguments: 0..<4)
    func failures(_ kind: Int) async throws {
        let database = try await Self.database()
        let provider = Self.provider()
        let update = provider.update(database)
        _ = try await update.turn()
        let before = try await database.assets().map(\.asset)
        provider.pass(MetadataStep.day)
        switch kind {
        case 0: provider.state.withLock { $0.isAway = true }
        case 1: provider.answer(coins: "<html>busy</html>")
        case 2: provider.answer(coins: "", status: 500)
        default:
            provider.answer(MarketsPage.url(1, root: ""), "", status: 429, retryAfter: .seconds(7_200))
        }
        for failure in 1...3 {
            try await database.hurry()
            provider.forget()
            _ = try await update.turn()
            #expect(provider.urls.count == 1)
            let task = try #require(try await database.task("assets"))
            #expect(task.failures == failure && task.owner == nil)
            let seconds = kind == 3 ? 7_200 : 60 << (failure - 1)
            #expect(task.detail.hasSuffix("again in \(seconds) s"), "\(task.detail)")
        }
        #expect(try await database.assets().map(\.asset) == before)
        let values = provider.figures.values
        #expect(values.unanswered == (kind == 0 ? 3 : 0) && values.malformed == (kind == 1 ? 3 : 0))
        #expect(values.refused == (kind > 1 ? 3 : 0))
        await database.close()
    }

    @Test("a category that is not there is passed over, and an interrupted run goes on where it ended")
    func resuming() async throws {
        let database = try await Self.database()
        let provider = Self.provider()
        provider.answer(coins: "", category: "layer-1", status: 404)
        provider.answer(coins: "", category: "meme", status: 503)
        _ = try await provider.update(database).turn()
        #expect(provider.urls.count == 4)
        #expect(try await database.task("assets")?.failures == 1)
        provider.forget()
        provider.answer(coins: Self.ether, category: "meme")
        try await database.hurry()
        _ = try await provider.update(database, as: "two").turn()
        #expect(provider.urls.count == 1 && provider.urls[0].contains("category=meme"))
        #expect(try await database.categories() == ["BTC": [], "ETH": ["Meme"]])
        await database.close()
    }

    @Test("nobody asks while another instance does, and who lost its claim writes nothing")
    func oneAtATime() async throws {
        let database = try await Self.database()
        let provider = Self.provider()
        let other = try #require(
            try await database.takeTask("assets", as: "other", source: Provider.root, for: .seconds(3_600)))
        _ = try await provider.update(database).turn()
        #expect(provider.urls.isEmpty)
        try await database.end(other, dueIn: .zero, isDone: true, "")
        _ = try #require(
            try await database.takeTask("assets", as: "third", source: Provider.root, for: .seconds(3_600)))
        let error = await #expect(throws: StoreError.self) {
            try await database.write(under: other, for: .seconds(1)) { session in
                try session.store([Self.row("X", "x", "x", 1)], at: Timestamp(nanoseconds: 0))
            }
        }
        #expect(error?.bodyError as? MarketStoreError == .taskLost("assets"))
        #expect(try await database.assets().isEmpty)
        await database.close()
    }

    @Test("another provider is asked at once, and the old one's categories go")
    func otherProvider() async throws {
        let database = try await Self.database()
        let provider = Self.provider()
        _ = try await provider.update(database).turn()
        let second = Provider()
        let asked = second.update(database, root: "http://y")
        _ = try await asked.turn()
        #expect(second.state.withLock { $0.urls.count } == 1)
        #expect(try await database.metadataAges()?.next == nil)
        await database.close()
    }
}
