import AccountStore
import Credentials
import Encodings
import Foundation
import Hummingbird
import Instruments
import JWTKit
import NIOCore
import Support
import Synchronization
import Testing
import Web

@testable import Accounts
@testable import GatewayAPI
@testable import GatewayFrame

/// Apple, as far as we can tell: keys that change, and tokens.
private final class LocalApple: Sendable {
    /// What a token says; the defaults are accepted.
    struct Claims: JWTPayload {
        var iss: String? = "https://appleid.apple.com"
        var aud: Audience? = .one("app.bitpal")
        var exp: Int64? = 0
        var iat: Int64? = 0
        var nbf: Int64?
        var sub: String? = "001122.abcdef.0011"
        var nonce: String?
        var email: String? = "ann@example.org"
        var emailVerified: BoolClaim? = true

        private enum CodingKeys: String, CodingKey {
            case iss, aud, exp, iat, nbf, sub, nonce, email
            case emailVerified = "email_verified"
        }

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// In both forms that there are.
    enum Audience: Codable {
        case one(String)
        case many([String])

        init(from decoder: any Decoder) throws { self = .many(try [String](from: decoder)) }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .one(let name): try name.encode(to: encoder)
            case .many(let names): try names.encode(to: encoder)
            }
        }
    }

    let signers = JWTKeyCollection()
    /// The key set's document, how often it was asked for, and where it is.
    let state = Mutex<(document: String, fetches: Int, port: Int)>(("{}", 0, 0))

    var fetches: Int { state.withLock { $0.fetches } }

    func publish(_ keys: [String]) {
        state.withLock { $0.document = #"{"keys":[\#(keys.joined(separator: ","))]}"# }
    }

    /// Makes a key; its public half in the form of a key set.
    func elliptic(_ id: String) async throws -> String {
        let key = ES256PrivateKey()
        await signers.add(ecdsa: key, kid: JWKIdentifier(string: id))
        let point = try #require(key.parameters)
        func plain(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return
            #"{"kty":"EC","kid":"\#(id)","use":"sig","alg":"ES256","crv":"P-256","x":"\#(plain(point.x))","#
            + #""y":"\#(plain(point.y))"}"#
    }

    /// As ``elliptic(_:)``; the key is made by openssl.
    func rsa(_ id: String) async throws -> String {
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
        let output = Pipe()
        (openssl.standardOutput, openssl.standardError) = (output, FileHandle.nullDevice)
        try openssl.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        openssl.waitUntilExit()
        let key = try Insecure.RSA.PrivateKey(pem: text)
        await signers.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: id))
        let numbers = try key.publicKey.getKeyPrimitives()
        return
            #"{"kty":"RSA","kid":"\#(id)","use":"sig","alg":"RS256","#
            + #""n":"\#(Base64URL.text(numbers.modulus))","#
            + #""e":"\#(Base64URL.text(numbers.publicExponent))"}"#
    }

    /// A token of the moment that is signed with a key.
    func token(
        _ id: String, at now: Timestamp, nonce: String?, _ change: (inout Claims) -> Void = { _ in }
    ) async throws -> String {
        let seconds = now.nanoseconds / 1_000_000_000
        var claims = Claims(exp: seconds + 600, iat: seconds, nonce: nonce)
        change(&claims)
        return try await signers.sign(claims, kid: JWKIdentifier(string: id))
    }

    /// A gateway that asks this Apple, at an address of its own.
    static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (AccountGatewayFixture, LocalApple) async throws -> Void
    ) async throws {
        let apple = LocalApple()
        apple.publish([try await apple.elliptic("one")])
        try await AccountGatewayFixture.run(configure) { gateway, accountService in
            gateway.addFurtherRoutes = { routes in
                routes.file("/v1/keys") { _, _ in
                    let text = apple.state.withLock { state in
                        state.fetches += 1
                        return state.document
                    }
                    return Response(
                        status: .ok, headers: [.contentType: "application/json"],
                        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
                }
            }
            let (client, clock) = (HTTPClient(), accountService.clock)
            accountService.apple = AppleVerifier(
                clients: ["app.bitpal", "web.bitpal"],
                keys: AppleKeys(clock: clock) {
                    let port = apple.state.withLock { $0.port }
                    return try await AppleKeys.get("http://127.0.0.1:\(port)/v1/keys", by: client)
                },
                page: ApplePage(client: "web.bitpal", authorization: "https://apple.example/authorize"))
        } _: { fixture in
            apple.state.withLock { $0.port = fixture.nobody.port }
            try await body(fixture, apple)
        }
    }
}

