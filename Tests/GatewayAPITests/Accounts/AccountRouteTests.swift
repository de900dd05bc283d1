import AccountStore
import Accounts
import Encodings
import Instruments
import JSON
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// Every text of a table that belongs to accounts, as a dump would show it.
private struct TableText: Statement {
    static let sql = """
        SELECT coalesce(string_agg(t, E'\\n'), '') FROM (
            SELECT to_jsonb(a)::text AS t FROM accounts.token AS a
            UNION ALL SELECT to_jsonb(a)::text FROM accounts.session AS a
            UNION ALL SELECT to_jsonb(a)::text FROM accounts.ticket AS a
            UNION ALL SELECT to_jsonb(a)::text FROM accounts.totp AS a
            UNION ALL SELECT to_jsonb(a)::text FROM accounts.recovery_code AS a
            UNION ALL SELECT to_jsonb(a)::text FROM accounts.account AS a) AS texts
        """

    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

@Suite("Account routes", .serialized, .timeLimit(.minutes(10)))
struct AccountRouteTests {
    @Test("say who asks, also that it is nobody, which is no error")
    func who() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let nobody = try await fixture.nobody.get("/v1/session")
            #expect(
                nobody.status == 200
                    && nobody.text == #"{"apple":false,"demo":false,"sign_up":"open","user":null}"#)
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let account = try await ann.get("/v1/account")
            let session = try await ann.get("/v1/session")
            #expect(try session.json("user") == account.json("user") && session.flag("apple") == false)
            #expect(try await fixture.client(token: "cm_x").get("/v1/session").status == 401)
            let made = try await ann.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"t","scopes":["market:read"]}"#)
            let program = fixture.client(token: try #require(made.string("token")))
            #expect(try await program.get("/v1/session").problem == "forbidden")
            // Half an hour of nothing.
            fixture.clock.advance(seconds: 1_801)
            #expect(
                try await ann.get("/v1/session").text
                    == #"{"apple":false,"demo":false,"sign_up":"open","user":null}"#)
        }
    }

    @Test("make one account for a sign-up that is sent again under its key, and open it to nobody else")
    func signUpOnce() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            func signUp(
                _ key: String?, _ password: String = AccountGatewayFixture.password
            ) async throws -> TestAnswer {
                try await fixture.nobody.ask(
                    "POST", "/v1/auth/sign-up", headers: key.map { [("Idempotency-Key", $0)] } ?? [],
                    json: #"{"email":"ann@example.org","password":"\#(password)"}"#)
            }
            let first = try await signUp("a")
            let again = try await signUp("a")
            #expect(first.status == 201 && again.status == 201 && again.text == first.text)
            #expect(again.header("idempotency-replayed") == "true")
            // Each with a session of its own.
            for answer in [first, again] {
                #expect(try await fixture.client(answer).get("/v1/account").status == 200)
            }
            // Sent by somebody whose first request seemed to hang.
            let parallel = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await fixture.nobody.ask(
                            "POST", "/v1/auth/sign-up", headers: [("Idempotency-Key", "c")],
                            json:
                                #"{"email":"bob@example.org","password":"\#(AccountGatewayFixture.password)"}"#
                        )
                    }
                }
                return try await group.reduce(into: [TestAnswer]()) { $0.append($1) }
            }
            #expect(parallel.map(\.status) == [201, 201, 201, 201], "\(parallel.map(\.text))")
            #expect(Set(parallel.map(\.text)).count == 1)
            #expect(try await signUp("b").problem == "duplicate")
            #expect(try await signUp(nil).problem == "duplicate")
            #expect(try await signUp("a", "another password").problem == "idempotency-mismatch")
            let ann = try fixture.client(first)
            let change = #"{"current":"\#(AccountGatewayFixture.password)","new":"a password since then"}"#
            #expect(try await ann.ask("POST", "/v1/auth/password", json: change).status == 204)
            #expect(try await signUp("a").problem == "duplicate")
        }
    }

    @Test("make one secret for an authenticator, however often it is asked for under one key")
    func secretOnce() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            func begin(_ key: String) async throws -> TestAnswer {
                try await ann.ask(
                    "POST", "/v1/account/totp", headers: [("Idempotency-Key", key)],
                    json: AccountGatewayFixture.proof)
            }
            let first = try await begin("a")
            let again = try await begin("a")
            #expect(first.status == 201 && again.text == first.text)
            #expect(again.header("idempotency-replayed") == "true")
            #expect(try await begin("b").text != first.text)
        }
    }

    @Test(
        "take names that can be seen",
        arguments: [
            ("Home", true), ("Zürich 💶", true), ("日本", true), ("a b", true), ("👨‍👩‍👧", true), ("نقد", true),
            ("a\u{200C}b", true), ("\u{200F}שלום", true), ("", true), (" ", false), ("\u{200B}", false),
            ("\u{2800}\u{A0}", false), ("\u{3164}", false), ("\u{FEFF}\u{2060}", false),
            ("a\u{202E}b", false),
            ("\u{2066}a", false), ("a\nb", false), ("a\u{2028}b", false),
        ])
    func names(name: String, isTaken: Bool) {
        #expect(((try? NameRule.check(name)) != nil) == isTaken)
    }

    @Test("show what was refused once in quotes, and a client the text itself")
    func quotes() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let reset = try await fixture.nobody.ask("POST", "/v1/auth/reset", json: #"{"email":"zzz"}"#)
            #expect(reset.string("value") == "zzz" && reset.string("detail")?.contains("\"\"") == false)
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let long = String(repeating: "n", count: 65)
            let list = try await ann.ask("POST", "/v1/watchlists", json: #"{"name":"\#(long)"}"#)
            #expect(list.string("value") == long && list.string("detail")?.contains("\"\"") == false)
            for (path, json) in [
                ("/v1/watchlists", #"{"name":"\u202Ea"}"#), ("/v1/portfolios", #"{"name":"  "}"#),
                ("/v1/channels", #"{"kind":"ntfy","name":"\u200B","settings":{}}"#),
                ("/v1/account/tokens", #"{"name":"\u2800","scopes":["market:read"]}"#),
            ] {
                let answer = try await ann.ask("POST", path, json: json)
                #expect(answer.status == 422 && answer.string("field") == "name", "\(path): \(answer.text)")
            }
            let id = try await ann.make("/v1/watchlists", #"{"name":"A"}"#)
            let half = try await ann.ask("PATCH", "/v1/watchlists/\(id)", json: #"{"position":1.5}"#)
            #expect(half.string("accepted") == "a whole number")
        }
    }

    @Test("give tokens that do what they were made for, until they are revoked, and then nothing at once")
    func tokens() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            func make(_ scopes: String, _ more: String = "") async throws -> TestAnswer {
                try await ann.ask(
                    "POST", "/v1/account/tokens", json: #"{"name":"ci","scopes":[\#(scopes)]\#(more)}"#)
            }
            let made = try await make(#""account:read""#)
            let (id, text) = (try #require(made.string("id")), try #require(made.string("token")))
            #expect(made.status == 201 && text.hasPrefix("cm_"))
            let program = fixture.client(token: text)
            #expect(try await program.get("/v1/account").string("user.email") == "ann@example.org")
            #expect(try await program.ask("PATCH", "/v1/account/settings", json: "{}").problem == "forbidden")
            // A token is no person: it makes no other token and ends no session.
            #expect(try await program.get("/v1/account/tokens").problem == "forbidden")
            let list = try await ann.get("/v1/account/tokens")
            #expect(list.string("items.0.id") == id && !list.text.contains("cm_"))
            #expect(list.string("items.0.last_used") == fixture.clock.now.iso8601(fractionDigits: 3))
            for wrong in ["", #""operator""#, #""all""#] {
                #expect(try await make(wrong).string("field") == "scopes")
            }
            #expect(try await make(#""account:read""#, #","expires":"2020-01-01T00:00:00Z""#).status == 422)
            let brief = try await make(#""account:read""#, #","expires":"2027-01-15T08:00:01Z""#)
            let over = fixture.client(token: try #require(brief.string("token")))
            #expect(try await over.get("/v1/account").status == 200)
            fixture.clock.advance(seconds: 1)
            #expect(try await over.get("/v1/account").problem == "unauthenticated")
            let changed = String(text.dropLast()) + (text.hasSuffix("A") ? "Q" : "A")
            for wrong in [changed, "cm_x", "", text + "A"] {
                #expect(
                    try await fixture.client(token: wrong).get("/v1/account").problem == "unauthenticated")
            }
            #expect(try await ann.ask("DELETE", "/v1/account/tokens/\(id)").status == 204)
            #expect(try await program.get("/v1/account").status == 401)
            #expect(try await ann.ask("DELETE", "/v1/account/tokens/\(id)").status == 404)
        }
    }

    @Test("leave nothing in the database that opens anything")
    func nothingUsable() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let token = try #require(
                try await boss.ask("POST", "/v1/account/tokens", json: #"{"name":"a","scopes":["operator"]}"#)
                    .string("token"))
            let link = try #require(
                try await boss.ask("POST", "/v1/operator/invitations", json: "{}").string("token"))
            let begun = try await boss.ask("POST", "/v1/account/totp", json: AccountGatewayFixture.proof)
            let secret = try #require(begun.string("secret"))
            let cookie = try #require(boss.headers.last?.1.split(separator: "=").last)
            let dump = try await fixture.database.rows(TableText()).joined()
            #expect(dump.contains("digest"))
            let raw = try #require(Base32.bytes(secret))
            for bytes in [
                try TokenText(parsing: token).secret, try #require(Base64URL.bytes(link)),
                try #require(Base64URL.bytes(cookie)), raw,
            ] {
                #expect(!dump.contains(Hexadecimal.text(bytes)) && !dump.contains(Base64URL.text(bytes)))
            }
            #expect(!dump.contains(AccountGatewayFixture.password) && !dump.contains(secret))
        }
    }

    @Test("keep settings that are valid, and say what is accepted")
    func settings() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            func patch(_ json: String) async throws -> TestAnswer {
                try await ann.ask("PATCH", "/v1/account/settings", json: json)
            }
            let changed = try await patch(
                #"{"locale":"de","time_zone":"Europe/Berlin","base_currency":"EUR","theme":"dark","#
                    + #""notifications":{"sounds":false},"quiet_hours":{"from":"22:00","to":"07:30"},"onboarding":["a"]}"#
            )
            #expect(changed.status == 200 && changed.string("quiet_hours.to") == "07:30")
            #expect(
                changed.flag("notifications.sounds") == false && changed.flag("notifications.alerts") == true)
            let kept = try await ann.get("/v1/account/settings")
            #expect(kept.body == changed.body)
            let cleared = try await patch(#"{"quiet_hours":null}"#)
            #expect(try cleared.json("quiet_hours") == .null && cleared.string("locale") == "de")
            for (json, field) in [
                (#"{"locale":"fr"}"#, "locale"), (#"{"time_zone":"Europe/Atlantis"}"#, "time_zone"),
                (#"{"base_currency":"XXX"}"#, "base_currency"), (#"{"theme":"pink"}"#, "theme"),
                (#"{"quiet_hours":{"from":"7","to":"08:00"}}"#, "quiet_hours.from"),
                (#"{"local":"de"}"#, "local"),
            ] {
                let refused = try await patch(json)
                #expect(refused.status == 422 && refused.string("field") == field, "\(json)")
            }
            #expect(try await ann.get("/v1/account/settings").body == cleared.body)
        }
    }

    @Test("make the first operator by one link, once, who lets in and keeps out")
    func operators() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let first = try #require(
                try await Gateway.firstOperatorPath(fixture.database, at: fixture.clock.now))
            let path = try #require(
                try await Gateway.firstOperatorPath(fixture.database, at: fixture.clock.now))
            func make(_ key: String) async throws -> TestAnswer {
                try await fixture.nobody.ask(
                    "POST", "/v1/auth/first-operator", headers: [("Idempotency-Key", key)],
                    json: #"{"token":"\#(path.split(separator: "=").last ?? "")","email":"boss@example.org","#
                        + #""password":"\#(AccountGatewayFixture.password)"}"#)
            }
            let boss = try fixture.client(try await make("a"))
            // Who did not hear the answer asks once more.
            let repeated = try await make("a")
            #expect(repeated.status == 201 && repeated.header("idempotency-replayed") == "true")
            #expect(try await fixture.client(repeated).get("/v1/operator/users").status == 200)
            #expect(try await make("b").problem == "expired")
            #expect(try await Gateway.firstOperatorPath(fixture.database, at: fixture.clock.now) == nil)
            let late = try await fixture.nobody.ask(
                "POST", "/v1/auth/first-operator",
                json: #"{"token":"\#(first.split(separator: "=").last ?? "")","email":"eve@example.org","#
                    + #""password":"\#(AccountGatewayFixture.password)"}"#)
            #expect(late.status == 410)
            // Later, so that the page has an order.
            fixture.clock.advance(seconds: 1)
            let made = try await boss.ask("POST", "/v1/operator/users", json: #"{"email":"ann@example.org"}"#)
            let (id, token) = (try #require(made.string("user.id")), try #require(made.string("reset.token")))
            let itself = try await fixture.nobody.ask(
                "POST", "/v1/auth/reset/confirm",
                json: #"{"token":"\#(token)","password":"ann@example.org"}"#)
            #expect(itself.problem == "weak-password")
            func confirm(_ token: String) async throws -> TestAnswer {
                try await fixture.nobody.ask(
                    "POST", "/v1/auth/reset/confirm",
                    json: #"{"token":"\#(token)","password":"\#(AccountGatewayFixture.password)"}"#)
            }
            #expect(try await fixture.signIn("ann@example.org", "anything at all").status == 401)
            #expect(try await confirm(token).status == 204)
            #expect(try await confirm(token).problem == "expired")
            fixture.clock.advance(seconds: 1)
            let ann = try fixture.client(try await fixture.signIn("ann@example.org"))
            for path in ["users", "invitations", "flags"] {
                #expect(try await ann.get("/v1/operator/\(path)").problem == "forbidden")
                #expect(try await boss.get("/v1/operator/\(path)").status == 200)
            }
            let page = try await boss.get("/v1/operator/users?limit=1")
            let next = try #require(page.string("next"))
            let rest = try await boss.get("/v1/operator/users?limit=1&cursor=\(next)")
            #expect(rest.string("items.0.id") == id)
            #expect(try rest.json("next") == .null)
            let reset = try #require(
                try await boss.ask("POST", "/v1/operator/users/\(id)/reset").string("token"))
            #expect(try await confirm(reset).status == 204)
            #expect(try await ann.get("/v1/account").status == 401)
            let again = try fixture.client(try await fixture.signIn("ann@example.org"))
            func disable(_ id: String, _ flag: Bool) async throws -> TestAnswer {
                try await boss.ask("PATCH", "/v1/operator/users/\(id)", json: #"{"disabled":\#(flag)}"#)
            }
            let portfolio = try await again.make("/v1/portfolios", #"{"name":"Savings"}"#)
            _ = try await again.ask(
                "POST", "/v1/portfolios/\(portfolio)/wallets", json: #"{"name":"Cold"}"#)
            let deposit =
                #"{"time":"2026-01-02T00:00:00Z","kind":"deposit","wallet":"Cold","asset":"USD","amount":"6"}"#
            _ = try await again.make("/v1/portfolios/\(portfolio)/transactions", deposit)
            let link = try await again.ask("POST", "/v1/portfolios/\(portfolio)/shares", json: #"{"days":3}"#)
            let shared = "/v1/shared/\(link.string("token") ?? "")"
            #expect(try await fixture.nobody.get(shared).status == 200)
            #expect(try await disable(id, true).flag("user.disabled") == true)
            #expect(try await again.get("/v1/account").status == 401)
            #expect(try await fixture.nobody.get(shared).status == 404)
            #expect(try await fixture.signIn("ann@example.org").status == 401)
            #expect(try await disable(id, false).status == 200)
            let own = try #require(try await boss.get("/v1/account").string("user.id"))
            #expect(try await disable(own, true).problem == "conflict")
            let none = "00000000-0000-7000-8000-000000000009"
            #expect(try await disable(none, true).status == 404)
        }
    }

    @Test("tell the flags of a user in one call")
    func flags() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let own = try #require(try await boss.get("/v1/account").string("user.id"))
            let put = try await boss.ask(
                "PUT", "/v1/operator/flags",
                json: #"{"items":[{"name":"a","percentage":100},{"name":"b","percentage":0,"note":"n","#
                    + #""users":{"\#(own)":true}},{"name":"c","percentage":0}]}"#)
            #expect(put.status == 200 && put.string("items.1.note") == "n")
            let flags = try await boss.get("/v1/account/flags")
            #expect(flags.text == #"{"flags":{"a":true,"b":true,"c":false}}"#)
            let wrong = try await boss.ask(
                "PUT", "/v1/operator/flags", json: #"{"items":[{"name":"a","percentage":101}]}"#)
            #expect(wrong.status == 422 && wrong.string("field") == "percentage")
        }
    }

    @Test("show nobody what is another one's")
    func others() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let bob = try fixture.client(try await fixture.signUp("bob@example.org"))
            let token = try #require(
                try await ann.ask(
                    "POST", "/v1/account/tokens", json: #"{"name":"a","scopes":["account:read"]}"#
                )
                .string("id"))
            let session = try #require(try await ann.get("/v1/account/sessions").string("items.0.id"))
            for path in ["tokens/\(token)", "sessions/\(session)", "passkeys/\(session)"] {
                #expect(try await bob.ask("DELETE", "/v1/account/\(path)").status == 404)
            }
            #expect(try await ann.get("/v1/account/tokens").string("items.0.revoked") == nil)
            #expect(try await ann.get("/v1/account").status == 200)
        }
    }
}

@Suite("Devices", .serialized, .timeLimit(.minutes(10)))
struct DeviceTests {
    @Test("are channels that alerts reach, registered once and forgotten on demand")
    func devices() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let bob = try fixture.client(try await fixture.signUp("bob@example.org"))
            let point =
                "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
            func register(_ json: String) async throws -> TestAnswer {
                try await ann.ask("POST", "/v1/account/devices", json: json)
            }
            let browser =
                #"{"kind":"web-push","name":"Laptop","endpoint":"https://push.example.org/a","p256dh":""#
                + point + #"","auth":"AAAAAAAAAAAAAAAAAAAAAA"}"#
            let made = try await register(browser)
            #expect(
                made.status == 201 && made.string("kind") == "web-push" && made.string("name") == "Laptop")
            #expect(try await register(browser).string("id") == made.string("id"))
            // Switched off, as it is too when its push service says that it is gone.
            let channel = "/v1/channels/\(try #require(made.string("id")))"
            _ = try await ann.ask("PATCH", channel, json: #"{"enabled":false}"#)
            #expect(try await ann.get("/v1/account/devices").flag("items.0.enabled") == false)
            #expect(try await register(browser).flag("enabled") == true)
            #expect(try await ann.get("/v1/account/devices").flag("items.0.enabled") == true)
            // One that moved is the same one, and told where it is now.
            let moved = try await register(browser.replacing("example.org/a", with: "example.org/b"))
            #expect(moved.string("id") == made.string("id"))
            #expect(try await ann.get(channel).text.contains("push.example.org/b"))
            let app =
                #"{"kind":"apns","name":"Laptop","bundle":"org.example.app","device":""#
                + String(repeating: "ab", count: 32) + #""}"#
            #expect(try await register(app).string("name") == "Laptop 2")
            #expect(try await register(#"{"kind":"pager"}"#).string("field") == "kind")
            #expect(
                try await register(#"{"kind":"apns","bundle":"org.example.app","device":"x"}"#).status == 422)
            let list = try await ann.get("/v1/account/devices")
            #expect(list.string("items.1.kind") != nil && !list.text.contains("AAAA"))
            let id = try #require(made.string("id"))
            #expect(try await bob.ask("DELETE", "/v1/account/devices/\(id)").status == 404)
            #expect(try await ann.ask("DELETE", "/v1/account/devices/\(id)").status == 204)
            #expect(try await ann.ask("DELETE", "/v1/account/devices/\(id)").status == 404)
        }
    }
}
