/// A UUID: 16 bytes for a `uuid` column.
package struct UniqueID: Hashable, Sendable {
    /// The first eight bytes, the most significant first.
    package let high: UInt64
    /// The last eight bytes.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes one of version 7, whose order is that of the times: 48 bits of milliseconds, then chance.
    ///
    /// Source: RFC 9562 (2024), section 5.7.
    ///
    /// - Parameters:
    ///   - unixNanoseconds: Now; before 1970 counts as 1970.
    ///   - generator: For the 74 bits of chance; one that cannot be foretold.
    package init(version7At unixNanoseconds: Int64, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(max(unixNanoseconds, 0)) / 1_000_000
        high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
        low = 0x8000_0000_0000_0000 | generator.next() >> 2
    }

    /// Reads the canonical form in lower case, such as `0190163d-8694-739b-aea5-966c26f8ad91`.
    package init?(_ text: String) {
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        guard text.utf8.count == 36 else { return nil }
        for (index, byte) in text.utf8.enumerated() {
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            guard isDash == (byte == 0x2D) else { return nil }
            if isDash { continue }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: return nil
            }
            if index < 18 {
                halves.high = halves.high << 4 | UInt64(digit)
            } else {
                halves.low = halves.low << 4 | UInt64(digit)
            }
        }
        (high, low) = halves
    }
}

extension UniqueID: CustomStringConvertible, Comparable {
    /// The canonical form in lower case.
    package var description: String {
        var text = ""
        text.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { text += "-" }
            let half = place < 16 ? high : low
            text += String(half >> UInt64(60 - place % 16 * 4) & 15, radix: 16)
        }
        return text
    }

    /// Orders by the bytes, as PostgreSQL does.
    package static func < (left: UniqueID, right: UniqueID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension UniqueID: SQLValue {
    package static var sqlType: UInt32 { SQLType.uuid }
    package static var sqlArrayType: UInt32 { SQLType.uuidArray }
    package func write(to bytes: inout [UInt8]) {
        BigEndian.append(high, to: &bytes)
        BigEndian.append(low, to: &bytes)
    }
}
