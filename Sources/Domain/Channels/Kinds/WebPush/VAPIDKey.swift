import Crypto
import Encodings
package import Instruments
import JSON

/// Who we are to the push services of browsers (RFC 8292).
package struct VAPIDKey: Sendable {
    /// Seconds for which a token holds; RFC 8292 allows 24 hours.
    static let lifetime: Int64 = 12 * 3_600

    private let key: P256.Signing.PrivateKey
    private let subject: String

    /// The public key, Base64 for URLs: what a browser wants as `applicationServerKey`.
    package var publicText: String { Base64URL.text(key.publicKey.x963Representation) }

    /// Takes the 32 bytes of a P-256 key and an address of the operator.
    ///
    /// - Throws: ``FieldFault``, which never shows the key.
    package init(privateKey: Secret, subject: String) throws(FieldFault) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: privateKey.bytes) else {
            throw FieldFault(
                "vapid.key", "(secret)", accepted: "the 32 bytes of a private key of P-256")
        }
        let isAddress = subject.hasPrefix("mailto:") && MailAddress.isValid(String(subject.dropFirst(7)))
        guard isAddress || DestinationURL(subject) != nil else {
            throw FieldFault(
                "vapid.subject", String(subject.prefix(60)),
                accepted: "mailto: and an address, or an https URL")
        }
        self.key = key
        self.subject = subject
    }

    /// The 32 bytes of a new private key.
    package static func newKey() -> Secret {
        Secret(bytes: Array(P256.Signing.PrivateKey().rawRepresentation))
    }

    /// The public key of a private one as ``publicText``; `nil` for bytes that are none.
    package static func publicText(of privateKey: Secret) -> String? {
        let key = try? P256.Signing.PrivateKey(rawRepresentation: privateKey.bytes)
        return key.map { Base64URL.text($0.publicKey.x963Representation) }
    }

    /// The value of the `Authorization` header for one push service.
    ///
    /// - Throws: ``FieldFault`` when the key cannot sign.
    func authorization(for endpoint: DestinationURL, at now: Timestamp) throws(FieldFault) -> String {
        let claims: JSONObject = [
            "aud": .string(endpoint.origin),
            "exp": .integer(now.nanoseconds / 1_000_000_000 + VAPIDKey.lifetime),
            "sub": .string(subject),
        ]
        let header: JSONObject = ["typ": .string("JWT"), "alg": .string("ES256")]
        guard let token = try? SignedToken.text(header: header, claims: claims, key: key) else {
            throw FieldFault("vapid.key", "(secret)", accepted: "a key that can sign")
        }
        return "vapid t=\(token), k=\(publicText)"
    }
}
