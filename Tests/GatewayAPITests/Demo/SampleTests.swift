import Instruments
import JSON
import MarketStore
import Portfolio
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("The demo's sample", .timeLimit(.minutes(10)))
struct SampleTests {
    private static let day: Int64 = 86_400_000_000_000
    /// What the demo's feed has stored of what the sample is about.
    static let listed = SampleMarket.watched.map { id in
        Instrument(
            id: id, base: Asset(rawValue: String(id.symbol.prefix(3))), quote: Asset(rawValue: "USD"),
            kind: .spot, priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil,
            lotSize: nil)
    }

    @Test("a ledger of two years, at the price of each day, with never more given than there is")
    func ledger() async throws {
        let now = Timestamp(nanoseconds: 20_785 * Self.day + 5)
        let market = try await SampleMarket(
            at: now, from: "http://simulator", { Array(SimulatedCandles.answer($0).utf8) })
        let rows = SampleLedger(market).rows
        #expect(rows.count > 80)
        let (first, last) = (try #require(rows.first).time, try #require(rows.map(\.time).max()))
        #expect(last.nanoseconds(since: first) > 700 * Self.day && last < now)
        #expect(Set(rows.map(\.externalID)).count == rows.count)
        #expect(Set(rows.map(\.kind)) == [.deposit, .buy, .sell, .staking, .transfer])
        var dollars = Amount.zero
        for row in rows.sorted(by: { $0.time < $1.time }) {
            let price = Amount(units: SimulatedCandles.dollars(at: row.time.nanoseconds / 1_000_000))
            let worth = (row.subject.amount * price).rounded(places: 2)
            switch row.kind {
            case .deposit: dollars += row.subject.amount
            case .buy:
                #expect(row.counter?.amount == worth)
                dollars -= worth
            case .sell:
                #expect(row.counter?.amount == worth)
                dollars += worth
            default: break
            }
            if let fee = row.fee, fee.asset == SampleLedger.dollar { dollars -= fee.amount }
            #expect(!dollars.isNegative, "\(row.time): \(dollars)")
        }
    }

    @Test("one request gives a watchlist, a portfolio and rules, and a second one nothing")
    func route() async throws {
        try await AccountGatewayFixture.run {
            $0.demo = SimulatedCandles.demo
        } _: { fixture async throws in
            let boss = try await fixture.operatorClient()
            #expect(try await fixture.nobody.get("/v1/session").text.contains(#""demo":true"#))
            try await fixture.fixture.services.database.store(Self.listed, at: .zero)
            let made = try await boss.ask("POST", "/v1/demo/sample", json: "{}")
            #expect(made.status == 201, "\(made.text)")
            let portfolio = try #require(made.string("portfolio"))
            let list = try #require(made.string("watchlist"))
            let entries = try await boss.get("/v1/watchlists/\(list)").json("entries")
            guard case .array(let watched)? = entries else { throw PropertyFailure("no entries") }
            #expect(watched.count == SampleMarket.watched.count)
            let rows = try await boss.get("/v1/portfolios/\(portfolio)/transactions?limit=200").json("items")
            guard case .array(let transactions)? = rows else { throw PropertyFailure("no transactions") }
            #expect(transactions.count > 80)
            let rules = try await boss.get("/v1/alerts").json("items")
            guard case .array(let alerts)? = rules else { throw PropertyFailure("no rules") }
            #expect(alerts.count == 4)
            let again = try await boss.ask("POST", "/v1/demo/sample", json: "{}")
            // As of any list whose name is taken; another name makes another sample.
            #expect(again.status == 422 && again.text.contains("Sample"), "\(again.text)")
            guard case .array(let same)? = try await boss.get("/v1/alerts").json("items") else { return }
            #expect(same.count == 4)
        }
    }

    @Test("a real market has no sample, and a demo of recordings says so")
    func refusals() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let answer = try await boss.ask("POST", "/v1/demo/sample", json: "{}")
            #expect(answer.status == 409 && answer.text.contains("--profile demo"), "\(answer.text)")
        }
        try await AccountGatewayFixture.run {
            $0.demo = SimulatedCandles.demo
            $0.demo.get = { _ in Array(#"{"error":"no such venue"}"#.utf8) }
        } _: { fixture async throws in
            let boss = try await fixture.operatorClient()
            let answer = try await boss.ask("POST", "/v1/demo/sample", json: "{}")
            #expect(answer.status == 409 && answer.text.contains("recordings"), "\(answer.text)")
        }
    }
}
