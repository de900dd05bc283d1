import Instruments
import Shapes
import Testing
import Wire

@testable import OperatorCommands

@Suite("Index prices as they are shown")
struct IndexPageTests {
    private static func price(_ pair: String, _ price: String, _ unavailable: String = "")
        -> Bitpal_V1_IndexPrice
    {
        var index = Bitpal_V1_IndexPrice()
        index.pair = pair
        index.price = price
        index.unavailable = unavailable
        index.computedTimeUnixNanos = 1_626_912_000_000_000_000
        for (name, price, weight, exclusion) in [
            ("kraken:\(pair)", "100.5", "3.25", ""), ("binance:\(pair)", "", "", "its book is stale"),
        ] {
            var market = Bitpal_V1_IndexConstituent()
            (market.instrument, market.price) = (name, price)
            (market.weight, market.exclusion) = (weight, exclusion)
            index.constituents.append(market)
        }
        return index
    }

    private static func text(_ page: IndexPage, isJSON: Bool = false) -> [String] {
        var page = page
        if isJSON {
            return page.news().map { String(decoding: $0.json, as: UTF8.self) }
        }
        return page.draw(at: .zero, columns: 200, rows: nil).map(\.text)
    }

    @Test("one is shown with its markets, their weights, and why one does not count")
    func single() {
        var page = IndexPage(isWatching: false, isSingle: true)
        page.take(Self.price("BTC-USD", "100.5"))
        #expect(
            Self.text(page) == [
                "BTC-USD  100.5  2021-07-22T00:00:00.000000000Z", "",
                "market           price  weight  counts",
                "kraken:BTC-USD   100.5    3.25  yes",
                "binance:BTC-USD      -       -  no: its book is stale",
            ])
    }

    @Test("one without a price says why, and all are a table")
    func unavailable() {
        let reason = "0 of at least 1 markets can be believed"
        var page = IndexPage(isWatching: false, isSingle: true)
        page.take(Self.price("ETH-USD", "", reason))
        #expect(Self.text(page)[0].hasPrefix("ETH-USD  unavailable: \(reason)"))
        var all = IndexPage(isWatching: false, isSingle: false)
        all.take(Self.price("ETH-USD", "", reason))
        all.take(Self.price("BTC-USD", "100.5"))
        #expect(
            Self.text(all) == [
                "index    price  markets  ", "BTC-USD  100.5      1/2  ",
                "ETH-USD      -      1/2  unavailable: \(reason)",
            ])
    }

    @Test("JSON has null where there is nothing, and says each change once")
    func json() {
        var page = IndexPage(isWatching: true, isSingle: true)
        page.take(Self.price("BTC-USD", "", "why"))
        let line =
            #"{"pair":"BTC-USD","price":null,"unavailable":"why","time":"2021-07-22T00:00:00.000000000Z","#
        #expect(Self.text(page, isJSON: true).map { $0.hasPrefix(line) } == [true])
        #expect(
            Self.text(page, isJSON: true)[0].contains(#""price":"100.5","weight":"3.25","exclusion":null"#))
        _ = page.news()
        page.take(Self.price("BTC-USD", "", "why"))
        #expect(!page.needsDrawing(at: .zero) && Self.text(page, isJSON: true).isEmpty)
    }

    @Test("a pair is two assets joined by a hyphen or slash", arguments: ["btc-usd", "BTC/USD", "BTC-USD"])
    func pair(_ text: String) {
        #expect(IndexPair(text)?.topic == "index.BTC-USD.")
    }

    @Test("anything else is none", arguments: ["", "BTC", "BTC-", "-USD", "A-B-C", "BT C-USD"])
    func none(_ text: String) {
        #expect(IndexPair(text) == nil)
    }

    @Test("a pair without an index names those that are like it")
    func notFound() throws {
        let pair = try #require(IndexPair("BTC-USDD"))
        let failure = IndexCommand.notFound(pair, ["BTC-USD", "ETH-EUR"])
        #expect(failure.status == .notFound)
        #expect(failure.description.contains("there are BTC-USD"))
    }
}
