import Instruments
import JSON
import Synchronization
import Testing

@testable import GatewayAPI

@Suite("Transactions that are to come", .timeLimit(.minutes(10)))
struct FutureTransactionTests {
    private static let then = "2026-02-01T00:00:00Z"
    private static let rows = [
        #"{"time":"2026-01-01T00:00:00Z","wallet":"Cold","kind":"deposit","asset":"USD","amount":"2000"}"#,
        buy("2026-01-02T00:00:00Z", "0.15", for: "300"), buy(then, "0.5", for: "1000"),
    ]

    private static func buy(_ time: String, _ amount: String, for dollars: String) -> String {
        #"{"time":"\#(time)","wallet":"Cold","kind":"buy","asset":"BTC","amount":"\#(amount)","#
            + #""counter_asset":"USD","counter_amount":"\#(dollars)"}"#
    }

    @Test("are listed as such and count nowhere, until their time comes by itself")
    func time() async throws {
        let now = Mutex(try #require(Timestamp(iso8601: "2026-01-10T00:00:00Z")))
        try await TwoUserFixture.run(clock: { now.withLock { $0 } }) { fixture, ann, _ in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main"}"#)
            let start = "/v1/portfolios/\(id)"
            _ = try await ann.ask("POST", "\(start)/wallets", json: #"{"name":"Cold"}"#)
            for row in Self.rows { _ = try await ann.make("\(start)/transactions", row) }
            let share = try await ann.ask("POST", "\(start)/shares", json: #"{"days":90}"#)
            let link = "/v1/shared/\(try share.text("token") ?? "")"
            let prices = #"{"prices":"time,asset,currency,price\n2026-01-01,BTC,USD,2000\n"}"#
            let list = try await ann.get("\(start)/transactions")
            #expect(try list.text("items.0.waits_until") == Self.then)
            #expect(try list.json("items.1.waits_until") == .null)
            #expect(try await ann.get("\(start)/transactions/3").text("waits_until") == Self.then)
            let file = try await ann.get("\(start)/export?format=csv")
            #expect(file.text.contains(Self.then))
            // 0.15 coins that cost 300, and 1700 dollars.
            #expect(try await ann.get("\(start)/holdings").text("items.0.amount") == "0.15")
            #expect(try await ann.get("\(start)/report").text("totals.cost_of_coins") == "300")
            #expect(try await ann.get("\(start)/valuation").text("known_value") == "1700")
            let sale = Self.rows[1].replacing("buy", with: "sell").replacing("01-02", with: "01-03")
            let whatIf = try await ann.ask(
                "POST", "\(start)/what-if", json: #"{"transactions":[\#(sale)]}"#)
            #expect(try whatIf.count("balances") == 1 && whatIf.text("balances.0.amount") == "2000")
            // Of 2000 dollars 1700 are dollars.
            #expect(try await ann.ask("POST", link, json: prices).text("allocation.0.asset") == "USD")
            now.withLock { $0 = Timestamp(iso8601: Self.then) ?? $0 }
            #expect(try await ann.get("\(start)/transactions").json("items.0.waits_until") == .null)
            #expect(try await ann.get("\(start)/holdings").text("items.0.amount") == "0.65")
            #expect(try await ann.get("\(start)/report").text("totals.cost_of_coins") == "1300")
            #expect(try await ann.get("\(start)/valuation").text("known_value") == "700")
            #expect(try await ann.ask("POST", link, json: prices).text("allocation.0.asset") == "BTC")
            #expect(try await ann.get("\(start)/export?format=csv").text == file.text)
        }
    }
}
