import Instruments
import Venues

/// What the readers of all providers share.
enum ProviderJSON {
    /// Reads a whole answer.
    static func read<Value>(
        _ body: [UInt8], _ read: (inout JSONScanner) throws(ScanError) -> Value
    ) throws(ProviderError) -> Value {
        do {
            return try body.withUnsafeBytes { bytes in
                guard var scanner = JSONScanner(bytes) else { throw ScanError.malformed }
                let value = try read(&scanner)
                try scanner.expectEnd()
                return value
            }
        } catch {
            throw .malformed
        }
    }

    /// Keys and codes joined by commas, as they may stand in a query; what would need escaping is left out.
    static func joined(_ names: some Sequence<String>) -> String {
        names.filter { name in
            !name.isEmpty && name.utf8.count <= 128
                && name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                        || [0x2D, 0x2E, 0x5F].contains(byte)
                }
        }.joined(separator: ",")
    }
}

extension JSONScanner {
    /// A text; `nil` for null.
    mutating func textOrNil() throws(ScanError) -> String? {
        if try takeNull() { return nil }
        return string(try text())
    }

    /// A number of any size, bare or quoted; `nil` for null and for an empty text.
    mutating func figure() throws(ScanError) -> Amount? {
        if try takeNull() { return nil }
        let text = bytes(try scalarText())
        if text.isEmpty { return nil }
        do throws(AmountError) {
            return try Amount(parsing: text)
        } catch {
            throw .malformed
        }
    }

    /// A number above zero; `nil` for what is not, with which providers say that they know nothing.
    mutating func positive() throws(ScanError) -> Amount? {
        guard let number = try figure(), !number.isNegative, !number.isZero else { return nil }
        return number
    }

    /// A rank from 1; `nil` for none.
    mutating func rank() throws(ScanError) -> Int32? {
        if try takeNull() { return nil }
        let rank = try integer()
        return rank > 0 ? Int32(exactly: rank) : nil
    }

    /// A time as ISO 8601; `nil` for null and for what is none.
    mutating func time() throws(ScanError) -> Timestamp? {
        try textOrNil().flatMap { Timestamp(iso8601: $0) }
    }

    /// A time in whole seconds since 1970; `nil` for null, 0 and what is out of range.
    mutating func seconds() throws(ScanError) -> Timestamp? {
        if try takeNull() { return nil }
        let seconds = try integer()
        guard (1..<9_000_000_000).contains(seconds) else { return nil }
        return Timestamp(nanoseconds: seconds * 1_000_000_000)
    }
}
