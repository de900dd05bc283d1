import Instruments
import MarketData
import Support
import Testing

@testable import MarketState

@Suite("Index prices")
struct IndexPriceTests {
    private static let pair = AssetPair(base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"))
    private static let now = Timestamp(nanoseconds: 1_000_000_000_000)
    private static let whole = IndexConfiguration(scale: .zero)

    private static func quote(
        _ price: Int64?, _ volume: Int64? = 1, _ state: BookState = .live, age: Int64 = 0
    ) -> IndexQuote {
        IndexQuote(
            price: price.map { DecimalNumber(units: $0, scale: .zero) },
            volume: volume.map { DecimalNumber(units: $0, scale: .zero) }, state: state,
            receivedTime: now.adding(nanoseconds: -age))
    }

    private static func compute(
        _ quotes: [IndexQuote], _ configuration: IndexConfiguration = whole
    ) -> IndexValue {
        let candidates = quotes.enumerated().map {
            IndexPrice.Candidate(market: $0.offset, quote: $0.element)
        }
        return IndexPrice.compute(pair, candidates, at: now, configuration)
    }

    @Test("are the median of a list that has each price as often as its volume")
    func weightedMedian() {
        property { generator in
            let rows = (0..<generator.int(1...9)).map { _ in
                (price: Int64(generator.int(10_000...10_100)), volume: Int64(generator.int(1...12)))
            }
            let list = rows.flatMap { [Int64](repeating: $0.price, count: Int($0.volume)) }.sorted()
            let (low, high) = (list[(list.count - 1) / 2], list[list.count / 2])
            // A half goes to the even side.
            let mean = (low + high) / 2 + ((low + high) % 2 == 1 && (low + high) / 2 % 2 == 1 ? 1 : 0)
            let value = Self.compute(rows.map { Self.quote($0.price, $0.volume) })
            try #require(value.price?.units == mean)
            // The order of the markets says nothing.
            let shuffled = rows.shuffled(using: &generator)
            try #require(Self.compute(shuffled.map { Self.quote($0.price, $0.volume) }).price == value.price)
        }
    }

    @Test("lie between the lowest and the highest price that counts, and no weight moves them beyond")
    func bounded() {
        property { generator in
            let quotes = (0..<generator.int(1...12)).map { _ in
                Self.quote(
                    generator.chance(5) ? nil : Int64(generator.int(9_000...11_000)),
                    generator.chance(5) ? nil : Int64(generator.int(0...1_000_000)),
                    generator.chance(80) ? .live : .stale, age: Int64(generator.int(0...12)) * 1_000_000_000)
            }
            let value = Self.compute(quotes)
            let counted = value.constituents.filter { $0.exclusion == nil }
            try #require((value.price == nil) == (value.unavailable != nil))
            try #require(value.constituents.count == quotes.count)
            if let price = value.price {
                try #require(counted.contains { $0.price.map { $0 <= price } ?? false })
                try #require(counted.contains { $0.price.map { $0 >= price } ?? false })
            }
            for (quote, constituent) in zip(quotes, value.constituents) where constituent.exclusion == nil {
                try #require(quote.state == .live && quote.volume.map { $0.units > 0 } == true)
                try #require(Self.now.nanoseconds(since: quote.receivedTime) <= 10_000_000_000)
            }
        }
    }

    @Test("name why a market is left out")
    func exclusions() {
        let value = Self.compute([
            Self.quote(100), Self.quote(101), Self.quote(nil), Self.quote(0), Self.quote(100, nil),
            Self.quote(100, 0), Self.quote(100, 1, .suspect), Self.quote(100, 1, .live, age: 10_000_000_001),
            Self.quote(105), Self.quote(100, 1, .live, age: 10_000_000_000),
        ])
        #expect(
            value.constituents.map(\.exclusion) == [
                nil, nil, .noPrice, .noPrice, .noVolume, .noVolume, .notLive(.suspect), .stale, .outlier, nil,
            ])
        #expect(value.price?.units == 100)
    }

    @Test("are unavailable rather than guessed")
    func unavailable() {
        let two = IndexConfiguration(scale: .zero, minimumMarkets: 2)
        #expect(Self.compute([]).unavailable == .tooFewMarkets(found: 0, needed: 1))
        #expect(Self.compute([Self.quote(100)], two).unavailable == .tooFewMarkets(found: 1, needed: 2))
        // Two that differ by a fifth: nobody knows which is right.
        #expect(Self.compute([Self.quote(100), Self.quote(120)]).unavailable == .disagreement)
    }

