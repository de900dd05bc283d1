import AccountStore
import Accounts
import Dispatch
import Instruments
import Store
import Support
import Testing

@testable import Credentials
@testable import GatewayAPI

@Suite("Signing in", .serialized, .timeLimit(.minutes(10)))
struct SignInTests {
    @Test("begins with signing up, lasts as a cookie that pages cannot read, and ends with signing out")
    func life() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let made = try await fixture.signUp("Ann@Example.org")
            #expect(made.status == 201 && made.string("user.email") == "Ann@Example.org")
            #expect(made.string("user.role") == "user")
            let cookie = try #require(made.header("set-cookie"))
            #expect(cookie.hasPrefix("__Host-bitpal="))
            #expect(cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200"))
            let ann = try fixture.client(made)
            #expect(try await ann.get("/v1/account").string("user.email") == "Ann@Example.org")
            #expect(try await fixture.nobody.get("/v1/account").problem == "unauthenticated")
            let twice = try await fixture.signUp("ann@EXAMPLE.org")
            #expect(twice.status == 409 && twice.problem == "duplicate")

            let again = try fixture.client(try await fixture.signIn("ANN@example.org"))
            let sessions = try await again.get("/v1/account/sessions")
            // Both may have begun in the same instant.
            let own = sessions.flag("items.0.current") == true ? 0 : 1
            #expect(sessions.string("items.\(own).client") == "127.0.0.1")
            #expect(sessions.flag("items.\(own).current") == true)
            let other = try #require(sessions.string("items.\(1 - own).id"))
            #expect(try await again.ask("DELETE", "/v1/account/sessions/\(other)").status == 204)
            #expect(try await again.ask("DELETE", "/v1/account/sessions/\(other)").status == 404)
            #expect(try await ann.get("/v1/account").status == 401)
            let out = try await again.ask("POST", "/v1/auth/sign-out")
            #expect(out.status == 204 && out.header("set-cookie")?.contains("Max-Age=0") == true)
            #expect(try await again.get("/v1/account").status == 401)
        }
    }

    @Test("makes a new session each time and ends the one before it")
    func rotation() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let first = try fixture.client(try await fixture.signUp("ann@example.org"))
            let body = #"{"email":"ann@example.org","password":"\#(AccountGatewayFixture.password)"}"#
            let second = try fixture.client(try await first.ask("POST", "/v1/auth/sign-in", json: body))
            #expect(try await first.get("/v1/account").status == 401)
            #expect(try await second.get("/v1/account").status == 200)
            let third = try fixture.client(try await fixture.signIn("ann@example.org"))
            #expect(try await third.ask("POST", "/v1/auth/sign-out-everywhere").status == 204)
            #expect(try await second.get("/v1/account").status == 401)
        }
    }

    @Test("ends after half an hour of nothing, and after twelve hours anyway")
    func timeouts() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let idle = try fixture.client(try await fixture.signUp("ann@example.org"))
            fixture.clock.advance(seconds: 1_799)
            #expect(try await idle.get("/v1/account").status == 200)
            fixture.clock.advance(seconds: 1_800)
            #expect(try await idle.get("/v1/account").status == 401)
            let busy = try fixture.client(try await fixture.signIn("ann@example.org"))
            for _ in 0..<35 {
                fixture.clock.advance(seconds: 1_200)
                #expect(try await busy.get("/v1/account").status == 200)
            }
            fixture.clock.advance(seconds: 1_200)
            #expect(try await busy.get("/v1/account").status == 401)
        }
    }

    @Test("fails in one way, whoever it is, and waits longer each time, but not for who is signed in")
    func failures() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let victim = try fixture.client(try await fixture.signUp("ann@example.org"))
            let wrong = try await fixture.signIn("ann@example.org", "not the password")
            let unknown = try await fixture.signIn("nobody@example.org", "not the password")
            #expect(wrong.status == 401 && wrong.body == unknown.body)
            for _ in 0..<2 {
                let (known, unknown) = (
                    try await fixture.signIn("Ann@example.org"),
                    try await fixture.signIn("nobody@example.org")
                )
                #expect(known.status == 429 && known.problem == "throttled" && known.body == unknown.body)
                #expect(known.header("retry-after") == "1")
            }
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.signIn("ann@example.org", "still not").status == 401)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.signIn("ann@example.org").header("retry-after") == "1")
            #expect(try await victim.get("/v1/account").status == 200)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.signIn("ann@example.org").status == 200)
            // A success forgets the failures.
            #expect(try await fixture.signIn("ann@example.org", "not the password").status == 401)
            #expect(try await fixture.signIn("ann@example.org").header("retry-after") == "1")
        }
    }

    @Test("costs as many hashes for whom nobody knows as for others, and says the same")
    func hashes() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            for name in ["ann", "off"] { _ = try await fixture.signUp("\(name)@example.org") }
            // Somebody without a password, and somebody who may do nothing any more.
            _ = try await boss.ask("POST", "/v1/operator/users", json: #"{"email":"new@example.org"}"#)
            let users = try await boss.get("/v1/operator/users")
            let off = try #require(
                (0..<4).first { users.string("items.\($0).email") == "off@example.org" }
                    .flatMap { users.string("items.\($0).id") })
            _ = try await boss.ask("PATCH", "/v1/operator/users/\(off)", json: #"{"disabled":true}"#)
            var answers: Set<String> = []
            for email in ["ann", "off", "new", "nobody", "other"].map({ "\($0)@example.org" }) {
                let before = fixture.hasher.done
                let answer = try await fixture.signIn(email, "not the password")
                #expect(answer.status == 401)
                #expect(fixture.hasher.done - before == 1, "\(email)")
                answers.insert(answer.text)
            }
            #expect(answers.count == 1)
            // The right password of who is disabled says nothing either.
            fixture.clock.advance(seconds: 1)
            let before = fixture.hasher.done
            #expect(answers.contains(try await fixture.signIn("off@example.org").text))
            #expect(fixture.hasher.done - before == 1)
            // Signing up again hashes before it says that the address is taken.
            for email in ["ann@example.org", "fresh@example.org"] {
                let before = fixture.hasher.done
                _ = try await fixture.signUp(email)
                #expect(fixture.hasher.done - before == 1)
            }
        }
    }

    @Test("is refused with 429 when too many passwords wait to be checked, and that counts as no attempt")
    func queue() async throws {
        try await AccountGatewayFixture.run {
            $0.accounts.hashing = HashingConfiguration(memory: 65_536, passes: 1, threads: 1, waiting: 0)
        } _: { fixture in
            _ = try await fixture.signUp("ann@example.org")
            let gate = DispatchSemaphore(value: 0)
            let hasher = fixture.hasher
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (begun, begin) = AsyncStream<Void>.makeStream()
                group.addTask {
                    try await hasher.run { () throws(HashingRefused) in
                        begin.finish()
                        gate.wait()
                    }
                }
                for await _ in begun {}
                let busy = try await fixture.signIn("ann@example.org")
                gate.signal()
                #expect(
                    busy.status == 429 && busy.problem == "throttled" && busy.header("retry-after") == "1")
                try await group.waitForAll()
            }
            #expect(try await fixture.signIn("ann@example.org").status == 200)
        }
    }

    @Test(
        "of two hundred at once leaves all other routes as they are, and those that find no place come again")
    func storm() async throws {
        try await AccountGatewayFixture.run { fixture in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let (gate, hasher) = (DispatchSemaphore(value: 0), fixture.hasher)
            try await withThrowingTaskGroup(of: Int.self) { group in
                let (begun, begin) = AsyncStream<Void>.makeStream()
                group.addTask {
                    try await hasher.run { () throws(HashingRefused) in
                        begin.finish()
                        gate.wait()
                        return 0
                    }
                }
                for await _ in begun {}
                for number in 0..<200 {
                    group.addTask {
                        let answer = try await fixture.signIn("user\(number)@example.org", "not it")
                        return answer.status == 429 && answer.header("retry-after") != nil
                            ? 429 : answer.status
                    }
                }
                // All that may wait do so, and the others have their answer.
                var statuses: [Int] = []
                while statuses.count < 136, let status = try await group.next() { statuses.append(status) }
                #expect(statuses.allSatisfy { $0 == 429 } && hasher.waiting == 64)
                for path in ["/health/live", "/v1/tickers", "/v1/watchlists"] {
                    #expect(try await ann.get(path).status == 200, "\(path)")
                }
                gate.signal()
                for try await status in group where status > 0 { #expect(status == 401) }
            }
        }
    }

    @Test("is for whom the operator lets in")
    func invitations() async throws {
        try await AccountGatewayFixture.run {
            $0.accounts.signUp = .invitation
        } _: { fixture in
            #expect(try await fixture.signUp("ann@example.org").status == 403)
            let boss = try await fixture.operatorClient()
            let link = try await boss.ask(
                "POST", "/v1/operator/invitations", json: #"{"email":"Ann@example.org"}"#)
            let token = try #require(link.string("token"))
            #expect(link.status == 201 && link.string("link")?.hasSuffix("/sign-up#token=\(token)") == true)
            #expect(
                try await boss.get("/v1/operator/invitations").string("items.0.email") == "ann@example.org")
            func use(_ email: String) async throws -> TestAnswer {
                try await fixture.nobody.ask(
                    "POST", "/v1/auth/sign-up",
                    json:
                        #"{"email":"\#(email)","password":"\#(AccountGatewayFixture.password)","invitation":"\#(token)"}"#
                )
            }
            #expect(try await use("eve@example.org").problem == "expired")
            #expect(try await use("ann@example.org").status == 201)
            #expect(try await use("ann@example.org").problem == "expired")
        }
    }

    @Test("takes only passwords that are not guessed first")
    func weak() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let weak = try await fixture.signUp("ann@example.org", "passwordpassword1")
            #expect(
                weak.status == 422 && weak.problem == "weak-password" && weak.string("field") == "password")
            let meter = try await fixture.nobody.ask(
                "POST", "/v1/auth/password-strength", json: #"{"password":"passwordpassword1"}"#)
            #expect(meter.flag("accepted") == false && meter.string("reason") != nil)
        }
    }

    @Test("goes on with a new password, which ends all other sessions")
    func change() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let first = try fixture.client(try await fixture.signUp("ann@example.org"))
            let second = try fixture.client(try await fixture.signIn("ann@example.org"))
            func change(_ current: String, _ new: String) async throws -> TestAnswer {
                try await second.ask(
                    "POST", "/v1/auth/password", json: #"{"current":"\#(current)","new":"\#(new)"}"#)
            }
            #expect(try await change("wrong", "another lantern quilt").status == 403)
            #expect(
                try await change(AccountGatewayFixture.password, "another lantern quilt").problem
                    == "throttled")
            fixture.clock.advance(seconds: 1)
            #expect(try await change(AccountGatewayFixture.password, "short").problem == "weak-password")
            #expect(try await change(AccountGatewayFixture.password, "another lantern quilt").status == 204)
            #expect(try await first.get("/v1/account").status == 401)
            #expect(try await second.get("/v1/account").status == 200)
            #expect(try await fixture.signIn("ann@example.org", "another lantern quilt").status == 200)
        }
    }

    @Test("upgrades a hash of weaker parameters")
    func rehash() async throws {
        try await AccountGatewayFixture.run {
            $0.accounts.hashing = HashingConfiguration(memory: 65_536, passes: 2, threads: 1, waiting: 8)
        } _: { fixture in
            _ = try await fixture.signUp("ann@example.org")
            let weak = PasswordHasher(HashingConfiguration(memory: 65_536, passes: 1, threads: 1, waiting: 8))
            let hash = try await weak.hash(AccountGatewayFixture.password)
            let email = try EmailAddress(parsing: "ann@example.org")
            let user = try #require(try await fixture.database.withSession { try $0.account(email: email) })
                .user
            try await fixture.database.transaction { try $0.setPassword(hash, of: user) }
            #expect(try await fixture.signIn("ann@example.org").status == 200)
            let stored = try await fixture.database.withSession { try $0.account(user) }?.passwordHash
            #expect(stored?.contains("t=2") == true)
        }
    }
}
