/// What an authenticator signs (WebAuthn Level 3, 6.1).
struct AuthenticatorData {
    /// SHA-256 of the site's id.
    var siteHash: [UInt8]
    var isPresent: Bool
    var isVerified: Bool
    /// Whether the key may be copied to other devices of its owner.
    var canBeBackedUp: Bool
    var counter: UInt32
    /// A new credential: its id and its key.
    var credential: (model: [UInt8], id: [UInt8], key: PasskeyPublicKey)?

    init(_ bytes: [UInt8]) throws(PasskeyFault) {
        guard bytes.count >= 37 else { throw .malformed("authenticator data that is too short") }
        siteHash = Array(bytes[..<32])
        let flags = bytes[32]
        isPresent = flags & 0x01 != 0
        isVerified = flags & 0x04 != 0
        canBeBackedUp = flags & 0x08 != 0
        guard canBeBackedUp || flags & 0x10 == 0 else {
            throw .malformed("a backup of a key that cannot be backed up")
        }
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var end = 37
        if flags & 0x40 != 0 { end = try readCredential(bytes) }
        if flags & 0x80 != 0 {
            var reader = CBORReader(bytes[end...])
            guard try reader.next().map != nil else { throw .malformed("extensions that are no map") }
            end = reader.index
        }
        guard end == bytes.count else { throw .malformed("bytes after the authenticator data") }
    }

    private mutating func readCredential(_ bytes: [UInt8]) throws(PasskeyFault) -> Int {
        guard bytes.count > 55 else { throw .malformed("authenticator data that is too short") }
        let length = Int(bytes[53]) << 8 | Int(bytes[54])
        // At most 1023 bytes (WebAuthn Level 3, 5.1).
        guard (1...1_023).contains(length), bytes.count > 55 + length else {
            throw .malformed("a credential id of \(length) bytes")
        }
        var reader = CBORReader(bytes[(55 + length)...])
        let node = try reader.next()
        let key = try PasskeyPublicKey(node, cose: Array(bytes[(55 + length)..<reader.index]))
        credential = (Array(bytes[37..<53]), Array(bytes[55..<55 + length]), key)
        return reader.index
    }
}
