import Crypto
package import Instruments
import JSON

/// A token that names us to Apple's push service, and since when.
package struct APNsToken: Hashable, Sendable {
    /// The compact form.
    package var text: Secret
    /// When it was made; Apple looks at this.
    package var issued: Timestamp

    package init(text: Secret, issued: Timestamp) {
        self.text = text
        self.issued = issued
    }
}

/// The operator's key for Apple's push service.
///
/// Source: developer.apple.com, "Establishing a token-based connection to APNs".
package struct APNsKey: Sendable {
    /// Seconds for which a token is used: Apple refuses those older than an hour, and more than one new token
    /// in 20 minutes.
    static let reuse: Int64 = 50 * 60

    private let keyID: String
    private let teamID: String
    private let key: P256.Signing.PrivateKey

    /// Takes the two identifiers of ten characters and the text of Apple's `.p8` file.
    ///
    /// - Throws: ``FieldFault``, which never shows the key.
    package init(keyID: String, teamID: String, pem: Secret) throws(FieldFault) {
        for (field, id) in [("apns.key_id", keyID), ("apns.team_id", teamID)] {
            let isRight =
                id.utf8.count == 10
                && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
            guard isRight else {
                throw FieldFault(
                    field, String(id.prefix(60)), accepted: "ten capital letters and digits")
            }
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem.text) else {
            throw FieldFault(
                "apns.key", "(secret)", accepted: "the text of a .p8 file: a P-256 key in PEM")
        }
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
    }

    /// The token to use: the one before while it is young enough, else a new one.
    ///
    /// - Throws: ``FieldFault`` when the key cannot sign.
    package func token(
        reusing last: APNsToken?, at now: Timestamp
    ) throws(FieldFault) -> APNsToken {
        if let last {
            let age = now.nanoseconds(since: last.issued) / 1_000_000_000
            if age >= 0, age < APNsKey.reuse { return last }
        }
        let claims: JSONObject = [
            "iss": .string(teamID), "iat": .integer(now.nanoseconds / 1_000_000_000),
        ]
        let header: JSONObject = ["alg": .string("ES256"), "kid": .string(keyID)]
        guard let text = try? SignedToken.text(header: header, claims: claims, key: key) else {
            throw FieldFault("apns.key", "(secret)", accepted: "a key that can sign")
        }
        return APNsToken(text: Secret(text), issued: now)
    }
}
