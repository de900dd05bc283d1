import Alerting
import Instruments
import MarketData
import Support
import Testing

/// A rule on one market, told prices as text.
struct OneMarket {
    let id = InstrumentID(venue: .binance, symbol: "BTCUSDT")
    var engine = AlertEngine()
    var outputs: [AlertOutput] = []
    private(set) var market: MarketHandle
    private var seconds: Int64 = 0

    init(_ rules: String...) throws {
        market = engine.market(id)
        engine.prove(.trades, of: market, at: .zero, into: &outputs)
        for text in rules {
            try engine.add(try AlertRule(json: OneMarket.whole(text)), into: &outputs)
        }
    }

    /// The id and the instrument are added where they are missing.
    static func whole(_ text: String) -> String {
        let id = text.contains("\"id\"") ? "" : "\"id\":\"r\","
        return "{\(id)\"instrument\":\"binance:BTCUSDT\",\(text)}"
    }

    /// Trades at these prices, one each second unless a time is given; the places at which something fired.
    mutating func fires(at prices: String, every step: Int64 = 1) throws -> [Int] {
        var places: [Int] = []
        for (place, text) in prices.split(separator: " ").enumerated() {
            let before = outputs.count
            engine.trade(try trade(String(text)), of: market, into: &outputs)
            if outputs.count > before { places.append(place) }
            seconds += step
        }
        return places
    }

    mutating func wait(_ seconds: Int64) { self.seconds += seconds }

    var now: Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }

    func trade(_ price: String, size: String = "1") throws -> Trade {
        let price = try DecimalNumber(parsing: price)
        let size = try DecimalNumber(parsing: size)
        return Trade(
            id: "t\(seconds)", side: .buy, price: Price(price.units), size: Quantity(size.units),
            priceScale: price.scale, sizeScale: size.scale, venueTime: now, receivedTime: now)
    }

    var firings: [Firing] {
        outputs.compactMap { if case .fired(let firing) = $0 { firing } else { nil } }
    }
}

@Suite("Crossing a level")
struct CrossingTests {
    private static let always = "\"repeat\":{\"cooldown\":\"0s\"}"

