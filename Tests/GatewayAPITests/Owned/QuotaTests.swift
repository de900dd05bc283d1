import AccountStore
import Bus
import Instruments
import PortfolioStore
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// One more than there may be, as whoever asked is told.
struct QuotaRefusal: Equatable, Sendable {
    var field: String?
    var count: String?
    var accepted: String?

    init(_ answer: TestAnswer) throws {
        #expect(answer.status == 409 && answer.problem == "conflict", "\(answer.text)")
        (field, count) = (try answer.text("field"), try answer.text("value"))
        accepted = try answer.text("accepted")
    }

    init(_ fault: QuotaFault) { (field, count, accepted) = (fault.field, "\(fault.count)", fault.accepted) }
}

/// What is counted, and how one more of it is asked for.
struct QuotaKind: Sendable, CustomTestStringConvertible {
    /// Asks for one more; the number tells it from the others.
    typealias Attempt = @Sendable (Int) async throws -> QuotaRefusal?

    /// Asks a portfolio at a path for one more.
    typealias Ask = @Sendable (TestClient, String, Int) async throws -> TestAnswer

    var field: String
    /// How many there may be.
    var limit: Int
    /// How many there are once everything is ready.
    var present = 0
    /// Makes ready what it takes.
    var prepare: @Sendable (GatewayFixture, TestClient) async throws -> Attempt

    var testDescription: String { field }

    /// Such as are made by one request.
    static func posted(
        _ field: String, _ path: String, _ body: @escaping @Sendable (Int) -> String
    ) -> QuotaKind {
        QuotaKind(field: field, limit: 3) { _, ann in
            { number in
                let answer = try await ann.ask("POST", path, json: body(number))
                return answer.status == 201 ? nil : try QuotaRefusal(answer)
            }
        }
    }

    /// Such as belong to a portfolio.
    static func kept(
        _ field: String, present: Int = 0, _ ask: @escaping Ask
    ) -> QuotaKind {
        QuotaKind(field: field, limit: 3, present: present) { _, ann in
            let path = "/v1/portfolios/\(try await ann.make("/v1/portfolios", #"{"name":"Main"}"#))"
            _ = try await ann.ask("POST", "\(path)/wallets", json: #"{"name":"Cold"}"#)
            if present > 0 { _ = try await ann.make("\(path)/transactions", QuotaTests.row(0)) }
            return { number in
                let answer = try await ask(ann, path, number)
                return answer.status < 300 ? nil : try QuotaRefusal(answer)
            }
        }
    }
}

@Suite("Quotas", .timeLimit(.minutes(10)))
struct QuotaTests {
    static func row(_ number: Int, tags: String = "") -> String {
        #"{"time":"2026-01-01T00:00:00Z","wallet":"Cold","kind":"deposit","asset":"USD","amount":"1","#
            + #""note":"n\#(number)"\#(tags)}"#
    }

    private static func rule(_ number: Int, tags: String = "") -> String {
        #"{"instrument":"kraken:BTC/USD","note":"n\#(number)","#
            + #""condition":{"price":"last","crosses":"above","level":"61000"}\#(tags)}"#
    }

