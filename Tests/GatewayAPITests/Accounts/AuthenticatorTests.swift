import Accounts
import Dispatch
import Foundation
import Instruments
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// What `scripts/install-dependencies.sh test` made: authenticators of others.
private enum Authenticators {
    private static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder
    }()

    static let isThere: Bool = {
        let ready = root.appendingPathComponent(".build/python/ready").path
        return (try? String(contentsOfFile: ready, encoding: .utf8))?.contains("fido2") ?? false
    }()

    /// The lines that the script prints.
    static func run(_ arguments: [String]) async throws -> [String] {
        let process = Process()
        process.executableURL = root.appendingPathComponent(".build/python/bin/python")
        process.arguments = [root.appendingPathComponent("Tests/Tools/check_accounts.py").path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
            }
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PropertyFailure("the script failed") }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite("Authenticators of others", .serialized, .timeLimit(.minutes(10)))
struct AuthenticatorTests {
    @Test(
        "sign in with the codes that pyotp makes, each once, and with recovery codes",
        .enabled(
            if: Authenticators.isThere, "SKIPPED: no pyotp; scripts/install-dependencies.sh test gets it"))
    func codes() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let begun = try await ann.ask("POST", "/v1/account/totp", json: AccountGatewayFixture.proof)
            let secret = try #require(begun.string("secret"))
            #expect(begun.status == 201)
            // A session alone sets no authenticator up.
            #expect(try await ann.ask("POST", "/v1/account/totp", json: "{}").string("field") == "password")
            let wrong = try await ann.ask("POST", "/v1/account/totp", json: #"{"password":"a guess at it"}"#)
            #expect(wrong.problem == "forbidden")
            fixture.clock.advance(seconds: 1)
            #expect(
                begun.string("uri")?.hasPrefix("otpauth://totp/Bitpal:ann%40example.org?secret=\(secret)")
                    == true)
            let seconds = fixture.clock.now.nanoseconds / 1_000_000_000
            let times = [0, 30, 60, 300, 90].map { String(seconds + $0) }
            let codes = try await Authenticators.run(["codes", secret] + times)
            try #require(codes.count == 5)
            func confirm(_ code: String) async throws -> TestAnswer {
                try await ann.ask("POST", "/v1/account/totp/confirm", json: #"{"code":"\#(code)"}"#)
            }
            // Not in force before a code of it was seen.
            #expect(try await fixture.signIn("ann@example.org").status == 200)
            #expect(try await confirm(codes[3]).string("field") == "code")
            let confirmed = try await confirm(codes[0])
            let recovery = try #require(confirmed.string("recovery_codes.7"))
            let again = try await ann.ask("POST", "/v1/account/totp", json: AccountGatewayFixture.proof)
            #expect(again.problem == "second-factor-required")

            #expect(try await fixture.signIn("ann@example.org").problem == "second-factor-required")
            // Used already; and what was wrong makes one wait.
            #expect(try await fixture.signIn("ann@example.org", code: codes[0]).problem == "unauthenticated")
            #expect(try await fixture.signIn("ann@example.org", code: codes[1]).problem == "throttled")
            fixture.clock.advance(seconds: 30)
            #expect(try await fixture.signIn("ann@example.org", code: codes[1]).status == 200)
            #expect(try await fixture.signIn("ann@example.org", code: codes[1]).status == 401)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.signIn("ann@example.org", code: recovery.lowercased()).status == 200)
            #expect(try await fixture.signIn("ann@example.org", code: recovery).status == 401)
            fixture.clock.advance(seconds: 29)
            // Whoever has session and password has not the second factor yet.
            let alone = try await ann.ask("DELETE", "/v1/account/totp", json: AccountGatewayFixture.proof)
            #expect(alone.problem == "second-factor-required")
            func change(_ code: String) async throws -> TestAnswer {
                try await ann.ask(
                    "POST", "/v1/auth/password",
                    json:
                        #"{"current":"\#(AccountGatewayFixture.password)","new":"another lantern quilt"\#(code)}"#
                )
            }
            #expect(try await change("").problem == "second-factor-required")
            #expect(try await change(#","code":"\#(codes[1])""#).string("field") == "code")
            fixture.clock.advance(seconds: 2)
            // A code is not used up by a password that is refused.
            let weak =
                #"{"current":"\#(AccountGatewayFixture.password)","new":"short","code":"\#(codes[2])"}"#
            #expect(try await ann.ask("POST", "/v1/auth/password", json: weak).problem == "weak-password")
            #expect(try await change(#","code":"\#(codes[2])""#).status == 204)
            fixture.clock.advance(seconds: 30)
            let both = #"{"password":"another lantern quilt","code":"\#(codes[4])"}"#
            #expect(try await ann.ask("DELETE", "/v1/account/totp", json: both).status == 204)
            #expect(try await fixture.signIn("ann@example.org", "another lantern quilt").status == 200)
        }
    }

    @Test(
        "register and sign in with passkeys that fido2 makes, and with nothing else",
        .enabled(
            if: Authenticators.isThere, "SKIPPED: no fido2; scripts/install-dependencies.sh test gets it"),
        arguments: ["ES256", "EdDSA"])
    func passkeys(algorithm: String) async throws {
        try await AccountGatewayFixture.run {
            $0.server.pageURL = "https://bitpal.example"
        } _: { fixture in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let cookie = try #require(ann.headers.last?.1)
            let lines = try await Authenticators.run([
                "passkey", "http://127.0.0.1:\(fixture.fixture.client.port)", "https://bitpal.example",
                cookie,
                algorithm, AccountGatewayFixture.password,
            ])
            #expect(
                lines == [
                    "422 invalid-field", "401 unauthenticated", "201 Device", "410 expired", "409 duplicate",
                    "200 ", "200 ", "410 expired", "401 unauthenticated", "401 unauthenticated",
                ])
            #expect(try await fixture.audited(.passkeyAdd).count == 1)
            let list = try await ann.get("/v1/account/passkeys")
            #expect(list.string("items.0.name") == "Device")
            let id = try #require(list.string("items.0.id"))
            #expect(try await ann.ask("DELETE", "/v1/account/passkeys/\(id)").status == 204)
            #expect(try await ann.get("/v1/account/passkeys").text == #"{"items":[],"next":null}"#)
        }
    }
}
