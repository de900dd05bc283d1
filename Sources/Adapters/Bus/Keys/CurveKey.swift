import CZeroMQ

/// One CURVE key, public or secret: 32 bytes as the 40 characters that every program on ZeroMQ takes.
///
/// Source: rfc.zeromq.org, 32/Z85.
package struct CurveKey: Hashable, Sendable {
    /// Characters of a key.
    package static let length = 40
    private static let byteCount = 32

    /// The key in Z85.
    package let text: String

    /// Reads a key; `nil` when it is none.
    package init?(_ text: String) {
        // The decoder writes four bytes for five characters: the length is looked at first.
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        guard text.utf8.count == Self.length, zmq_z85_decode(&bytes, text) != nil else { return nil }
        self.text = text
    }

    /// Reads a key of 32 bytes; `nil` for any other number.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount, let start = bytes.bindMemory(to: UInt8.self).baseAddress else {
            return nil
        }
        var characters = [CChar](repeating: 0, count: Self.length + 1)
        guard zmq_z85_encode(&characters, start, bytes.count) != nil else { return nil }
        text = String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The public key that belongs to this secret one.
    ///
    /// - Throws: ``BusError/socketFailed(operation:code:)`` when this ZeroMQ was built without CURVE.
    func publicKey() throws(BusError) -> CurveKey {
        var characters = [CChar](repeating: 0, count: Self.length + 1)
        guard zmq_curve_public(&characters, text) == 0,
            let key = CurveKey(
                String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        else { throw .failed("zmq_curve_public", zmq_errno()) }
        return key
    }
}

/// A key that is shown to others, and the one that proves who shows it.
package struct CurveKeyPair: Hashable, Sendable {
    package let publicKey: CurveKey
    package let secretKey: CurveKey

    package init(publicKey: CurveKey, secretKey: CurveKey) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    /// A pair that nobody has.
    ///
    /// - Throws: ``BusError/socketFailed(operation:code:)`` when this ZeroMQ was built without CURVE.
    package static func make() throws(BusError) -> CurveKeyPair {
        var open = [CChar](repeating: 0, count: CurveKey.length + 1)
        var hidden = open
        guard zmq_curve_keypair(&open, &hidden) == 0, let publicKey = key(open), let secretKey = key(hidden)
        else { throw .failed("zmq_curve_keypair", zmq_errno()) }
        return CurveKeyPair(publicKey: publicKey, secretKey: secretKey)
    }

    private static func key(_ characters: [CChar]) -> CurveKey? {
        CurveKey(String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
