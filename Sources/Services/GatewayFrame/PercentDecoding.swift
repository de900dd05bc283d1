/// Percent-encoded text of addresses (RFC 3986), read strictly.
enum PercentDecoding {
    /// The text.
    ///
    /// - Parameters:
    ///   - raw: As it stands in the address.
    ///   - plusIsSpace: As forms write parameters.
    ///   - place: Where it stands, for the refusal.
    /// - Returns: What was meant.
    /// - Throws: `bad-request` for half an escape, for bytes that are no UTF-8 (overlong forms are none), and
    ///   for control characters.
    static func decode(_ raw: Substring, plusIsSpace: Bool, _ place: String) throws(Problem) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.utf8.count)
        var rest = raw.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                    throw Problem(.badRequest, "\(place) has a % without two hexadecimal digits after it")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(.badRequest, "\(place) is not UTF-8")
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem(.badRequest, "\(place) has a control character; accepted: text without any")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
