import AccountStore
import Accounts
import HTTPTypes
import JSON
import LedgerFiles
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Files of portfolios", .timeLimit(.minutes(10)))
struct PortfolioFileTests {
    private static let header = #"time,kind,wallet,asset,amount,external_id,note\n"#

    private static func body(_ text: String, _ more: String = "") -> String {
        #"{"format":"csv","text":"\#(text)"\#(more)}"#
    }

    /// A row of its own, with a note that is as long as notes may be.
    private static func row(_ number: Int) -> String {
        let note = String(repeating: "n", count: 4_000)
        return #"2026-01-03T00:00:00Z,deposit,Cold,USD,1,d\#(number),\#(note)\n"#
    }

    @Test("may be larger from whoever works on the machine, and from nobody else", arguments: [true, false])
    func large(isTerminal: Bool) async throws {
        try await TwoUserFixture.run(prepare: { gateway in
            let known = gateway.identify
            gateway.identify = { request, context in
                var identity = try await known(request, context)
                if isTerminal { identity?.credential = .terminal }
                return identity
            }
        }) { _, ann, _ in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main"}"#)
            let text = Self.header + (0..<300).map(Self.row).joined()
            for (path, status) in [("import/preview", 200), ("import", 201)] {
                let answer = try await ann.ask(
                    "POST", "/v1/portfolios/\(id)/\(path)", json: Self.body(text))
                #expect(answer.status == (isTerminal ? status : 413), "\(answer.text.prefix(300))")
                if isTerminal { #expect(try answer.json("added") == .number("300")) }
            }
            // Nothing but a file is larger for that.
            let name = String(repeating: "n", count: 1_100_000)
            let other = try await ann.ask("POST", "/v1/portfolios", json: #"{"name":"\#(name)"}"#)
            #expect(other.status == 413)
        }
    }

    @Test("say what of a line was not taken, and the column of what the ledger refuses")
    func places() async throws {
        try await TwoUserFixture.run { _, ann, _ in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main","base":"EUR"}"#)
            let path = "/v1/portfolios/\(id)/import"
            let short =
                #"time,kind,wallet,asset,amount\n2026-01-01T00:00:00Z,deposit,A,BTC,5\n"#
                + #"2026-01-02T00:00:00Z,withdrawal,A,BTC,7\n"#
            let refused = try await ann.ask("POST", path, json: Self.body(short))
            #expect(refused.status == 409)
            #expect(try refused.text("detail")?.hasPrefix("line 3, column 5 (amount): wallet ") == true)
            let swap =
                #"Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,"#
                + #"Net Worth Amount,Net Worth Currency,Label,Description,TxHash\n"#
                + #"2023-01-01 10:00 UTC,,,1,ETH,,,,,,,\n2023-02-01 10:00 UTC,1,ETH,0.07,BTC,,,1600,USD,,,\n"#
            let read = try await ann.ask(
                "POST", path + "/preview",
                json: #"{"format":"koinly","text":"\#(swap)","allow_unknown_assets":true}"#)
            #expect(try read.json("added") == .number("2"), "\(read.text)")
            #expect(try read.json("remarks.0.line") == .number("3"))
            #expect(try read.text("remarks.0.reason")?.hasPrefix("the net value of 1 swaps") == true)
        }
    }

    @Test("say which fee is more than what arrived, also where something else is refused")
    func sentFees() async throws {
        try await TwoUserFixture.run { _, ann, _ in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main","base":"EUR"}"#)
            let path = "/v1/portfolios/\(id)/import"
            let taken =
                #"time,kind,wallet,to_wallet,asset,amount,fee_asset,fee_amount\n"#
                + #"2026-01-01T00:00:00Z,deposit,A,,BTC,1,,\n"#
                + #"2026-01-02T00:00:00Z,transfer,A,B,BTC,0.18,BTC,0.82\n"#
            let short = taken + #"2026-01-03T00:00:00Z,withdrawal,B,,BTC,7,,\n"#
            func expectRemark(_ answer: TestAnswer) throws {
                #expect(try answer.json("remarks.0.line") == .number("3"), "\(answer.text)")
                #expect(
                    try answer.text("remarks.0.reason")
                        == "fee_amount is 0.82 BTC, more than the 0.18 that arrived")
                #expect(try answer.json("remarks.1") == nil)
            }
            for more in ["/preview", ""] {
                let refused = try await ann.ask("POST", path + more, json: Self.body(short))
                #expect(refused.status == 409 && refused.problem == "conflict", "\(refused.text)")
                #expect(try refused.text("detail")?.hasPrefix("line 4, column 6 (amount): wallet ") == true)
                try expectRemark(refused)
            }
            for (status, added) in [(201, "2"), (200, "0")] {
                let answer = try await ann.ask("POST", path, json: Self.body(taken))
                #expect(answer.status == status, "\(answer.text)")
                #expect(try answer.json("added") == .number(added))
                try expectRemark(answer)
            }
            // Without anything to say of other lines nothing is said of them.
            let plain =
                #"time,kind,wallet,asset,amount\n2026-01-04T00:00:00Z,withdrawal,A,BTC,9\n"#
            let refused = try await ann.ask("POST", path, json: Self.body(plain))
            #expect(try refused.status == 409 && refused.json("remarks") == nil, "\(refused.text)")
        }
    }

    @Test("are in the portfolio's currency unless their owner says otherwise")
    func base() async throws {
        try await TwoUserFixture.run { _, ann, _ in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main","base":"EUR"}"#)
            let path = "/v1/portfolios/\(id)"
            for (day, more, currency) in [(1, "", "EUR"), (2, #","base":"CHF""#, "CHF")] {
                let text =
                    #"time,kind,wallet,asset,amount,counter_amount\n"#
                    + #"2026-01-0\#(day)T00:00:00Z,opening,A,BTC,1,5\n"#
                let answer = try await ann.ask("POST", "\(path)/import", json: Self.body(text, more))
                #expect(answer.status == 201, "\(answer.text)")
                let rows = try await ann.get("\(path)/transactions")
                #expect(try rows.text("items.0.counter_asset") == currency)
            }
            for other in ["", "BTC"] {
                let answer = try await ann.ask(
                    "POST", "\(path)/import",
                    json: Self.body("time,kind,wallet,asset,amount\\n", #","base":"\#(other)""#))
                #expect(answer.status == 422, "\(answer.text)")
                #expect(try answer.text("field") == "base")
            }
        }
    }

    @Test("whoever works on the machine may ask in a row what weighs too much for others")
    func weight() async throws {
        // Thirty at once, one more each minute.
        try await GatewayFixture.run {
            $0.server.requestsPerMinute = 1
        } prepare: { gateway in
            gateway.identify = { _, _ in
                Identity(
                    user: .localOperator, role: .operator, scopes: Scope.all(of: .operator),
                    credential: .terminal)
            }
        } _: { fixture in
            for number in 0..<8 {
                let answer = try await fixture.client.ask(
                    "POST", "/v1/portfolios", json: #"{"name":"\#(number)","base":"USD"}"#)
                #expect(answer.status == 201, "\(answer.text)")
            }
        }
    }

    @Test("are of formats that a form can list, each with what it asks for")
    func formats() async throws {
        try await TwoUserFixture.run { fixture, ann, _ in
            let answer = try await ann.get("/v1/import-formats")
            guard case .array(let items)? = try answer.json("items") else {
                throw PropertyFailure(answer.text)
            }
            #expect(items.count == LedgerFormat.allCases.count)
            #expect(try answer.json("items.0.format") == .string("csv"))
            #expect(try answer.json("items.2.title") == .string("Coinbase"))
            #expect(try answer.json("items.2.needs_mapping") == .bool(false))
            #expect(try answer.json("items.9.format") == .string("mapped"))
            #expect(try answer.json("items.9.needs_mapping") == .bool(true))
            #expect(try await fixture.client.get("/v1/import-formats").status == 401)
        }
    }
}
