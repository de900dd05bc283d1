/// Follows UTF-8 as it comes, so that the parts of a text need not be put together to be checked.
///
/// Well-formed is: no overlong form, no surrogate, nothing past U+10FFFF.
///
/// Source: The Unicode Standard, table 3-7, well-formed UTF-8 byte sequences.
package struct UTF8Check: Sendable {
    /// Bytes that the character still needs.
    private var missing = 0
    /// What the next of them may be.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    package init() {}

    /// Whether no character is half there.
    package var isBetween: Bool { missing == 0 }

    /// Whether all of `bytes` is a text.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var check = UTF8Check()
        return check.take(bytes) && check.isBetween
    }

    /// Takes the next bytes; false at the one with which no character goes on, or begins.
    ///
    /// Market data is ASCII nearly always, so 32 bytes at a time are looked at for a high bit first.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0, bytes[index] < 0x80 {
                index += Self.asciiPrefix(of: UnsafeRawBufferPointer(rebasing: bytes[index...]))
            } else {
                guard take(bytes[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    /// Takes the next byte; false when no character goes on, or begins, with it.
    package mutating func take(_ byte: UInt8) -> Bool {
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

    /// How many bytes at the beginning are ASCII.
    private static func asciiPrefix(of bytes: UnsafeRawBufferPointer) -> Int {
        var index = 0
        while bytes.count - index >= 32 {
            let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            guard block & 0x8080_8080_8080_8080 == .zero else { break }
            index += 32
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
