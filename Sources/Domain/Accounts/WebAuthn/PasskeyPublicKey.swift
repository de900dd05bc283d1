import Crypto

/// The public key of a passkey: ES256 (P-256) or EdDSA (Ed25519), in COSE's form (RFC 9053).
package struct PasskeyPublicKey: Hashable, Sendable {
    /// Algorithms that are asked for, the preferred first, by COSE's numbers.
    package static let algorithms = [-8, -7]

    private enum Key: Hashable {
        case es256(x963: [UInt8])
        case ed25519([UInt8])
    }

    private let key: Key
    /// The key as it came, and as it is stored.
    package let cose: [UInt8]

    /// COSE's number of its algorithm.
    package var algorithm: Int {
        switch key {
        case .es256: -7
        case .ed25519: -8
        }
    }

    /// Reads a stored key.
    ///
    /// - Throws: ``PasskeyFault``.
    package init(cose: [UInt8]) throws(PasskeyFault) {
        try self.init(try CBORReader.read(cose), cose: cose)
    }

    /// Reads a key out of a map: 1 is its kind, 3 its algorithm, -1 its curve, -2 and -3 its coordinates.
    init(_ node: CBORNode, cose: [UInt8]) throws(PasskeyFault) {
        guard let map = node.map else { throw .malformed("a key that is no map") }
        func value(_ label: Int64) -> CBORNode? { map[.integer(label)] }
        let names = [1, 3, -1].map { value($0)?.integer }
        let x = value(-2)?.bytes ?? []
        if names == [2, -7, 1], let y = value(-3)?.bytes, x.count == 32, y.count == 32 {
            key = .es256(x963: [4] + x + y)
            // A point that is not on the curve is refused here rather than at the first sign-in.
            guard (try? P256.Signing.PublicKey(x963Representation: [4] + x + y)) != nil else {
                throw .malformed("a key that is no point of the curve")
            }
        } else if names == [1, -8, 6], x.count == 32 {
            key = .ed25519(x)
        } else {
            throw .unsupported("a key that is neither ES256 nor EdDSA with Ed25519")
        }
        self.cose = cose
    }

    /// Whether a signature over bytes is the key's.
    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch key {
        case .es256(let point):
            guard let key = try? P256.Signing.PublicKey(x963Representation: point),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .ed25519(let point):
            guard signature.count == 64,
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: point)
            else { return false }
            return key.isValidSignature(signature, for: bytes)
        }
    }
}
