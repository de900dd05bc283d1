import AccountStore
import Accounts
import Credentials
import Instruments
import JSON
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// The audit log as a dump would show it.
private struct AuditText: Statement {
    static let sql = "SELECT coalesce(string_agg(line::text, ' '), '') FROM accounts.audit AS line"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

@Suite("The audit log of the gateway", .serialized, .timeLimit(.minutes(10)))
struct AuditRouteTests {
    /// Routes whose line another test looks at, because they need somebody else's program.
    private static let elsewhere = [
        "POST /v1/auth/passkeys/register": "AuthenticatorTests",
        "POST /v1/auth/apple": "AppleTests", "PUT /v1/account/apple": "AppleTests",
    ]
    /// Words whose line another test looks at, because they need mail.
    private static let wordsElsewhere: [String: Set<String>] = [
        // LetterTests.
        "POST /v1/auth/sign-up": ["password.drop"]
    ]

    @Test("is declared by every route of accounts that changes something, with a word or with why not")
    func declared() throws {
        let all = try AuditDeclarations.all()
        let changing = all.filter { !$0.route.hasPrefix("GET ") && $0.tag == .accounts }
        #expect(changing.count > 30)
        for (route, _, rule) in changing {
            switch rule {
            case .entry(let words)?: #expect(!words.isEmpty, "\(route)")
            case .nothing(let reason)?: #expect(!reason.isEmpty, "\(route)")
            case nil: Issue.record("\(route) says nothing of the audit log: .audited(…) or .unaudited(…)")
            }
        }
        #expect(all.filter { $0.route.hasPrefix("GET ") && $0.rule != nil }.map(\.route) == [])
    }

