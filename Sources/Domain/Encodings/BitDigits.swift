/// Bytes as digits of a few bits each, the most significant first.
package struct BitDigits: Sendable {
    private let digits: [UInt8]
    /// Of each byte, what it stands for as a digit.
    private let values: [UInt8?]
    private let bits: Int

    /// - Parameters:
    ///   - alphabet: 2ⁿ ASCII characters, for `n` bits each.
    ///   - others: What is read, though never written, and the digit that it is read as.
    package init(_ alphabet: String, readingAlso others: [(read: UInt8, as: UInt8)] = []) {
        digits = Array(alphabet.utf8)
        bits = digits.count.trailingZeroBitCount
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        for (read, digit) in others { values[Int(read)] = values[Int(digit)] }
        self.values = values
    }

    package func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var (buffer, held) = (0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            held += 8
            while held >= bits {
                held -= bits
                text.append(digits[buffer >> held])
                buffer &= 1 << held - 1
            }
        }
        if held > 0 { text.append(digits[buffer << (bits - held)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; `nil` for what is no digit, for one too many, and where bits that are left over are not
    /// zero.
    package func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, held) = (0, 0)
        for digit in text {
            guard let value = values[Int(digit)] else { return nil }
            buffer = buffer << bits | Int(value)
            held += bits
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(buffer >> held))
                buffer &= 1 << held - 1
            }
        }
        return held < bits && buffer == 0 ? bytes : nil
    }
}
