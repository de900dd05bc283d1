/// Follows UTF-8 byte by byte, so that fragments of a text need not be put together to be checked.
///
/// Source: Unicode 15, table 3-7 "Well-Formed UTF-8 Byte Sequences".
struct CharacterCheck {
    /// Bytes that the character still needs.
    private var missing = 0
    /// What the next of them may be.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether no character is half there.
    var isBetween: Bool { missing == 0 }

    /// Takes the next byte; false when no character goes on, or begins, with it.
    mutating func take(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            guard allowed.contains(byte) else { return false }
            (missing, allowed) = (missing - 1, 0x80...0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: (missing, allowed) = (1, 0x80...0xBF)
        case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (missing, allowed) = (2, 0x80...0xBF)
        case 0xED: (missing, allowed) = (2, 0x80...0x9F)
        case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
        case 0xF1...0xF3: (missing, allowed) = (3, 0x80...0xBF)
        case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }
}
