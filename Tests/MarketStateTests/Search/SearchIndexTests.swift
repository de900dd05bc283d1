import Instruments
import Support
import Testing

@testable import MarketState

@Suite("Search")
struct SearchIndexTests {
    private static func entry(
        _ id: String, _ base: String, _ quote: String, _ name: String = "", kind: InstrumentKind = .spot,
        category: String = "", popularity: UInt64 = 0
    ) throws -> SearchEntry {
        SearchEntry(
            id: try #require(InstrumentID(id)), base: Asset(rawValue: base), quote: Asset(rawValue: quote),
            kind: kind, name: name, category: category, popularity: popularity)
    }

    private static func market() throws -> SearchIndex {
        SearchIndex([
            try entry("binance:BTCUSDT", "BTC", "USDT", "Bitcoin", category: "Layer 1", popularity: 900),
            try entry("kraken:BTC/USD", "BTC", "USD", "Bitcoin", category: "Layer 1", popularity: 300),
            try entry("binance-usdm:BTCUSDT", "BTC", "USDT", "Bitcoin", kind: .perpetual, popularity: 1_500),
            try entry("binance:ETHUSDT", "ETH", "USDT", "Ethereum", category: "Layer 1", popularity: 800),
            try entry("kraken:ETH/BTC", "ETH", "BTC", "Ethereum", popularity: 50),
            try entry("binance:DOGEUSDT", "DOGE", "USDT", "Dogecoin", category: "Meme", popularity: 200),
            try entry("binance:SHIBUSDT", "SHIB", "USDT", "Shiba Inu", category: "Meme", popularity: 100),
            try entry("kraken:SOL/USD", "SOL", "USD", "Solana", category: "Layer 1", popularity: 400),
            try entry("bitmex:XBTUSD", "XBT", "USD", "Bitcoin", kind: .perpetual, popularity: 700),
        ])
    }

    private static func names(_ query: String, limit: Int = 3) throws -> [String] {
        let index = try market()
        return index.search(query, limit: limit).map { index.entries[$0.entry].id.description }
    }

