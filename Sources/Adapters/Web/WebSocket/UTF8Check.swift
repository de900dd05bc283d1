/// Says whether bytes are UTF-8.
enum UTF8Check {
    /// Whether all of `bytes` is well-formed UTF-8: no overlong form, no surrogate, nothing past U+10FFFF.
    ///
    /// Market data is ASCII nearly always, so 32 bytes at a time are looked at for a high bit first.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = asciiPrefix(of: bytes)
        while index < bytes.count {
            let length = sequenceLength(in: bytes, at: index)
            guard length > 0 else { return false }
            index += length
            if length == 1 { index += asciiPrefix(of: UnsafeRawBufferPointer(rebasing: bytes[index...])) }
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

    /// The length of the scalar at `index`, 1...4, or 0 when it is malformed or cut off.
    ///
    /// Source: The Unicode Standard, table 3-7, well-formed UTF-8 byte sequences.
    private static func sequenceLength(in bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        let first = bytes[index]
        guard first >= 0x80 else { return 1 }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return 0 }
        for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
