import Accounts
import Crypto
import Encodings
import Instruments
import JWTKit

@testable import GatewayAPI

/// Identity tokens as if from Apple.
///
/// The first byte chooses what follows: `0` a token, `1` claims, which are put into a token of a good key,
/// `2` a header and, from the second line, claims, signed as well, `3` a set of keys.
enum AppleInput {
    private static let nonce = "n"
    private static let now = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
    private static let header = "{\"alg\":\"ES256\",\"kid\":\"k\"}"

    /// Anybody's key: the private number is 1.
    private static let key = try? P256.Signing.PrivateKey(
        rawRepresentation: [UInt8](repeating: 0, count: 31) + [1])

    private static let verifier: AppleVerifier = {
        let point = key.map { Array($0.publicKey.rawRepresentation) } ?? []
        let (x, y) = (Base64URL.text(point.prefix(32)), Base64URL.text(point.dropFirst(32)))
        let document = """
            {"keys":[{"kty":"EC","alg":"ES256","use":"sig","kid":"k","crv":"P-256","x":"\(x)","y":"\(y)"}]}
            """
        return AppleVerifier(
            clients: ["org.example.app"], keys: AppleKeys(clock: { now }) { Array(document.utf8) })
    }()

    static func read(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch first &- 0x30 {
        case 1: verify(signed(Array(header.utf8), rest))
        case 2:
            let head = Array(rest.prefix { $0 != 0x0A })
            verify(signed(head, Array(rest.dropFirst(head.count + 1))))
        case 3: readKeys(rest)
        default: verify(rest.asText)
        }
    }

    /// Whoever is believed has a name, and only a verified address is theirs.
    private static func verify(_ text: String) {
        let token = OneThread.run { try? await verifier.verify(text, nonce: nonce, at: now) }
        guard let token else { return }
        precondition(text.utf8.count <= AppleVerifier.longest, "a long token")
        precondition((1...255).contains(token.subject.utf8.count), "somebody without a name")
        precondition(!token.subject.utf8.contains(0), "a name that no column takes")
    }

    private static func readKeys(_ bytes: [UInt8]) {
        guard let keys = try? AppleKeys.read(bytes) else { return }
        precondition((1...AppleKeys.limits.keys).contains(keys.count), "\(keys.count) keys")
        precondition(
            keys.values.allSatisfy { ["RS256", "ES256"].contains($0.algorithm) }, "another algorithm")
        for key in keys.values {
            OneThread.run { _ = try? await JWTKeyCollection().add(jwk: key.key, isDefault: false) }
        }
    }

    private static func signed(_ header: [UInt8], _ claims: [UInt8]) -> String {
        let content = "\(Base64URL.text(header)).\(Base64URL.text(claims))"
        let signature = (try? key?.signature(for: Array(content.utf8))).map { Array($0.rawRepresentation) }
        return "\(content).\(Base64URL.text(signature ?? []))"
    }
}
