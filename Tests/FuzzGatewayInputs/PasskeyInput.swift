import Crypto
import Encodings

@testable import Accounts

/// What browsers and authenticators say of a passkey.
enum PasskeyInput {
    private static let ceremony = PasskeyCeremony(
        site: "example.org", origins: ["https://example.org"], challenge: Array("who is there?".utf8))
    /// A point that everybody knows: the generator of P-256 (FIPS 186-5), so no one's key.
    private static let generator = PasskeyInput.key(
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")

    private static func client(_ type: String) -> [UInt8] {
        let challenge = Base64URL.text(ceremony.challenge)
        let origin = "https://example.org"
        return Array("{\"type\":\"\(type)\",\"challenge\":\"\(challenge)\",\"origin\":\"\(origin)\"}".utf8)
    }

    private static func key(_ x: String, _ y: String) -> PasskeyPublicKey? {
        let (x, y) = (Hexadecimal.bytes(x) ?? [], Hexadecimal.bytes(y) ?? [])
        let head: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
        return try? PasskeyPublicKey(cose: head + x + [0x22, 0x58, 0x20] + y)
    }

    /// What is read of client data is what the ceremony looks at; a challenge in it is bytes as text.
    static func readClientData(_ bytes: [UInt8]) {
        guard let data = try? ClientData(bytes) else {
            precondition((try? PasskeyCeremony.challenge(in: bytes)) == nil, "a challenge out of nothing")
            return
        }
        if let challenge = try? PasskeyCeremony.challenge(in: bytes) {
            precondition(Base64URL.text(challenge) == data.challenge, "another challenge")
        }
    }

    /// A new passkey has an id and a key within their bounds; an old one is never believed without a
    /// signature.
    static func readAuthenticatorData(_ bytes: [UInt8]) {
        if let data = try? AuthenticatorData(bytes), let credential = data.credential {
            precondition((1...1_023).contains(credential.id.count), "an id of \(credential.id.count) bytes")
            precondition((try? PasskeyPublicKey(cose: credential.key.cose)) == credential.key, "another key")
        }
        guard let generator else { preconditionFailure("the generator is a point of its curve") }
        let counter = try? ceremony.assertion(
            clientData: client("webauthn.get"), authenticatorData: bytes, signature: bytes, by: generator,
            after: 0)
        precondition(counter == nil, "a signature by nobody")
    }

    /// CBOR is read within its bounds; what registers a passkey is one for this site.
    static func readAttestation(_ bytes: [UInt8]) {
        if let node = try? CBORReader.read(bytes) {
            let size = size(of: node)
            precondition(size.depth <= CBORReader.depthLimit, "CBOR of \(size.depth) levels")
            precondition(size.count <= CBORReader.itemLimit, "CBOR of \(size.count) values")
        }
        _ = try? PasskeyPublicKey(cose: bytes)
        let made = try? ceremony.registration(
            clientData: client("webauthn.create"), attestation: bytes)
        guard let made else { return }
        precondition((1...1_023).contains(made.id.count) && made.model.count == 16, "a passkey without an id")
    }

    private static func size(of node: CBORNode) -> (count: Int, depth: Int) {
        let inner: [CBORNode]
        switch node {
        case .array(let nodes): inner = nodes
        case .map(let map): inner = Array(map.keys) + Array(map.values)
        default: inner = []
        }
        let sizes = inner.map(size)
        return (1 + sizes.reduce(0) { $0 + $1.count }, 1 + (sizes.map(\.depth).max() ?? 0))
    }
}
