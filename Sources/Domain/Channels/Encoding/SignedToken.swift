import Crypto
import Encodings
import JSON

/// A JSON Web Token signed with ES256 (RFC 7515, RFC 7518 section 3.4).
enum SignedToken {
    /// The compact form: three parts joined by dots.
    ///
    /// The cryptographic library makes the signature's own nonce, so two tokens of the same claims differ.
    ///
    /// - Throws: what the library says; it has no reason to, since the key was checked before.
    static func text(
        header: JSONObject, claims: JSONObject, key: P256.Signing.PrivateKey
    ) throws -> String {
        let parts = [header, claims].map { Base64URL.text(JSONValue.object($0).bytes) }
        let content = parts.joined(separator: ".")
        let signature = try key.signature(for: Array(content.utf8))
        return "\(content).\(Base64URL.text(signature.rawRepresentation))"
    }
}
