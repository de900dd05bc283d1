import AccountStore
import AlertStore
import Alerting
import Bus
import Instruments
import MarketData
import MarketStore
import PortfolioStore
import Store
import Support
import Testing
import Wire

@testable import AlertEvaluation

@Suite("Rules on what others compute", .timeLimit(.minutes(10)))
struct ReferenceRuleTests {
    private static let again = #","repeat":{"cooldown":"0s"}"#

    private static func index(_ price: String, unavailable: String = "") -> WireEvent {
        var message = Bitpal_V1_IndexPrice()
        (message.pair, message.price, message.unavailable) = ("BTC-USD", price, unavailable)
        message.computedTimeUnixNanos = BusClock.wall().nanoseconds
        return .indexPrice(message)
    }

    private static func above(_ price: String, _ level: String) -> String {
        #"{"price":"\#(price)","crosses":"above","level":"\#(level)"}"#
    }

    @Test("fires on the index price of a pair, for the pair and for an instrument of it, and after a restart")
    func indexPrice() async throws {
        try await EvaluatorFixture.run { fixture in
            let topic = Topic.index(base: "BTC", quote: "USD")
            // The pair's rules and the instrument's are of different shards.
            let subjects = ["index:BTC-USD", "\(EvaluatorFixture.bitcoin)"]
            var (probes, rising, falling): ([StoredRule], [StoredRule], [StoredRule]) = ([], [], [])
            for subject in subjects {
                probes.append(try await fixture.add(Self.above("index", "101"), of: subject))
                rising.append(try await fixture.add(Self.above("index", "105"), Self.again, of: subject))
                let below = #"{"price":"index","crosses":"below","level":"95"}"#
                falling.append(try await fixture.add(below, of: subject))
            }
            try await fixture.evaluating {
                try await eventually {
                    fixture.tape.beat()
                    try fixture.say(Self.index("100"), on: topic)
                    try fixture.say(Self.index("102"), on: topic)
                    return try await fixture.haveFired(probes)
                }
                try fixture.say(Self.index("106.5"), on: topic)
                try await eventually { try await fixture.haveFired(rising) }
                // The last that is said before the stop: both have taken it when both have fired on it.
                try fixture.say(Self.index("90"), on: topic)
                try await eventually { try await fixture.haveFired(falling) }
            }
            for rule in rising {
                let first = try #require(try await fixture.firings(rule).first)
                #expect(first.reason.hasPrefix("index price rose to 106.5 from 10"))
            }
            // Said while nobody listened: the broker keeps it, and it is on the other side.
            try fixture.say(Self.index("120"), on: topic)
            try await fixture.evaluating {
                try await eventually {
                    fixture.tape.beat()
                    let last = [
                        try await fixture.firings(rising[0]).last, try await fixture.firings(rising[1]).last,
                    ]
                    return last.allSatisfy { $0?.price == "120" && $0?.reason.contains("from 90") == true }
                }
            }
        }
    }

