import Crypto
import Encodings
import NIOSSL

/// The public keys that a server may have: who has another one is not spoken to, whoever signed it.
///
/// Source: RFC 7469, 2.4: a pin is the SHA-256 of the certificate's SubjectPublicKeyInfo, in base64.
package struct KeyPins: Sendable, Hashable {
    /// As they were written; none accepts every key.
    package let texts: [String]

    /// Every key that is signed by somebody trusted.
    package static let any = KeyPins(checked: [])

    /// Takes texts that are each a SHA-256 in base64; `nil` where one of them is not.
    package init?(_ texts: [String]) {
        guard texts.allSatisfy({ Base64.bytes($0)?.count == 32 }) else { return nil }
        self.init(checked: texts)
    }

    private init(checked texts: [String]) { self.texts = texts }

    var isEmpty: Bool { texts.isEmpty }

    /// How libcurl writes them.
    var curlText: String { texts.map { "sha256//\($0)" }.joined(separator: ";") }

    /// Whether a certificate has one of the keys.
    func accept(_ certificate: NIOSSLCertificate?) -> Bool {
        certificate.flatMap(Self.text).map(texts.contains) ?? false
    }

    /// The pin of a certificate's key; `nil` where it has none that can be read.
    static func text(of certificate: NIOSSLCertificate) -> String? {
        guard let bytes = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        return Base64.text(SHA256.hash(data: bytes))
    }
}
