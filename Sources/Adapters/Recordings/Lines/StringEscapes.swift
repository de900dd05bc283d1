/// The escapes of JSON strings, both ways.
///
/// Source: RFC 8259, section 7.
enum StringEscapes {
    /// Copies a string's bytes up to its closing quote with escapes resolved; returns the offset after the
    /// quote.
    static func resolve(
        _ bytes: UnsafeRawBufferPointer, from start: Int, into text: inout [UInt8]
    ) throws(LineFault) -> Int {
        var index = start
        var copied = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x20, byte != 0x22, byte != 0x5C {
                index &+= 1
                continue
            }
            text.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[copied..<index]))
            if byte == 0x22 { return index + 1 }
            // Control characters must be escaped.
            guard byte == 0x5C, index + 1 < bytes.count else { throw .badEscape(offset: index) }
            if bytes[index + 1] == 0x75 {
                index = try appendUnicode(bytes, at: index, to: &text)
            } else {
                guard let plain = plain(bytes[index + 1]) else { throw .badEscape(offset: index) }
                text.append(plain)
                index += 2
            }
            copied = index
        }
        throw .notJSON(offset: bytes.count)
    }

    /// Appends bytes as a quoted JSON string.
    ///
    /// They must be UTF-8.
    static func append(_ bytes: UnsafeRawBufferPointer, to line: inout [UInt8]) {
        line.append(0x22)
        var copied = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
            line.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[copied..<index]))
            copied = index + 1
            line.append(0x5C)
            if let letter = letter(byte) {
                line.append(letter)
            } else {
                line.append(contentsOf: [0x75, 0x30, 0x30, digit(byte >> 4), digit(byte & 15)])
            }
        }
        line.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[copied..<bytes.count]))
        line.append(0x22)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x22, 0x5C: byte
        case 0x08: 0x62
        case 0x0C: 0x66
        case 0x0A: 0x6E
        case 0x0D: 0x72
        case 0x09: 0x74
        default: nil
        }
    }

    private static func plain(_ letter: UInt8) -> UInt8? {
        switch letter {
        case 0x22, 0x5C, 0x2F: letter
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: nil
        }
    }

    /// Appends the UTF-8 of a `\uXXXX`, or of two that are a surrogate pair; returns where the rest begins.
    private static func appendUnicode(
        _ bytes: UnsafeRawBufferPointer, at start: Int, to text: inout [UInt8]
    ) throws(LineFault) -> Int {
        guard let first = hex(bytes, start + 2) else { throw .badEscape(offset: start) }
        var value = first
        var next = start + 6
        if first & 0xFC00 == 0xD800 {
            guard start + 12 <= bytes.count, bytes[start + 6] == 0x5C, bytes[start + 7] == 0x75,
                let second = hex(bytes, start + 8), second & 0xFC00 == 0xDC00
            else { throw .badEscape(offset: start) }
            value = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
            next = start + 12
        }
        guard let scalar = Unicode.Scalar(value) else { throw .badEscape(offset: start) }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return next
    }

    private static func hex(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[start..<start + 4] {
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: return nil
            }
        }
        return value
    }
}
