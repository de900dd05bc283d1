import Crypto
import Encodings

/// What was asked of a passkey, against which its answer is checked.
///
/// Source: W3C, Web Authentication Level 3 (2025), 7.1 and 7.2; step numbers are of these lists.
package struct PasskeyCeremony: Hashable, Sendable {
    /// The site's id: the host name of its origins, or a parent of it.
    package var site: String
    /// Pages that may ask, such as `https://bitpal.example`.
    package var origins: Set<String>
    /// The bytes that the answer must repeat.
    package var challenge: [UInt8]
    /// Whether the person must have been verified by the device: by finger, face or PIN.
    package var needsVerification: Bool

    package init(site: String, origins: Set<String>, challenge: [UInt8], needsVerification: Bool = true) {
        self.site = site
        self.origins = origins
        self.challenge = challenge
        self.needsVerification = needsVerification
    }

    /// A passkey that was just made.
    package struct NewPasskey: Hashable, Sendable {
        /// By which the device knows it, 1...1023 bytes.
        package var id: [UInt8]
        /// What its signatures are checked with.
        package var key: PasskeyPublicKey
        /// How often it has signed, or 0 for one that does not count.
        package var counter: UInt32
        /// The device's model, 16 bytes; zeros for one that does not say.
        package var model: [UInt8]
        /// Whether it may be copied to other devices of its owner.
        package var canBeBackedUp: Bool
    }

    /// The challenge that an answer repeats, to look it up by; still to be checked.
    ///
    /// - Throws: ``PasskeyFault`` for client data that cannot be read.
    package static func challenge(in clientData: [UInt8]) throws(PasskeyFault) -> [UInt8] {
        guard let text = try ClientData(clientData).challenge, let bytes = Base64URL.bytes(text) else {
            throw .malformed("no challenge in its client data")
        }
        return bytes
    }

    /// Checks the answer to `navigator.credentials.create`.
    ///
    /// - Parameters:
    ///   - clientData: `clientDataJSON`.
    ///   - attestation: `attestationObject`; its statement is `none`, or `packed` signed by the key itself.
    /// - Returns: The passkey, to be stored.
    /// - Throws: ``PasskeyFault``.
    package func registration(
        clientData: [UInt8], attestation: [UInt8]
    ) throws(PasskeyFault) -> NewPasskey {
        try check(clientData, type: "webauthn.create")
        guard let map = try CBORReader.read(attestation).map, map.count <= 8,
            let format = map[.text("fmt")]?.text, let statement = map[.text("attStmt")]?.map,
            let signed = map[.text("authData")]?.bytes
        else { throw .malformed("an attestation without its three parts") }
        let data = try AuthenticatorData(signed)
        try check(data)
        guard let credential = data.credential else { throw .malformed("no new key") }
        // Step 21 ff.: who made the device is not asked, so only these two can come.
        switch format {
        case "none":
            guard statement.isEmpty else { throw .malformed("an attestation none with a statement") }
        case "packed":
            guard statement[.text("x5c")] == nil, statement[.text("ecdaaKeyId")] == nil else {
                throw .unsupported("an attestation by the device's maker")
            }
            guard statement[.text("alg")]?.integer == Int64(credential.key.algorithm),
                let signature = statement[.text("sig")]?.bytes
            else { throw .malformed("an attestation of another algorithm") }
            guard credential.key.isSignature(signature, of: signed + SHA256.hash(data: clientData)) else {
                throw .badSignature
            }
        default: throw .unsupported("an attestation \(format.quoted)")
        }
        return NewPasskey(
            id: credential.id, key: credential.key, counter: data.counter, model: credential.model,
            canBeBackedUp: data.canBeBackedUp)
    }

    /// Checks the answer to `navigator.credentials.get`, and returns the passkey's new counter.
    ///
    /// - Parameters:
    ///   - clientData: `clientDataJSON`.
    ///   - authenticatorData: `authenticatorData`.
    ///   - signature: `signature`.
    ///   - key: The stored key of the credential that the answer names.
    ///   - counter: Its stored counter.
    /// - Returns: The counter to store.
    /// - Throws: ``PasskeyFault``.
    package func assertion(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], by key: PasskeyPublicKey,
        after counter: UInt32
    ) throws(PasskeyFault) -> UInt32 {
        try check(clientData, type: "webauthn.get")
        guard authenticatorData.count <= 4_096 else { throw .malformed("long authenticator data") }
        let data = try AuthenticatorData(authenticatorData)
        try check(data)
        guard key.isSignature(signature, of: authenticatorData + SHA256.hash(data: clientData)) else {
            throw .badSignature
        }
        // 7.2, step 22: a key that counts counts up.
        if data.counter != 0 || counter != 0 {
            guard data.counter > counter else { throw .copied }
        }
        return data.counter
    }

    /// 7.1, steps 7 to 11, and 7.2, steps 10 to 14.
    private func check(_ clientData: [UInt8], type: String) throws(PasskeyFault) {
        let data = try ClientData(clientData)
        guard data.type == type else { throw .mismatched("kind of question") }
        guard data.challenge == Base64URL.text(challenge), !challenge.isEmpty else {
            throw .mismatched("challenge")
        }
        guard let origin = data.origin, origins.contains(origin), !data.isCrossOrigin else {
            throw .mismatched("origin")
        }
    }

    /// 7.1, steps 13 to 16, and 7.2, steps 15 to 18.
    private func check(_ data: AuthenticatorData) throws(PasskeyFault) {
        guard data.siteHash == Array(SHA256.hash(data: Array(site.utf8))) else { throw .mismatched("site") }
        guard data.isPresent else { throw .unverified("present") }
        guard data.isVerified || !needsVerification else { throw .unverified("verified") }
    }
}