    @Test(
        "finds what was meant first",
        arguments: [
            ("btc", "binance-usdm:BTCUSDT"), ("BTCUSDT", "binance-usdm:BTCUSDT"),
            ("btcusd", "kraken:BTC/USD"),
            ("btc/usd", "kraken:BTC/USD"), ("kraken btc", "kraken:BTC/USD"), ("eth btc", "kraken:ETH/BTC"),
            ("bitcoin spot", "binance:BTCUSDT"), ("bitcion", "binance-usdm:BTCUSDT"),
            ("etherium", "binance:ETHUSDT"), ("slona", "kraken:SOL/USD"), ("sol", "kraken:SOL/USD"),
            ("doge coin", "binance:DOGEUSDT"), ("dogcoin", "binance:DOGEUSDT"), ("meme", "binance:DOGEUSDT"),
            ("shib", "binance:SHIBUSDT"), ("shiba ino", "binance:SHIBUSDT"), ("bitmex", "bitmex:XBTUSD"),
            ("perpetual xbt", "bitmex:XBTUSD"), ("e", "binance:ETHUSDT"), ("usdt doge", "binance:DOGEUSDT"),
        ])
    func ranking(query: String, first: String) throws { #expect(try Self.names(query).first == first) }

    @Test("finds nothing for nothing", arguments: ["", " /-", "qqqqqqqq"])
    func nothing(query: String) throws { #expect(try Self.names(query).isEmpty) }

    @Test("says on which exchanges an asset trades, by venue and popularity")
    func listings() throws {
        let index = try Self.market()
        func names(_ quote: String?) -> [String] {
            index.listings(of: Asset(rawValue: "BTC"), quote: quote.map { Asset(rawValue: $0) }).map {
                "\($0.venue) \($0.entries)"
            }
        }
        #expect(names(nil) == ["binance [0]", "binance-usdm [2]", "kraken [1]"])
        #expect(names("USD") == ["kraken [1]"])
        #expect(index.listings(of: Asset(rawValue: "NONE")).isEmpty)
    }

    /// Every term compared with every word, without an index.
    private static func naive(_ entries: [SearchEntry], _ query: String) -> [SearchHit] {
        func similarity(_ word: [UInt8], _ term: [UInt8]) -> Int {
            let (a, b) = (Set(SearchText.trigrams(word)), Set(SearchText.trigrams(term)))
            let common = a.intersection(b).count
            guard common > 0 else { return 0 }
            let prefix = term.starts(with: word) ? (term == word ? 500 : 300) : 0
            let total = 2_000 * common / (a.count + b.count) + prefix
            return total >= SearchIndex.threshold ? total : 0
        }
        var hits: [SearchHit] = []
        for (number, entry) in entries.enumerated() {
            let symbol = SearchText.words(entry.id.symbol)
            let fields = [
                (10, [Array(symbol.joined())] + symbol), (10, SearchText.words(entry.base.rawValue)),
                (8, SearchText.words(entry.name)), (4, SearchText.words(entry.quote.rawValue)),
                (4, SearchText.words(entry.id.venue.rawValue)), (3, SearchText.words(entry.category)),
                (3, SearchText.words(entry.kind.rawValue)),
            ]
            let score = SearchText.words(query).reduce(0) { sum, word in
                sum
                    + (fields.flatMap { weight, words in
                        words.map { similarity(word, $0) }
                            .map { weight <= 4 && $0 < SearchIndex.minorThreshold ? 0 : $0 * weight }
                    }.max() ?? 0)
            }
            if score > 0 { hits.append(SearchHit(entry: number, score: score)) }
        }
        return hits.sorted { left, right in
            let (a, b) = (entries[left.entry], entries[right.entry])
            if left.score != right.score { return left.score > right.score }
            return a.popularity != b.popularity ? a.popularity > b.popularity : a.id < b.id
        }
    }

    @Test("equals a comparison of everything with everything")
    func againstNaive() throws {
        property(cases: 60) { generator in
            func word(_ lengths: ClosedRange<Int>) -> String {
                String(
                    (0..<generator.int(lengths)).map { _ in generator.pick(["a", "B", "c", "d", "1", "é"]) }
                        .joined())
            }
            var ids: Set<InstrumentID> = []
            let entries = (0..<generator.int(0...60)).compactMap { _ -> SearchEntry? in
                let symbol = word(1...6) + generator.pick(["", "/", "-"]) + word(1...4)
                let id = InstrumentID(venue: Venue(rawValue: word(1...3)), symbol: symbol)
                guard ids.insert(id).inserted else { return nil }
                return SearchEntry(
                    id: id, base: Asset(rawValue: word(1...4)), quote: Asset(rawValue: word(1...3)),
                    kind: .spot,
                    name: word(0...6) + " " + word(0...4), category: word(0...3),
                    popularity: UInt64(generator.int(0...3)))
            }
            let query = word(0...6) + " " + word(0...4)
            let limit = generator.int(0...30)
            let found = SearchIndex(entries).search(query, limit: limit)
            try #require(found == Array(Self.naive(entries, query).prefix(limit)))
        }
    }

    @Test(
        "trending shows its parts, each by its formula",
        arguments: [
            // volume, before, open, last: growth, movement, volume part, movement part
            ([200, 100, 100, 100], [1_000, 0, 60, 0]), ([1_100, 100, 100, 150], [10_000, 5_000, 600, 400]),
            ([9_999, 1, 100, 900], [9_998_000, 80_000, 600, 400]),
            ([50, 100, 100, 90], [-500, -1_000, 0, 80]),
            ([0, 100, 3, 2], [-1_000, -3_333, 0, 266]),
        ] as [([Int64], [Int64])])
    func trending(input: [Int64], expected: [Int64]) {
        let score = TrendingScore(
            volume: Int256(input[0]), volumeBefore: Int256(input[1]), open: input[2], last: input[3])
        #expect([score.growth, score.movement, score.volumePart, score.movementPart] == expected)
        #expect(score.total == expected[2] + expected[3])
    }

    @Test("trending guesses nothing, and orders equal scores by number")
    func trendingEdges() {
        let unknown = TrendingScore(volume: Int256(Int128(5)), volumeBefore: .zero, open: 0, last: 5)
        #expect(unknown.growth == nil && unknown.movement == nil && unknown.total == 0)
        let huge = TrendingScore(
            volume: Int256(product: .max, .max), volumeBefore: Int256(Int128(1)), open: 1, last: .max)
        #expect(huge.total == 1_000)
        #expect(TrendingScore.ranked([unknown, huge, unknown, huge], limit: 3) == [1, 3, 0])
    }
}