    static let kinds: [QuotaKind] = [
        .posted("portfolios", "/v1/portfolios") { #"{"name":"p\#($0)"}"# },
        .posted("disabled rules", "/v1/alerts?enabled=false") { rule($0) },
        .posted("tokens", "/v1/account/tokens") { #"{"name":"t\#($0)","scopes":["market:read"]}"# },
        .kept("transactions") { try await $0.ask("POST", "\($1)/transactions", json: row($2)) },
        .kept("revisions", present: 1) {
            try await $0.ask("PUT", "\($1)/transactions/1", json: row($2))
        },
        .kept("shares") { ann, path, _ in try await ann.ask("POST", "\(path)/shares", json: "{}") },
        QuotaKind(field: "passkeys", limit: 3) { fixture, _ in
            let database = fixture.services.database
            return { number in
                let passkey = StoredPasskey(
                    id: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0D00 | UInt64(number)),
                    user: TwoUserFixture.ann, credential: [UInt8(number)], publicKey: [1], counter: 0,
                    name: "key", created: TwoUserFixture.now)
                let limit = fixture.services.configuration.quotas.passkeys
                do {
                    try await database.transaction { try $0.addPasskey(passkey, limit: limit) }
                } catch let error as StoreError {
                    guard case .quota(let fault)? = error.bodyError as? AccountRefused else { throw error }
                    return QuotaRefusal(fault)
                }
                return nil
            }
        },
    ]

    private static func run(
        _ body: (GatewayFixture, TestClient, TestClient) async throws -> Void
    ) async throws {
        try await TwoUserFixture.run(
            { configuration in
                var quotas = GatewayQuotas()
                (quotas.portfolio.portfolios, quotas.portfolio.transactions) = (3, 3)
                (quotas.portfolio.revisions, quotas.portfolio.shares) = (3, 3)
                (quotas.portfolio.tags, quotas.ruleTags) = (1, 1)
                (quotas.tokens, quotas.passkeys, quotas.disabledRules) = (3, 3, 3)
                configuration.quotas = quotas
            }, body)
    }

    @Test(
        "take as many as there may be, of two at once that would be the last one, and say the number",
        arguments: kinds)
    func bounds(_ kind: QuotaKind) async throws {
        try await Self.run { fixture, ann, _ async throws in
            let attempt = try await kind.prepare(fixture, ann)
            let free = kind.limit - kind.present
            for number in 1..<free { #expect(try await attempt(number) == nil) }
            async let first = attempt(free)
            async let second = attempt(free + 1)
            let refusals = try await [first, second].compactMap(\.self)
            #expect(refusals.count == 1)
            #expect(refusals.first?.field == kind.field)
            #expect(refusals.first?.count == "\(kind.limit + 1)")
            #expect(refusals.first?.accepted?.hasPrefix("at most \(kind.limit);") == true)
            #expect(try await attempt(free + 2) == refusals.first)
        }
    }

    @Test("are of each user alone, and have room again once something is gone")
    func room() async throws {
        try await Self.run { _, ann, ben async throws in
            var ids: [String] = []
            for number in 1...3 {
                ids.append(try await ann.make("/v1/portfolios", #"{"name":"p\#(number)"}"#))
            }
            #expect(try await ann.ask("POST", "/v1/portfolios", json: #"{"name":"x"}"#).status == 409)
            #expect(try await ben.ask("POST", "/v1/portfolios", json: #"{"name":"x"}"#).status == 201)
            #expect(try await ann.ask("DELETE", "/v1/portfolios/\(ids[0])").status == 204)
            #expect(try await ann.ask("POST", "/v1/portfolios", json: #"{"name":"x"}"#).status == 201)
            let path = "/v1/portfolios/\(ids[1])"
            _ = try await ann.ask("POST", "\(path)/wallets", json: #"{"name":"Cold"}"#)
            for number in 1...3 { _ = try await ann.make("\(path)/transactions", Self.row(number)) }
            #expect(try await ann.ask("DELETE", "\(path)/transactions/2").status == 204)
            #expect(try await ann.ask("POST", "\(path)/transactions", json: Self.row(4)).status == 201)
            #expect(try await ann.ask("POST", "\(path)/transactions", json: Self.row(5)).status == 409)
        }
    }

    @Test("of rules that are off never keep anybody from switching one off")
    func switchingOff() async throws {
        try await Self.run { _, ann, _ async throws in
            let on = try await ann.make("/v1/alerts", Self.rule(0))
            for number in 1...3 { _ = try await ann.make("/v1/alerts?enabled=false", Self.rule(number)) }
            #expect(try await ann.ask("POST", "/v1/alerts/\(on)/disable").status == 200)
            // Now there are more: nothing is made before something is deleted.
            let refused = try await ann.ask("POST", "/v1/alerts", json: Self.rule(4))
            #expect(try refused.status == 409 && refused.text("value") == "4")
            #expect(try await ann.ask("DELETE", "/v1/alerts/\(on)").status == 204)
            #expect(try await ann.ask("POST", "/v1/alerts", json: Self.rule(4)).status == 201)
        }
    }

    @Test("of tags hold for transactions and rules, whether new or changed")
    func tags() async throws {
        try await Self.run { _, ann, _ async throws in
            let (one, two) = (#","tags":["a"]"#, #","tags":["a","b"]"#)
            let path = "/v1/portfolios/\(try await ann.make("/v1/portfolios", #"{"name":"Main"}"#))"
            _ = try await ann.ask("POST", "\(path)/wallets", json: #"{"name":"Cold"}"#)
            let number = try await ann.make("\(path)/transactions", Self.row(1, tags: one))
            let id = try await ann.make("/v1/alerts", Self.rule(1, tags: one))
            let answers = [
                try await ann.ask("POST", "\(path)/transactions", json: Self.row(2, tags: two)),
                try await ann.ask("PUT", "\(path)/transactions/\(number)", json: Self.row(2, tags: two)),
                try await ann.ask("POST", "/v1/alerts", json: Self.rule(2, tags: two)),
                try await ann.ask("PATCH", "/v1/alerts/\(id)", json: #"{"tags":["a","b"]}"#),
            ]
            for answer in answers {
                let refusal = try QuotaRefusal(answer)
                #expect(refusal.field == "tags" && refusal.count == "2")
                #expect(refusal.accepted == "at most 1; leave some out")
            }
        }
    }

    @Test("of a file are those of its rows: one row too many, and nothing of it is stored")
    func file() async throws {
        try await Self.run { _, ann, _ async throws in
            let path = "/v1/portfolios/\(try await ann.make("/v1/portfolios", #"{"name":"Main"}"#))"
            func text(_ count: Int) -> String {
                let rows = (1...count).map { "2026-01-0\($0)T00:00:00Z,deposit,Cold,USD,1\\n" }
                return #"{"format":"csv","text":"time,kind,wallet,asset,amount\n\#(rows.joined())"}"#
            }
            let refused = try await ann.ask("POST", "\(path)/import", json: text(4))
            let refusal = try QuotaRefusal(refused)
            #expect(refusal.field == "transactions" && refusal.count == "4")
            #expect(try await ann.get("\(path)/transactions").count() == 0)
            #expect(try await ann.ask("POST", "\(path)/import", json: text(3)).status == 201)
        }
    }
}