extension AccountGatewayFixture {
    fileprivate func nonce() async throws -> String {
        let options = try await nobody.ask("POST", "/v1/auth/apple/options")
        #expect(options.status == 200 && options.string("clients.0") == "app.bitpal")
        return try #require(options.string("nonce"))
    }

    fileprivate func comeFromApple(
        _ token: String, nonce: String, more: String = "", as client: TestClient? = nil
    ) async throws -> TestAnswer {
        try await (client ?? nobody).ask(
            "POST", "/v1/auth/apple", json: #"{"identity_token":"\#(token)","nonce":"\#(nonce)"\#(more)}"#)
    }
}

@Suite("Sign in with Apple", .serialized, .timeLimit(.minutes(10)))
struct AppleTests {
    @Test("makes an account by its rules once, and opens it from then on, by the subject alone")
    func life() async throws {
        try await LocalApple.run { fixture, apple in
            let nonce = try await fixture.nonce()
            let token = try await apple.token("one", at: fixture.clock.now, nonce: nonce)
            let made = try await fixture.comeFromApple(token, nonce: nonce, more: #","locale":"de""#)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.string("user.email") == "ann@example.org" && made.flag("user.verified") == true)
            #expect(made.flag("user.password") == false && made.flag("user.apple") == true)
            let ann = try fixture.client(made)
            #expect(try await fixture.auditLog().map(\.action) == ["account.create"])
            #expect(try await ann.get("/v1/account/settings").string("locale") == "de")
            // The same answer again is worth nothing, however good the token.
            #expect(try await fixture.comeFromApple(token, nonce: nonce).problem == "expired")
            let other = try await fixture.nonce()
            let hashed = Hexadecimal.text(Secrets.digest(other.utf8))
            let again = try await apple.token("one", at: fixture.clock.now, nonce: hashed) {
                // As Apple does after the first time.
                ($0.email, $0.emailVerified) = (nil, nil)
            }
            let back = try await fixture.comeFromApple(again, nonce: other)
            #expect(back.status == 200 && back.string("user.id") == made.string("user.id"))
            #expect(apple.fetches == 1)
            // The only way in is not taken away.
            #expect(try await ann.ask("DELETE", "/v1/account/apple").problem == "conflict")
            // Disabled is disabled.
            let boss = try await fixture.operatorClient()
            let id = try #require(made.string("user.id"))
            _ = try await boss.ask("PATCH", "/v1/operator/users/\(id)", json: #"{"disabled":true}"#)
            let third = try await fixture.nonce()
            let late = try await apple.token("one", at: fixture.clock.now, nonce: third)
            #expect(try await fixture.comeFromApple(late, nonce: third).status == 401)
        }
    }

    @Test("believes no token but Apple's, for us, of now, and of this request")
    func refused() async throws {
        try await LocalApple.run { fixture, apple in
            apple.publish([try await apple.elliptic("one"), try await apple.rsa("two")])
            await apple.signers.add(
                hmac: "a secret that is not Apple's, long enough", digestAlgorithm: .sha256,
                kid: JWKIdentifier(string: "none of Apple's"))
            let now = fixture.clock.now
            let seconds = now.nanoseconds / 1_000_000_000
            let cases: [(String, String, (inout LocalApple.Claims) -> Void)] = [
                ("who issued it", "one", { $0.iss = "https://evil.example" }),
                ("who issued it", "two", { $0.iss = "appleid.apple.com" }),
                ("for whom it is", "one", { $0.aud = .one("other.app") }),
                ("for whom it is", "one", { $0.aud = .many(["app.bitpal", "other.app"]) }),
                ("for whom it is", "one", { $0.aud = .many([]) }),
                ("its time", "one", { $0.exp = seconds - 61 }), ("its time", "one", { $0.exp = -1 }),
                ("its time", "one", { $0.iat = seconds + 61 }),
                ("its nonce", "one", { $0.nonce = nil }), ("its nonce", "one", { $0.nonce = "" }),
                ("its nonce", "one", { $0.nonce = "other" }),
                ("its subject", "one", { $0.sub = "" }),
                ("its subject", "one", { $0.sub = String(repeating: "a", count: 256) }),
                // Claims that are missing.
                ("its signature", "one", { $0.sub = nil }), ("its signature", "one", { $0.exp = nil }),
                ("its signature", "one", { $0.aud = nil }), ("its signature", "one", { $0.iss = nil }),
                ("its key", "none of Apple's", { _ in }),
            ]
            let nonce = try await fixture.nonce()
            for (fault, key, change) in cases {
                let token = try await apple.token(key, at: now, nonce: nonce, change)
                let answer = try await fixture.comeFromApple(token, nonce: nonce)
                #expect(answer.problem == "unauthenticated", "\(fault)")
                #expect(answer.string("detail")?.hasSuffix(": \(fault)") == true, "\(fault): \(answer.text)")
            }
            // None of it cost the nonce, with which both kinds of key are good.
            let rsa = try await apple.token("two", at: now, nonce: nonce) { $0.aud = .many(["web.bitpal"]) }
            #expect(try await fixture.comeFromApple(rsa, nonce: nonce).status == 201)
            for nonce in ["", "abc", Secrets.text()] {
                let token = try await apple.token("one", at: now, nonce: nonce)
                #expect(try await fixture.comeFromApple(token, nonce: nonce).problem == "expired")
            }
        }
    }

    @Test("obeys nothing of a token's header: neither its algorithm nor keys that it brings")
    func headers() async throws {
        try await LocalApple.run { fixture, apple in
            let nonce = try await fixture.nonce()
            let good = try await apple.token("one", at: fixture.clock.now, nonce: nonce)
            let parts = good.split(separator: ".").map(String.init)
            func forged(_ header: String, _ signature: String) -> String {
                "\(Base64URL.text(Array(header.utf8))).\(parts[1]).\(signature)"
            }
            let evil = try await apple.elliptic("evil")
            let byEvil = try await apple.token("evil", at: fixture.clock.now, nonce: nonce)
            let evils = byEvil.split(separator: ".").map(String.init)
            for token in [
                forged(#"{"alg":"none","kid":"one"}"#, ""), forged(#"{"alg":"none","kid":"one"}"#, parts[2]),
                forged(#"{"alg":"None"}"#, "AA"), forged(#"{"alg":"HS256","kid":"one"}"#, parts[2]),
                forged(#"{"alg":"RS256","kid":"one"}"#, parts[2]), forged(#"{"alg":"ES256"}"#, parts[2]),
                forged(#"{"alg":"ES256","kid":""}"#, parts[2]), forged(#"{"kid":"one"}"#, parts[2]),
                forged(#"{"alg":"ES256","kid":"one","crit":["exp"]}"#, parts[2]),
                forged(#"{"alg":"ES256","kid":"one","jwk":\#(evil)}"#, evils[2]),
                forged(#"{"alg":"ES256","kid":"one"}"#, evils[2]), byEvil,
                "\(parts[0]).\(evils[1]).\(parts[2])A", "\(parts[0]).\(parts[1])", good + ".a", "..", "a.b.c",
                String(repeating: "a", count: 9_000), "\(parts[0]).\(parts[1]).",
            ] {
                let answer = try await fixture.comeFromApple(token, nonce: nonce)
                #expect(answer.problem == "unauthenticated", "\(token.prefix(60))")
            }
            #expect(try await fixture.comeFromApple(good, nonce: nonce).status == 201)
        }
    }

    @Test("follows keys as they change, asking once for one that is not known, and not again for a minute")
    func rotation() async throws {
        try await LocalApple.run { fixture, apple in
            func come(_ key: String) async throws -> String {
                let nonce = try await fixture.nonce()
                let token = try await apple.token(key, at: fixture.clock.now, nonce: nonce)
                let answer = try await fixture.comeFromApple(token, nonce: nonce)
                return answer.problem ?? "\(answer.status)"
            }
            #expect(try await come("one") == "201" && apple.fetches == 1)
            let two = try await apple.elliptic("two")
            _ = try await apple.elliptic("nobody's")
            apple.publish([two])
            // Unknown, and just asked.
            #expect(try await come("two") == "unauthenticated" && apple.fetches == 1)
            fixture.clock.advance(seconds: 60)
            #expect(try await come("two") == "200" && apple.fetches == 2)
            // What Apple has withdrawn is believed no more.
            #expect(try await come("one") == "unauthenticated")
            for _ in 0..<3 { #expect(try await come("nobody's") == "unauthenticated") }
            #expect(apple.fetches == 2)
            // A day later they are fetched anew; those that are there do while Apple is away.
            fixture.clock.advance(seconds: 86_400)
            apple.state.withLock { $0.document = "[]" }
            #expect(try await come("two") == "200" && apple.fetches == 3)
            fixture.clock.advance(seconds: 60)
            apple.publish([two])
            #expect(try await come("two") == "200" && apple.fetches == 4)
            #expect(try await come("two") == "200" && apple.fetches == 4)
        }
    }

    @Test("says when Apple's keys cannot be had", arguments: ["[]", #"{"keys":[]}"#, #"{"keys":[{}]}"#, "7"])
    func away(_ document: String) async throws {
        try await LocalApple.run { fixture, apple in
            apple.state.withLock { $0.document = document }
            let nonce = try await fixture.nonce()
            let token = try await apple.token("one", at: fixture.clock.now, nonce: nonce)
            for _ in 0..<2 {
                let answer = try await fixture.comeFromApple(token, nonce: nonce)
                #expect(answer.status == 503 && answer.problem == "unavailable")
                #expect(answer.header("retry-after") == "60")
            }
            #expect(apple.fetches == 1)
        }
    }

    @Test("never takes an address for proof: who has the account signs in to it and links")
    func merging() async throws {
        try await LocalApple.run { fixture, apple in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            func come(_ client: TestClient? = nil, _ change: (inout LocalApple.Claims) -> Void = { _ in })
                async throws -> TestAnswer
            {
                let nonce = try await fixture.nonce()
                let token = try await apple.token("one", at: fixture.clock.now, nonce: nonce, change)
                guard let client else { return try await fixture.comeFromApple(token, nonce: nonce) }
                let link = #"{"identity_token":"\#(token)","nonce":"\#(nonce)""#
                // A session alone adds no way in.
                let alone = try await client.ask("PUT", "/v1/account/apple", json: link + "}")
                #expect(alone.status == 401 || alone.string("field") == "password", "\(alone.text)")
                let proof = #","password":"\#(AccountGatewayFixture.password)"}"#
                return try await client.ask("PUT", "/v1/account/apple", json: link + proof)
            }
            #expect(try await come().problem == "duplicate")
            // An address that nobody has proved makes no account.
            let unproved: [(inout LocalApple.Claims) -> Void] = [
                { $0.emailVerified = false }, { $0.emailVerified = nil }, { $0.email = nil },
                { $0.email = "not an address" },
            ]
            for change in unproved {
                let answer = try await come {
                    $0.sub = "other"
                    $0.email = "new@example.org"
                    change(&$0)
                }
                #expect(answer.problem == "forbidden", "\(answer.text)")
            }
            #expect(try await ann.get("/v1/account").flag("user.apple") == false)
            #expect(try await come(ann).status == 204)
            #expect(try await fixture.audited(.appleLink).count == 1)
            #expect(try await ann.get("/v1/account").flag("user.apple") == true)
            let back = try await come()
            #expect(back.status == 200 && back.string("user.email") == "ann@example.org")
            let ben = try fixture.client(try await fixture.signUp("ben@example.org"))
            #expect(try await come(ben).problem == "duplicate")
            #expect(try await come(fixture.nobody).status == 401)
            #expect(try await ann.ask("DELETE", "/v1/account/apple").status == 204)
            #expect(try await come(ben).status == 204)
        }
    }

    @Test("leads browsers to Apple and back, with what Apple said, and believes none of it on the way")
    func page() async throws {
        try await LocalApple.run { fixture, apple in
            #expect(try await fixture.nobody.get("/v1/session").flag("apple") == true)
            let options = try await fixture.nobody.ask("POST", "/v1/auth/apple/options")
            let (nonce, address) = (
                try #require(options.string("nonce")), try #require(options.string("authorization"))
            )
            let hash = Hexadecimal.text(Secrets.digest(nonce.utf8))
            for part in [
                "https://apple.example/authorize?client_id=web.bitpal&", "nonce=\(hash)",
                "%2Fauth%2Fapple%2Freturn&response_type=code%20id_token&response_mode=form_post",
            ] {
                #expect(address.contains(part), "\(address)")
            }
            #expect(!address.contains(nonce))
            let token = try await apple.token("one", at: fixture.clock.now, nonce: hash) {
                $0.aud = .one("web.bitpal")
            }
            func comeBack(_ form: String) async throws -> TestAnswer {
                try await fixture.nobody.ask(
                    "POST", "/auth/apple/return",
                    headers: [
                        ("Content-Type", "application/x-www-form-urlencoded"),
                        ("Origin", "https://appleid.apple.com"), ("Sec-Fetch-Site", "cross-site"),
                    ], json: form)
            }
            let back = try await comeBack("code=c1&id_token=\(token)&user=%7B%7D")
            #expect(back.status == 303 && back.header("location") == "/#/apple?token=\(token)")
            #expect(back.header("set-cookie") == nil)
            for form in [
                "error=user_cancelled_authorize", "id_token=", "id_token=a:%20b",
                "id_token=%3Cscript%3E", "id_token=\(String(repeating: "a", count: 9_000))", "",
            ] {
                let refused = try await comeBack(form)
                #expect(refused.status == 303 && refused.header("location") == "/#/apple?error=1", "\(form)")
            }
            for form in ["id_token=%GG", "id_token=a%0d%0aSet-Cookie:%20a"] {
                #expect(try await comeBack(form).status == 400, "\(form)")
            }
            #expect(try await fixture.nobody.get("/auth/apple/return").status == 405)
            #expect(try await fixture.comeFromApple(token, nonce: nonce).status == 201)
        }
    }

    @Test("holds to who may sign up", arguments: [AccountConfiguration.SignUp.closed, .invitation])
    func signUp(_ mode: AccountConfiguration.SignUp) async throws {
        try await LocalApple.run {
            $0.accounts.signUp = mode
        } _: { fixture, apple in
            let nonce = try await fixture.nonce()
            let token = try await apple.token("one", at: fixture.clock.now, nonce: nonce)
            #expect(try await fixture.comeFromApple(token, nonce: nonce).problem == "forbidden")
            let boss = try await fixture.operatorClient()
            func invite(_ email: String) async throws -> String {
                let link = try await boss.ask(
                    "POST", "/v1/operator/invitations", json: #"{"email":"\#(email)"}"#)
                return #","invitation":"\#(try #require(link.string("token")))""#
            }
            let (other, own) = (try await invite("eve@example.org"), try await invite("ann@example.org"))
            let wrong = try await fixture.comeFromApple(token, nonce: nonce, more: other)
            #expect(wrong.problem == (mode == .closed ? "forbidden" : "expired"))
            let right = try await fixture.comeFromApple(token, nonce: nonce, more: own)
            #expect(right.status == (mode == .closed ? 403 : 201))
        }
    }

    @Test("asks for the code where an authenticator is in use, and is off where it is not configured")
    func secondFactor() async throws {
        try await LocalApple.run { fixture, apple in
            func come(_ more: String) async throws -> TestAnswer {
                let nonce = try await fixture.nonce()
                let token = try await apple.token("one", at: fixture.clock.now, nonce: nonce)
                return try await fixture.comeFromApple(token, nonce: nonce, more: more)
            }
            let ann = try fixture.client(try await come(""))
            // Of this account there is nothing else to show than that it came from Apple.
            let begun = try await ann.ask("POST", "/v1/account/totp", json: "{}")
            let secret = try #require(begun.string("secret").flatMap { Base32.bytes($0) })
            func code(_ steps: Int64) -> String {
                OneTimePassword.code(secret, step: fixture.clock.now.nanoseconds / 30_000_000_000 + steps)
            }
            let confirm = #"{"code":"\#(code(-1))"}"#
            #expect(try await ann.ask("POST", "/v1/account/totp/confirm", json: confirm).status == 200)
            #expect(try await come("").problem == "second-factor-required")
            #expect(try await come(#","code":"000000""#).problem == "invalid-field")
            fixture.clock.advance(seconds: 2)
            #expect(try await come(#","code":"\#(code(0))""#).status == 200)
        }
        try await AccountGatewayFixture.run { fixture async throws in
            #expect(try await fixture.nobody.ask("POST", "/v1/auth/apple/options").problem == "forbidden")
            let answer = try await fixture.comeFromApple("a.b.c", nonce: Secrets.text())
            #expect(answer.problem == "forbidden")
        }
    }
}
