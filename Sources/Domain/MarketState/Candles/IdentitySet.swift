/// Identities that were seen, compact and without false positives.
///
/// Numbers of up to 37 digits and UUIDs are kept as 128 bits, all else as text.
struct IdentitySet: Sendable {
    private struct Number: Hashable {
        var value: UInt128
        /// Digits, so that `07` and `7` differ; 255 for a UUID.
        var form: UInt8
    }

    private var numbers: Set<Number> = []
    private var texts: Set<[UInt8]> = []

    /// Returns whether the identity is new.
    mutating func insert(_ identity: UnsafeRawBufferPointer) -> Bool {
        if let number = IdentitySet.number(identity) { return numbers.insert(number).inserted }
        return texts.insert(Array(identity)).inserted
    }

    private static func number(_ text: UnsafeRawBufferPointer) -> Number? {
        if text.count == 36 { return uuid(text) }
        guard text.count <= 37 else { return nil }
        var value: UInt128 = 0
        for byte in text {
            let digit = byte &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + UInt128(digit)
        }
        return Number(value: value, form: UInt8(text.count))
    }

    /// Lower-case hexadecimal in groups of 8-4-4-4-12; other spellings are texts.
    ///
    /// Source: RFC 9562, section 4.
    private static func uuid(_ text: UnsafeRawBufferPointer) -> Number? {
        var value: UInt128 = 0
        for (index, byte) in text.enumerated() {
            switch (index, byte) {
            case (8, 0x2D), (13, 0x2D), (18, 0x2D), (23, 0x2D): continue
            case (8, _), (13, _), (18, _), (23, _): return nil
            case (_, 0x30...0x39): value = value << 4 | UInt128(byte - 0x30)
            case (_, 0x61...0x66): value = value << 4 | UInt128(byte - 0x57)
            default: return nil
            }
        }
        return Number(value: value, form: 255)
    }
}
