/// Resolves the escapes of JSON strings.
///
/// Source: RFC 8259, section 7.
enum JSONEscapes {
    /// The text; `nil` when an escape is broken or the result is no UTF-8.
    static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x5C else {
                result.append(byte)
                index += 1
                continue
            }
            guard index + 1 < bytes.count else { return nil }
            if bytes[index + 1] == 0x75 {
                guard let (scalar, next) = unicode(bytes, index) else { return nil }
                result.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
                index = next
                continue
            }
            guard let plain = single(bytes[index + 1]) else { return nil }
            result.append(plain)
            index += 2
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func single(_ letter: UInt8) -> UInt8? {
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

    /// A `\uXXXX`, or two that are a surrogate pair; and where the rest begins.
    private static func unicode(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> (Unicode.Scalar, Int)? {
        guard let high = hex(bytes, start + 2) else { return nil }
        if let scalar = Unicode.Scalar(high) { return (scalar, start + 6) }
        guard high < 0xDC00, start + 7 < bytes.count, bytes[start + 6] == 0x5C, bytes[start + 7] == 0x75,
            let low = hex(bytes, start + 8), (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (scalar, start + 12)
    }

    private static func hex(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for index in start..<start + 4 {
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