    @Test(
        "is an edge: previous < level <= current upwards, previous > level >= current downwards",
        arguments: [
            ("above", "99 100 101 100 99 100", [1, 5]),
            ("above", "100 101 99 101", [3]),
            ("above", "101 102", []),
            ("below", "101 100 99 100 101 100", [1, 5]),
            ("below", "100 99 101 99", [3]),
            ("either", "99 100 101 100 99 101 99", [1, 3, 5, 6]),
            ("above", "99 150 50 150", [1, 3]),
        ])
    func edge(direction: String, prices: String, wanted: [Int]) throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"\(direction)\",\"level\":\"100\"},\(Self.always)"
        )
        #expect(try market.fires(at: prices) == wanted)
    }

    @Test(
        "compares levels that are finer than the market's prices exactly",
        arguments: [
            ("above", "100.005", "100.00 100.01 100.00 100.005 100.00", [1, 3]),
            ("below", "100.005", "100.01 100.00 100.005 100.01 100.005", [1, 4]),
            ("above", "0.100000000000000001", "0.1 0.2", [1]),
            ("below", "9.223372036854775807", "10 9", [1]),
        ])
    func finer(direction: String, level: String, prices: String, wanted: [Int]) throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"\(direction)\",\"level\":\"\(level)\"},\(Self.always)"
        )
        #expect(try market.fires(at: prices) == wanted)
    }

    @Test("a rule that fires once is done, and a wick of one trade fires it")
    func once() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"}")
        #expect(try market.fires(at: "99 100 99 100 99 100") == [1])
        let id = try #require(RuleID("r"))
        #expect(market.engine.isArmed(id) == false)
        #expect(market.engine.levelCount == 0)
    }

    @Test("does not fire again at each cooldown while the price stays; exactly at its end it may")
    func cooldown() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"},\"repeat\":{\"cooldown\":\"10s\"}"
        )
        #expect(try market.fires(at: "99 100 101 101 101", every: 60) == [1])
        #expect(try market.fires(at: "99 100") == [1])
        // 9 s after the firing, then 10.
        #expect(try market.fires(at: "99") == [])
        market.wait(6)
        #expect(try market.fires(at: "99 100 99") == [])
        #expect(try market.fires(at: "100") == [0])
    }

    @Test("fires again only after the price moved back by the hysteresis, by exactly that included")
    func hysteresis() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"},"
                + "\"repeat\":{\"cooldown\":\"0s\",\"hysteresis\":\"10\"}")
        #expect(try market.fires(at: "95 100 91 100 90.01 100 90 100 99 101") == [1, 7])
    }

    @Test("of a band needs the price to come from inside, edges included")
    func band() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"leaves\":{\"low\":\"90\",\"high\":\"110\"}},\(Self.always)")
        #expect(try market.fires(at: "100 110 110.1 120 80 90 89.9 115 100 90") == [2, 6])
    }

    @Test("of what is already there fires at the first price when asked to, also for a rule made later")
    func already() throws {
        let rule =
            "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"},\"when_already\":true"
        var market = try OneMarket(rule)
        #expect(try market.fires(at: "100 99 101") == [0])
        #expect(market.firings.first?.cause == .already)
        let later = rule.replacing("\"condition\"", with: "\"id\":\"later\",\"condition\"")
        try market.engine.add(
            try AlertRule(json: OneMarket.whole(later)), at: market.now, into: &market.outputs)
        #expect(market.firings.map(\.rule.description) == ["r", "later"])
    }

    @Test("that must hold fires at the moment at which it has, and not when it ceased before")
    func sustained() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"},\"for\":\"5s\",\(Self.always)"
        )
        #expect(try market.fires(at: "99 100 101 99 100 100") == [])
        market.wait(60)
        #expect(try market.fires(at: "50") == [0])
        let firing = try #require(market.firings.first)
        #expect(firing.venueTime.nanoseconds == 9_000_000_000)
        #expect(firing.heldSince?.nanoseconds == 4_000_000_000)
        #expect(firing.price.map(\.description) == "100")
    }

    @Test("at one tick fires rules in the order of their ids' bytes")
    func order() throws {
        let condition = "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"}"
        var market = try OneMarket(
            "\"id\":\"r9\",\(condition)", "\"id\":\"r10\",\(condition)", "\"id\":\"R\",\(condition)")
        _ = try market.fires(at: "99 101")
        #expect(market.firings.map(\.rule.description) == ["R", "r10", "r9"])
    }

    @Test("is refused for an id that is there")
    func duplicate() throws {
        let rule = "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"}"
        #expect(throws: AlertEngineError.self) { try OneMarket(rule, rule) }
    }

    @Test("remembers where a price came from that had to hold for a time, also over a restart")
    func heldFrom() throws {
        var market = try OneMarket(
            Self.above100 + ",\"for\":\"3s\"", "\"id\":\"q\"," + Self.above100 + ",\"for\":\"60s\"")
        _ = try market.fires(at: "99 101.5 102 102 102")
        let from = DecimalNumber(units: 99, scale: .zero)
        #expect(market.firings.count == 1 && market.firings[0].previous?.isEqual(to: from) == true)
        let state = try EngineState(bytes: market.engine.state().bytes)
        var fresh = try OneMarket(
            Self.above100 + ",\"for\":\"3s\"", "\"id\":\"q\"," + Self.above100 + ",\"for\":\"60s\"")
        fresh.engine.restore(state)
        fresh.wait(100)
        _ = try fresh.fires(at: "103.25")
        #expect(fresh.firings.map(\.rule.description) == ["q"])
        #expect(fresh.firings.first?.previous?.isEqual(to: from) == true)
    }

    private static let above100 = "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"}"
}
