import AccountStore
import Crypto
import Encodings
import Store
import Support

@testable import GatewayAPI

/// Where things are made again and again.
struct MakingGround: Sendable {
    let fixture: AccountGatewayFixture
    /// Somebody who may do everything, by a way to PostgreSQL that does not break.
    let boss: TestClient
    /// Which time it is; no two have the same.
    let number: Int

    /// A name that nothing has yet.
    var name: String { "n\(number)" }

    func portfolio() async throws -> String {
        "/v1/portfolios/\(try await boss.make("/v1/portfolios", #"{"name":"\#(name)"}"#))"
    }

    /// One with a wallet.
    func ledger() async throws -> String {
        let path = try await portfolio()
        let answer = try await boss.ask("POST", "\(path)/wallets", json: #"{"name":"Cold"}"#)
        guard answer.status == 201 else { throw PropertyFailure("a wallet: \(answer.text)") }
        return path
    }

    func alert() async throws -> String { try await boss.make("/v1/alerts", Making.rule) }

    func watchlist() async throws -> String {
        "/v1/watchlists/\(try await boss.make("/v1/watchlists", #"{"name":"\#(name)"}"#))"
    }

    func user() async throws -> String {
        let answer = try await boss.ask(
            "POST", "/v1/operator/users", json: #"{"email":"\#(name)@example.org"}"#)
        guard let id = answer.string("user.id") else { throw PropertyFailure(answer.text) }
        return id
    }

    /// What a browser says to a question of this installation.
    func passkey() async throws -> String {
        guard let accounts = fixture.accountService,
            let user = UniqueID(try await boss.get("/v1/account").string("user.id") ?? "")
        else { throw PropertyFailure("no accounts") }
        let challenge = (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) }
        let now = accounts.clock()
        let ticket = Ticket(
            .passkeyRegistration, id: accounts.newID(at: now), user: UserID(rawValue: user), at: now,
            seconds: 300)
        let digest = Array(SHA256.hash(data: challenge))
        try await fixture.database.transaction { try $0.addTicket(ticket, digest: digest) }
        let device = MadePasskey(origin: accounts.origin, credential: challenge)
        return device.answer(to: challenge)
    }
}

/// An authenticator that does as it is told.
private struct MadePasskey {
    let origin: String
    let credential: [UInt8]
    private let key = P256.Signing.PrivateKey()

    init(origin: String, credential: [UInt8]) { (self.origin, self.credential) = (origin, credential) }

    /// The host in the origin, which signs for.
    private var site: String {
        String(origin.drop { $0 != "/" }.dropFirst(2).prefix { $0 != ":" })
    }

    func answer(to challenge: [UInt8]) -> String {
        let client =
            #"{"type":"webauthn.create","challenge":"\#(Base64URL.text(challenge))","#
            + #""origin":"\#(origin)","crossOrigin":false}"#
        let id = Base64URL.text(credential)
        return #"{"name":"key","id":"\#(id)","rawId":"\#(id)","type":"public-key","response":{"#
            + #""clientDataJSON":"\#(Base64URL.text(Array(client.utf8)))","#
            + #""attestationObject":"\#(Base64URL.text(attestation))"}}"#
    }

    /// CBOR as of WebAuthn, section 6.5.4, with a statement of the format none.
    private var attestation: [UInt8] {
        let point = Array(key.publicKey.rawRepresentation)
        let cose: [UInt8] =
            [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32] + point[..<32] + [0x22, 0x58, 32] + point[32...]
        let data =
            Array(SHA256.hash(data: Array(site.utf8))) + [0x45, 0, 0, 0, 1]
            + [UInt8](repeating: 0, count: 16) + [0, UInt8(credential.count)] + credential + cose
        return [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8)
            + [0x67] + Array("attStmt".utf8) + [0xA0]
            + [0x68] + Array("authData".utf8) + [0x58, UInt8(data.count)] + data
    }
}
