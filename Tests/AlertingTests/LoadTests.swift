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

    @Test("fires on funding in percent and on open interest, while the derivative's state is proven")
    func derivative() throws {
        let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")
        var engine = AlertEngine()
        var outputs: [AlertOutput] = []
        for (name, condition) in [
            ("f", #"{"funding":{"crosses":"below","level":"-0.01"}}"#),
            ("o", #"{"open_interest":{"crosses":"above","level":"100"}}"#),
        ] {
            let rule = try AlertRule(
                json: #"{"id":"\#(name)","instrument":"\#(id)","condition":\#(condition)}"#)
            try engine.add(rule, into: &outputs)
        }
        let market = engine.market(id)
        func say(_ funding: String, _ open: String) throws {
            var ticker = DerivativeTicker(receivedTime: .zero)
            ticker.fundingRate = try DecimalNumber(parsing: funding)
            ticker.openInterest = try DecimalNumber(parsing: open)
            for measure in DerivativeMeasure.allCases {
                let value = try #require(ticker.value(measure))
                engine.derivative(measure, value, (.zero, .zero), of: market, into: &outputs)
            }
        }
        // Nobody vouches for it yet: it does not even arm.
        try say("0.5", "1")
        engine.prove(.derivative, of: market, at: .zero, into: &outputs)
        try say("-0.001", "99.5")
        try say("0.5", "99.5")
        try say("-0.00009", "99")
        #expect(outputs.isEmpty)
        let read = try EngineState(bytes: engine.state().bytes)
        #expect(read == engine.state() && read.series.count == 2)
        try say("-0.000125", "100.5")
        let fired = outputs.compactMap {
            if case .fired(let firing) = $0 { firing.reason } else { nil }
        }
        #expect(
            fired == [
                "funding rate in percent fell to -0.0125 from -0.009, reaching -0.01",
                "open interest rose to 100.5 from 99, reaching 100",
            ])
    }

    @Test("writes a rate of any places in percent")
    func percent() throws {
        for (rate, percent) in [("0.0001", "0.01"), ("0.1", "10"), ("2", "200"), ("-0.05", "-5")] {
            var ticker = DerivativeTicker(receivedTime: .zero)
            ticker.fundingRate = try DecimalNumber(parsing: rate)
            #expect(ticker.value(.funding)?.description == percent && ticker.value(.openInterest) == nil)
        }
    }

    @Test("about an index or a mark price is refused where there is none")
    func impossible() {
        func words(_ instrument: String, _ condition: String) -> String {
            do throws(FieldFault) {
                _ = try AlertRule(
                    json: Array(
                        #"{"id":"r","instrument":"\#(instrument)","condition":\#(condition)}"#.utf8),
                    saying: SaidFigures(
                        markPrices: [Venue(rawValue: "bitmex")], funding: [Venue(rawValue: "bitmex")]))
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
        let funding = #"{"funding":{"crosses":"above","level":"0.05"}}"#
        #expect(words("bitmex:XBTUSD", funding).isEmpty)
        #expect(words("kraken:BTC/USD", funding).contains("one of a venue that says it: bitmex"))
        let open = #"{"open_interest":{"crosses":"above","level":"5"}}"#
        #expect(words("bitmex:XBTUSD", open).contains("field \"instrument\" is one of bitmex"))
    }
}