    @Test("has exactly one line of everything that changes accounts, tokens and the installation")
    func everyRoute() async throws {
        var words: [String: [AuditAction]] = [:]
        for (route, _, rule) in try AuditDeclarations.all() {
            if case .entry(let actions)? = rule { words[route] = actions }
        }
        try await AccountGatewayFixture.run { fixture async throws in
            let walk = AuditWalk(fixture)
            try await walk.run()
            var left: [String: Set<String>] = [:]
            for (route, lines) in walk.steps {
                #expect(lines.count == 1, "\(route) left \(lines.map(\.action))")
                guard let line = lines.first else { continue }
                left[route, default: []].insert(line.action)
                #expect(line.actor.command == route)
                #expect(line.actor.kind == .account && line.actor.user != nil, "\(route)")
                // One who was erased came from nowhere.
                #expect((line.actor.address == nil) == (route == "DELETE /v1/account"), "\(route)")
            }
            for (route, actions) in words where Self.elsewhere[route] == nil {
                let wanted = Set(actions.map(\.rawValue)).subtracting(Self.wordsElsewhere[route] ?? [])
                #expect(left[route] == wanted, "\(route)")
            }
            #expect(Set(left.keys).isSubset(of: words.keys))
            let dump = try await fixture.database.rows(AuditText()).joined()
            #expect(dump.contains("account.create"))
            for secret in walk.secrets { #expect(!dump.contains(secret), "\(secret)") }
        }
    }

    @Test("has no line of what was refused, nor of what changes nobody's way in")
    func nothing() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let before = try await fixture.auditLog()
            let nobody = UniqueID(high: 0x7000, low: 1 << 63 | 1)
            for (method, path, json) in [
                ("DELETE", "/v1/account/tokens/\(nobody)", nil),
                ("DELETE", "/v1/operator/invitations/\(nobody)", nil),
                ("POST", "/v1/operator/users/\(nobody)/reset", nil),
                ("PATCH", "/v1/operator/users/\(nobody)", #"{"disabled":true}"#),
                ("POST", "/v1/operator/users", #"{"email":"boss@example.org"}"#),
                ("DELETE", "/v1/account", AccountGatewayFixture.proof),
                ("PATCH", "/v1/account/settings", #"{"theme":"dark"}"#),
                ("POST", "/v1/auth/sign-out", nil),
            ] as [(String, String, String?)] {
                _ = try await boss.ask(method, path, json: json)
            }
            _ = try await fixture.signIn("boss@example.org")
            _ = try await fixture.signUp("boss@example.org")
            #expect(try await fixture.auditLog() == before && before.count == 1)
        }
    }

    @Test("is shown to operators, in pages and by what is asked for, and to nobody else")
    func shown() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let id = try #require(try await ann.get("/v1/account").string("user.id"))
            for name in ["a", "b"] {
                let made = try await ann.ask(
                    "POST", "/v1/account/tokens", json: #"{"name":"\#(name)","scopes":["account:read"]}"#)
                let program = fixture.client(token: try #require(made.string("token")))
                #expect(try await program.get("/v1/audit").problem == "forbidden")
            }
            #expect(try await ann.get("/v1/audit").status == 403)
            #expect(try await fixture.nobody.get("/v1/audit").status == 401)
            let all = try await boss.get("/v1/audit")
            #expect(all.status == 200)
            #expect(try all.count("items") == 4)
            #expect(all.string("items.0.action") == "token.create" && all.string("items.0.owner") == id)
            #expect(all.string("items.0.command") == "POST /v1/account/tokens")
            #expect(all.string("items.0.actor") == "account" && all.string("items.0.actor_id") == id)
            #expect(all.string("items.0.address") == "127.0.0.1")
            #expect(all.string("items.0.detail.scopes") == "account:read")
            #expect(try await boss.get("/v1/audit?account=\(id)&action=token.create").count("items") == 2)
            #expect(try await boss.get("/v1/audit?action=account.create").count("items") == 2)
            let since = try #require(all.string("items.1.time"))
            #expect(try await boss.get("/v1/audit?since=\(since)").count("items") == 2)
            var (ids, cursor) = ([String](), "")
            repeat {
                let page = try await boss.get("/v1/audit?limit=1\(cursor)")
                ids.append(try #require(page.string("items.0.id")))
                cursor = page.string("next").map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty && ids.count < 9
            #expect(ids == (0..<4).compactMap { all.string("items.\($0).id") })
            for wrong in ["account=ann", "action=token", "since=yesterday", "cursor=a"] {
                #expect(try await boss.get("/v1/audit?\(wrong)").problem == "invalid-field", "\(wrong)")
            }
        }
    }

    @Test("is in what somebody takes along, without who else did something and from where")
    func exported() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let made = try await fixture.signUp("ann@example.org")
            let (ann, id) = (try fixture.client(made), try #require(made.string("user.id")))
            let reset = try await boss.ask("POST", "/v1/operator/users/\(id)/reset")
            #expect(reset.status == 200)
            let export = try await ann.get("/v1/account/export")
            #expect(try export.count("audit") == 2)
            #expect(export.string("audit.0.action") == "account.create")
            #expect(export.string("audit.0.actor_id") == id && export.string("audit.0.address") != nil)
            #expect(export.string("audit.1.action") == "password.link")
            #expect(export.string("audit.1.actor") == "account" && export.string("audit.1.actor_id") == nil)
            #expect(export.string("audit.1.address") == nil && export.string("audit.1.subject_id") == id)
        }
    }

    @Test("says of whoever works on the machine that it is the terminal, and of a program its token")
    func actors() async throws {
        let path = try TestDatabase.temporaryDirectory() + "/operator.token"
        try await AccountGatewayFixture.run { configuration in
            configuration.accounts.operatorTokenFile = path
        } _: { fixture async throws in
            let boss = try await fixture.operatorClient()
            let terminal = fixture.client(token: try OperatorTokenFile.token(path).text)
            #expect(try await terminal.ask("POST", "/v1/operator/invitations", json: "{}").status == 201)
            let line = try #require(try await fixture.auditLog().first)
            #expect(line.action == "invitation.create" && line.actor.kind == .terminal)
            #expect(line.actor.user == nil && line.actor.token == nil && line.actor.address == "127.0.0.1")
            let made = try await boss.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"ci","scopes":["operator"]}"#)
            let program = fixture.client(token: try #require(made.string("token")))
            #expect(try await program.ask("POST", "/v1/operator/invitations", json: "{}").status == 201)
            let next = try #require(try await fixture.auditLog().first)
            #expect(next.actor.kind == .account && next.actor.token?.description == made.string("id"))
        }
    }
}
