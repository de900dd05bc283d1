import Instruments

/// What the readers of histories share.
enum HistoryText {
    /// A text field of an object.
    static func field(_ name: StaticString, in scanner: inout JSONScanner) throws(ScanError) -> String? {
        var text: String?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, name), try scanner.peek() == 0x22 else { return try scanner.skip() }
            text = scanner.string(try scanner.text())
        }
        return text
    }
}

extension JSONScanner {
    /// A number of any size, bare or quoted; `nil` for null.
    mutating func amount() throws(ScanError) -> Amount? {
        if try takeNull() { return nil }
        let text = bytes(try scalarText())
        do throws(AmountError) {
            return try Amount(parsing: text)
        } catch {
            throw .malformed
        }
    }

    /// A number that is not negative.
    mutating func volume() throws(ScanError) -> Amount {
        guard let amount = try amount(), !amount.isNegative else { throw .malformed }
        return amount
    }

    /// An array of so many values, each read by its place.
    mutating func row(
        _ count: Int, _ body: (inout JSONScanner, Int) throws(ScanError) -> Void
    ) throws(ScanError) {
        var place = 0
        try array { scanner throws(ScanError) in
            if place < count { try body(&scanner, place) } else { try scanner.skip() }
            place += 1
        }
        guard place >= count else { throw .malformed }
    }
}