    private static func asset(_ name: String) -> Asset { Asset(rawValue: name) }
    private static func pair(_ base: String, _ quote: String) -> AssetPair {
        AssetPair(base: asset(base), quote: asset(quote))
    }
    private static func definition(_ base: String, _ quote: String, _ markets: [(Int, String)])
        -> IndexDefinition
    {
        IndexDefinition(
            pair: pair(base, quote),
            markets: markets.map { IndexDefinition.Market(number: $0.0, quote: asset($0.1)) })
    }

    @Test("convert what is quoted in a stablecoin by its own index")
    func conversion() throws {
        let definitions = [
            Self.definition("BTC", "USD", [(0, "USD"), (1, "USDT")]),
            Self.definition("USDT", "USD", [(2, "USD")]),
        ]
        var set = try IndexSet(definitions, IndexConfiguration(scale: Scale(2) ?? .zero))
        #expect(set.pairs.map(\.description) == ["USDT-USD", "BTC-USD"])
        set.update(market: 0, Self.quote(60_000, 1))
        set.update(market: 1, Self.quote(60_100, 3))
        let bitcoin = set.evaluate(at: Self.now)[1]
        #expect(bitcoin.price?.description == "60000.00")
        #expect(bitcoin.constituents[1].exclusion == .noConversion(Self.pair("USDT", "USD")))
        let rate = DecimalNumber(units: 999, scale: Scale(3) ?? .zero)
        let usdt = IndexQuote(
            price: rate, volume: rate, state: .live, receivedTime: Self.now)
        set.update(market: 2, usdt)
        set.update(market: 99, usdt)
        let values = set.evaluate(at: Self.now)
        // 60100 × 0.999, rounded to two places, at 1.00 because the rate is 0.999 at two places.
        #expect(values[0].price?.description == "1.00")
        #expect(values[1].price?.description == "60100.00")
        let later = Self.now.adding(nanoseconds: 60_000_000_000)
        #expect(set.evaluate(at: later).allSatisfy { $0.price == nil })
    }

    @Test("cannot be defined in a circle, twice, or without what they need")
    func definitionErrors() {
        let circle = [
            Self.definition("USDT", "USD", [(0, "USDC")]), Self.definition("USDC", "USD", [(1, "USDT")]),
        ]
        let path = [Self.pair("USDC", "USD"), Self.pair("USDT", "USD"), Self.pair("USDC", "USD")]
        #expect(throws: IndexError.cycle(path)) { try IndexSet(circle) }
        #expect(throws: IndexError.cycle([Self.pair("A", "B"), Self.pair("A", "B")])) {
            try IndexSet([Self.definition("A", "B", [(0, "A")])])
        }
        let alone = Self.definition("BTC", "USD", [(0, "EUR")])
        #expect(
            throws: IndexError.missingConversion(of: Self.pair("BTC", "USD"), needs: Self.pair("EUR", "USD"))
        ) {
            try IndexSet([alone])
        }
        let usd = Self.definition("BTC", "USD", [(0, "USD")])
        #expect(throws: IndexError.definedTwice(Self.pair)) { try IndexSet([usd, usd]) }
    }

    @Test("come in an order in which conversions are first, however they are defined")
    func order() {
        property { generator in
            // Every asset may be quoted in those of higher number, so there is no circle.
            let count = generator.int(1...8)
            var definitions = (0..<count).map { number in
                let markets = (0..<generator.int(1...4)).map { _ in
                    (
                        generator.int(0...20),
                        generator.chance(40) ? "USD" : "A\(generator.int(number...count))"
                    )
                }
                return Self.definition(
                    "A\(number)", "USD", markets.map { ($0.0, $0.1 == "A\(number)" ? "USD" : $0.1) })
            }
            definitions.append(Self.definition("A\(count)", "USD", [(3, "USD")]))
            definitions.shuffle(using: &generator)
            let pairs = try IndexSet(definitions).pairs
            try #require(pairs.count == definitions.count)
            for definition in definitions {
                let own = try #require(pairs.firstIndex(of: definition.pair))
                for market in definition.markets where market.quote.rawValue != "USD" {
                    let other = try #require(
                        pairs.firstIndex(of: AssetPair(base: market.quote, quote: Self.asset("USD"))))
                    try #require(other < own)
                }
            }
        }
    }
}
