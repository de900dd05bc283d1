import Alerting
import Instruments
import MarketData
import Support
import Testing

@Suite("Rules entered at once")
struct LoadTests {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    @Test("decide as if they had been entered one after the other")
    func sameFirings() {
        property(cases: 200) { generator in
            var rules: [AlertRule] = []
            for number in 0..<generator.int(1...400) {
                rules.append(RandomRule.make("r\(number)", Self.id, around: 10_000, at: 0, &generator))
            }
            var (single, whole) = (AlertEngine(), AlertEngine())
            for zone in [ZoneOffsets(name: "Test/East", spans: [.init(from: .zero, seconds: 7_200)])] {
                single.resolve(zone)
                whole.resolve(zone)
            }
            var (one, all): ([AlertOutput], [AlertOutput]) = ([], [])
            for rule in rules { try single.add(rule, into: &one) }
            var refused: [AlertRule] = []
            // One of them twice: it is refused, and the others are entered.
            whole.load(rules + rules.prefix(1), into: &all) { rule, _ in refused.append(rule) }
            guard refused == Array(rules.prefix(1)), whole.ruleCount == rules.count,
                whole.levelCount == single.levelCount
            else { throw PropertyFailure("\(refused.count) were refused") }
            for place in 0..<generator.int(1...60) {
                let trade = Trade(
                    id: "\(place)", side: .buy, price: Price(Int64(generator.int(9_500...10_500))),
                    size: Quantity(Int64(generator.int(1...300))), priceScale: Scale(2) ?? .zero,
                    sizeScale: Scale(1) ?? .zero,
                    venueTime: Timestamp(nanoseconds: Int64(place) * 1_000_000_000),
                    receivedTime: .zero)
                if place == 0 {
                    single.prove(.trades, of: single.market(Self.id), at: .zero, into: &one)
                    whole.prove(.trades, of: whole.market(Self.id), at: .zero, into: &all)
                }
                if place % 20 == 19, let rule = rules.popLast() {
                    single.remove(rule.id)
                    whole.remove(rule.id)
                }
                single.trade(trade, of: single.market(Self.id), into: &one)
                whole.trade(trade, of: whole.market(Self.id), into: &all)
            }
            guard one == all else { throw PropertyFailure("\(one) is not \(all)") }
        }
    }

    @Test("is proven by itself, mark price and index price of one instrument")
    func markAndIndex() throws {
        let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")
        var engine = AlertEngine()
        var outputs: [AlertOutput] = []
        for kind in ["mark", "index"] {
            let rule = try AlertRule(
                json: """
                    {"id":"\(kind)","instrument":"\(id)",\
                    "condition":{"price":"\(kind)","crosses":"above","level":"5"}}
                    """)
            try engine.add(rule, into: &outputs)
        }
        let market = engine.market(id)
        engine.prove(.mark, of: market, at: .zero, into: &outputs)
        for (kind, price) in [(PriceKind.mark, 4), (.index, 4), (.mark, 6), (.index, 6)] {
            engine.reference(
                kind, Price(Int64(price)), .zero, at: .zero, received: .zero, of: market, into: &outputs)
        }
        let fired = outputs.compactMap {
            if case .fired(let firing) = $0 { firing.rule.description } else { nil }
        }
        #expect(fired == ["mark"])
    }

    @Test("about an index or a mark price is refused where there is none")
    func impossible() {
        func words(_ instrument: String, _ condition: String) -> String {
            do throws(FieldFault) {
                _ = try AlertRule(
                    json: Array(
                        #"{"id":"r","instrument":"\#(instrument)","condition":\#(condition)}"#.utf8),
                    marking: [Venue(rawValue: "bitmex")])
                return ""
            } catch {
                return error.description
            }
        }
        let last = #"{"price":"last","crosses":"above","level":"5"}"#
        #expect(words("index:BTC-USD", last).contains("field \"instrument\" is \"index:BTC-USD\""))
        let mark = #"{"price":"mark","crosses":"above","level":"5"}"#
        #expect(words("kraken:BTC/USD", mark).contains("field \"condition.price\" is \"mark\""))
        #expect(words("bitmex:XBTUSD", mark).isEmpty)
    }
}