    @Test("knows the last index price also for a rule that is made later, though nothing more is said")
    func laterRule() async throws {
        try await EvaluatorFixture.run { fixture in
            let topic = Topic.index(base: "BTC", quote: "USD")
            let subjects = ["index:BTC-USD", "\(EvaluatorFixture.bitcoin)"]
            var (probes, taken): ([StoredRule], [StoredRule]) = ([], [])
            for subject in subjects {
                probes.append(try await fixture.add(Self.above("index", "101"), of: subject))
                taken.append(try await fixture.add(Self.above("index", "110"), of: subject))
            }
            try await fixture.evaluating {
                try await eventually {
                    fixture.tape.beat()
                    try fixture.say(Self.index("100"), on: topic)
                    try fixture.say(Self.index("102"), on: topic)
                    return try await fixture.haveFired(probes)
                }
                // The last that is said: it was taken when these have fired.
                try fixture.say(Self.index("111"), on: topic)
                try await eventually { try await fixture.haveFired(taken) }
                for subject in subjects {
                    let later = try await fixture.add(
                        Self.above("index", "105"), #","when_already":true"#, of: subject)
                    try await fixture.wait(for: 1, of: later)
                    #expect(try await fixture.firings(later)[0].price == "111", "\(subject)")
                }
            }
        }
    }

    @Test("tells that an index price cannot be believed, and fires nothing on it")
    func blindIndex() async throws {
        try await EvaluatorFixture.run { fixture in
            let topic = Topic.index(base: "BTC", quote: "USD")
            let rule = try await fixture.add(Self.above("index", "105"), of: "index:BTC-USD")
            try await fixture.evaluating(blindAfter: .seconds(1)) {
                try await eventually {
                    fixture.tape.beat()
                    try fixture.say(Self.index("", unavailable: "no market of 1 can be believed"), on: topic)
                    return try await fixture.firings(rule).contains { $0.kind == "blind" }
                }
            }
            let told = try await fixture.firings(rule)
            #expect(told.map(\.kind) == ["blind"])
            #expect(told[0].reason.contains("index price of BTC-USD cannot be believed"))
        }
    }

    @Test("fires on the venue's mark price, and not on what was said while the feed was away")
    func markPrice() async throws {
        try await EvaluatorFixture.run(on: InstrumentID(venue: .bitmex, symbol: "XBTUSD")) { fixture in
            let topic = Topic.mark(fixture.tape.id)
            func mark(_ price: Int64) throws {
                let time = BusClock.wall()
                let number = DecimalNumber(units: price * 1_000 + 1, scale: Scale(3) ?? .zero)
                try fixture.say(
                    .mark(fixture.tape.id, MarkPrice(price: number, venueTime: time, receivedTime: time)),
                    on: topic)
            }
            let rule = try await fixture.add(Self.above("mark", "105"), Self.again, of: "bitmex:XBTUSD")
            let wanted = try await fixture.database.subscriptions()
            #expect(wanted.contains { $0.wantedBy == "alert:\(rule.id)" && $0.channels == ["mark"] })
            try await fixture.evaluating {
                try await eventually {
                    fixture.tape.beat()
                    try mark(100)
                    try mark(106)
                    return try await !fixture.firings(rule).isEmpty
                }
                #expect(try await fixture.firings(rule)[0].price == "106.001")
            }
        }
    }

    @Test("fires on the venue's funding rate, and follows the derivative for it")
    func funding() async throws {
        try await EvaluatorFixture.run(on: InstrumentID(venue: .bitmex, symbol: "XBTUSD")) { fixture in
            let id = fixture.tape.id
            func say(_ rate: Int64) throws {
                let time = BusClock.wall()
                var ticker = DerivativeTicker(venueTime: time, receivedTime: time)
                ticker.fundingRate = DecimalNumber(units: rate, scale: Scale(6) ?? .zero)
                try fixture.say(.derivative(id, ticker), on: Topic.derivative(id))
            }
            let condition = #"{"funding":{"crosses":"above","level":"0.05"}}"#
            let rule = try await fixture.add(condition, Self.again, of: "bitmex:XBTUSD")
            let wanted = try await fixture.database.subscriptions()
            #expect(wanted.contains { $0.wantedBy == "alert:\(rule.id)" && $0.channels == ["derivative"] })
            try await fixture.evaluating {
                try await eventually {
                    fixture.tape.beat()
                    try say(100)
                    try say(625)
                    return try await !fixture.firings(rule).isEmpty
                }
                #expect(try await fixture.firings(rule)[0].price == "0.0625")
            }
        }
    }

    @Test("fires on a portfolio's figures for its owner, and for nobody else")
    func portfolio() async throws {
        try await EvaluatorFixture.run { fixture in
            let id = try await Self.makePortfolio(fixture.database)
            func condition(_ metric: String, _ level: String) -> String {
                #"{"portfolio":{"id":"\#(id)","metric":"\#(metric)","crosses":"above","level":"\#(level)"}}"#
            }
            let value = try await fixture.add(condition("value", "1000"), of: nil)
            let profit = try await fixture.add(condition("profit", "-5.5"), of: nil)
            let day = try await fixture.add(condition("day_change", "0"), of: nil)
            let unknown = "worth at midnight UTC is not known"
            let topic = Topic.portfolioValuation(id.description)
            func say(
                _ value: String, _ profit: String, day: String = "", missing: [String] = []
            ) throws {
                var message = Bitpal_V1_PortfolioValuation()
                (message.portfolio, message.value, message.profit) = (id.description, value, profit)
                (message.dayChange, message.missing) = (day, missing)
                message.timeUnixNanos = BusClock.wall().nanoseconds
                try fixture.say(.portfolioValuation(message), on: topic)
            }
            try await fixture.evaluating(blindAfter: .seconds(1)) {
                try await eventually {
                    try say("999.99", "-6", day: "-1")
                    // Not of all that it holds: nothing fires on it.
                    try say("", "", missing: ["ETH"])
                    try say("1000.000000000000000000000000000001", "-5", day: "-1")
                    // Of each it may have been told before that it was blind until the first message came.
                    return try await fixture.haveFired([value, profit])
                }
                // No day's change is said: that is told, not passed over. An outage that was told of before
                // ends with a day's change, for it is told of once.
                var told = 0
                try await eventually {
                    let reasons = try await fixture.firings(day).filter { $0.kind == "blind" }.map(\.reason)
                    if reasons.count > told { try say("1001", "-5", day: "-1") }
                    told = reasons.count
                    try say("1001", "-5")
                    return reasons.contains { $0.contains(unknown) }
                }
            }
            #expect(try await fixture.firings(value).filter { $0.kind == "fired" }.count == 1)
            #expect(try await fixture.firings(profit).contains { $0.price == "-5" })
            #expect(try await fixture.firings(day).allSatisfy { $0.kind != "fired" })
        }
    }

    @Test("commits no firing on a portfolio that is not the owner's any more")
    func ownership() async throws {
        try await EvaluatorFixture.run { fixture in
            let id = try await Self.makePortfolio(fixture.database)
            let condition =
                #"{"portfolio":{"id":"\#(id)","metric":"value","crosses":"above","level":"5"}}"#
            let rule = try await fixture.add(condition, Self.again, of: nil)
            let live = try await fixture.add(Self.above("index", "5"), Self.again, of: "index:BTC-USD")
            try await fixture.database.transaction { session in
                try session.deletePortfolio(id, of: .localOperator, at: BusClock.wall())
            }
            try await fixture.evaluating {
                try await eventually {
                    for value in ["4", "6"] {
                        var message = Bitpal_V1_PortfolioValuation()
                        (message.portfolio, message.value) = (id.description, value)
                        try fixture.say(
                            .portfolioValuation(message), on: Topic.portfolioValuation(id.description))
                        try fixture.say(Self.index(value), on: Topic.index(base: "BTC", quote: "USD"))
                    }
                    return try await fixture.firings(live).count > 2
                }
            }
            #expect(try await fixture.firings(rule).isEmpty)
        }
    }

    private static func makePortfolio(_ database: Database) async throws -> PortfolioID {
        var random = SystemRandomNumberGenerator()
        let now = BusClock.wall()
        let id = PortfolioID(rawValue: UniqueID(version7At: now.nanoseconds, using: &random))
        try await database.transaction { session in
            _ = try session.createPortfolio(
                id, named: "main", base: Asset(rawValue: "USD"), of: .localOperator, at: now)
        }
        return id
    }

    @Test("fires on what a venue lists after the rule was made, also while nobody looked")
    func listing() async throws {
        try await EvaluatorFixture.run { fixture in
            func list(_ symbols: [String]) async throws {
                let new = symbols.map { symbol in
                    Instrument(
                        id: InstrumentID(venue: .kraken, symbol: symbol),
                        base: Asset(rawValue: String(symbol.prefix(3))), quote: Asset(rawValue: "USD"),
                        kind: .spot, priceScale: .zero, sizeScale: .zero, tickSize: nil, lotSize: nil)
                }
                try await fixture.database.store(new, at: BusClock.wall())
            }
            let every = try await fixture.add(#"{"listing":{"venue":"kraken"}}"#, Self.again, of: nil)
            let one = try await fixture.add(
                #"{"listing":{"venue":"kraken","base":"DOG"}}"#, Self.again, of: nil)
            try await list(["ADA/USD"])
            try await fixture.evaluating {
                try await fixture.wait(for: 1, of: every)
                try await list(["DOG/USD", "XRP/USD"])
                try await fixture.wait(for: 3, of: every)
            }
            try await list(["SOL/USD"])
            try await fixture.evaluating { try await fixture.wait(for: 4, of: every) }
            let reasons = try await fixture.firings(every).map(\.reason)
            let names = ["ADA", "DOG", "XRP", "SOL"]
            #expect(reasons == names.map { "kraken:\($0)/USD is listed" })
            #expect(try await fixture.firings(one).map(\.reason) == ["kraken:DOG/USD is listed"])
        }
    }
}
