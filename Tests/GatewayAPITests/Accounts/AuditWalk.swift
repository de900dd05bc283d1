import AccountStore
import Credentials
import Encodings
import Instruments
import Store
import Support
import Testing

@testable import Accounts
@testable import GatewayAPI

/// A walk through every route that leaves something in the audit log, and what each of them left.
final class AuditWalk {
    private let fixture: AccountGatewayFixture
    /// What was done so far, with the lines that it left.
    private(set) var steps: [(route: String, lines: [AuditEntry])] = []
    /// Texts that no line may have.
    private(set) var secrets = [AccountGatewayFixture.password, "another lantern quilt"]

    init(_ fixture: AccountGatewayFixture) { self.fixture = fixture }

    /// Does something that a route is for.
    @discardableResult
    private func step(_ route: String, _ act: () async throws -> TestAnswer) async throws -> TestAnswer {
        let before = try await fixture.auditLog().count
        let answer = try await act()
        #expect((200..<300).contains(answer.status), "\(route): \(answer.status) \(answer.text)")
        steps.append((route, Array(try await fixture.auditLog().dropLast(before))))
        for name in ["token", "reset.token", "secret"] {
            if let secret = answer.string(name) { secrets.append(secret) }
        }
        return answer
    }

    /// Asks for a path of the pattern that is named.
    @discardableResult
    private func ask(
        _ client: TestClient, _ route: String, _ json: String? = nil, _ ids: String...
    ) async throws -> TestAnswer {
        let parts = route.split(separator: " ").map(String.init)
        var rest = ids
        let path = parts[1].split(separator: "/").map { part in
            part.hasPrefix("{") && !rest.isEmpty ? rest.removeFirst() : String(part)
        }.joined(separator: "/")
        return try await step(route) { try await client.ask(parts[0], "/" + path, json: json) }
    }

    func run() async throws {
        var boss = fixture.nobody
        let made = try await step("POST /v1/auth/first-operator") {
            let (client, answer) = try await fixture.firstOperator()
            boss = client
            return answer
        }
        secrets += ["boss@example.org", "ann@example.org", "ben@example.org"]
        try await invite(by: boss)
        let answer = try await step("POST /v1/auth/sign-up") { try await fixture.signUp("ann@example.org") }
        let ann = try fixture.client(answer)
        let id = try #require(answer.string("user.id"))
        let user = UserID(rawValue: try #require(UniqueID(id)))
        try await waysIn(ann, user)
        try await tokens(boss, ann, id)
        try await others(boss)
        #expect(made.status == 201)
        try await ask(ann, "DELETE /v1/account", #"{"password":"another lantern quilt"}"#)
    }

    private func invite(by boss: TestClient) async throws {
        let made = try await ask(
            boss, "POST /v1/operator/invitations", #"{"email":"ben@example.org","days":3}"#)
        let id = try #require(made.string("id"))
        try await ask(boss, "DELETE /v1/operator/invitations/{id}", nil, id)
    }

    /// Passwords, an authenticator, a passkey, Apple, and a letter's link.
    private func waysIn(_ ann: TestClient, _ user: UserID) async throws {
        let begun = try await ann.ask("POST", "/v1/account/totp", json: AccountGatewayFixture.proof)
        let secret = try #require(begun.string("secret").flatMap { Base32.bytes($0) })
        func code(_ steps: Int64) -> String {
            OneTimePassword.code(secret, step: fixture.clock.now.nanoseconds / 30_000_000_000 + steps)
        }
        try await ask(ann, "POST /v1/account/totp/confirm", #"{"code":"\#(code(-1))"}"#)
        let both = #"{"password":"\#(AccountGatewayFixture.password)","code":"\#(code(0))"}"#
        try await ask(ann, "DELETE /v1/account/totp", both)
        let change = #"{"current":"\#(AccountGatewayFixture.password)","new":"another lantern quilt"}"#
        try await ask(ann, "POST /v1/auth/password", change)
        let (now, text) = (fixture.clock.now, Secrets.text())
        let (key, digest) = (UniqueID(high: 0x7000, low: 1 << 63 | 9), Secrets.digest(text: text) ?? [])
        try await fixture.database.transaction { session in
            try session.addPasskey(
                StoredPasskey(
                    id: key, user: user, credential: [1], publicKey: [2], counter: 0, name: "key",
                    created: now))
            try session.linkApple("001122.abcdef.0011", to: user)
            let ticket = Ticket(.verification, id: key, user: user, at: now, seconds: 60)
            try session.addTicket(ticket, digest: digest)
        }
        try await ask(ann, "DELETE /v1/account/passkeys/{id}", nil, key.description)
        try await ask(ann, "DELETE /v1/account/apple")
        try await ask(fixture.nobody, "POST /v1/auth/verify", #"{"token":"\#(text)"}"#)
    }

    private func tokens(_ boss: TestClient, _ ann: TestClient, _ id: String) async throws {
        let wish = #"{"name":"a name of ann's","scopes":["market:read"]}"#
        secrets.append("a name of ann's")
        let own = try await ask(ann, "POST /v1/account/tokens", wish)
        try await ask(ann, "DELETE /v1/account/tokens/{id}", nil, try #require(own.string("id")))
        let other = try await ask(boss, "POST /v1/operator/users/{id}/tokens", wish, id)
        let token = try #require(other.string("id"))
        try await ask(boss, "DELETE /v1/operator/users/{id}/tokens/{token_id}", nil, id, token)
    }

    /// What an operator does to others, and to the installation.
    private func others(_ boss: TestClient) async throws {
        let ben = try await ask(
            boss, "POST /v1/operator/users", #"{"email":"ben@example.org","role":"operator"}"#)
        let id = try #require(ben.string("user.id"))
        let link = try await ask(boss, "POST /v1/operator/users/{id}/reset", nil, id)
        let token = try #require(link.string("token"))
        try await ask(
            fixture.nobody, "POST /v1/auth/reset/confirm",
            #"{"token":"\#(token)","password":"another lantern quilt"}"#)
        for isDisabled in [true, false] {
            try await ask(boss, "PATCH /v1/operator/users/{id}", #"{"disabled":\#(isDisabled)}"#, id)
        }
        try await ask(
            boss, "PUT /v1/operator/flags",
            #"{"items":[{"name":"beta","percentage":0,"users":{"\#(id)":true}}]}"#)
    }
}
