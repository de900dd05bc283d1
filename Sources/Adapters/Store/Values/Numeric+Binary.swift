/// NUMERIC in PostgreSQL's binary format: four 16-bit words, then digits of base 10,000.
///
/// Words: number of digits, weight of the first digit, sign, decimal places to show.
/// Source: PostgreSQL 15, `src/backend/utils/adt/numeric.c`, `numeric_send` and `numeric_recv`.
extension Numeric {
    static let negative: UInt16 = 0x4000

    /// Appends the binary form.
    package func write(to bytes: inout [UInt8]) {
        let isNegative = description.utf8.first == UInt8(ascii: "-")
        let parts = description.utf8.drop { $0 == UInt8(ascii: "-") }
            .split(separator: UInt8(ascii: "."))
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        var digits = Self.groups(of: Array(parts[0]), alignedToPoint: true)
        var weight = digits.count - 1
        digits += Self.groups(of: fraction, alignedToPoint: false)
        while digits.first == 0 {
            digits.removeFirst()
            weight -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { weight = 0 }
        BigEndian.append(UInt16(digits.count), to: &bytes)
        BigEndian.append(Int16(weight), to: &bytes)
        BigEndian.append(isNegative ? Self.negative : 0, to: &bytes)
        BigEndian.append(UInt16(fraction.count), to: &bytes)
        for digit in digits { BigEndian.append(digit, to: &bytes) }
    }

    /// Groups of four decimal digits: whole digits are padded on the left, a fraction on the right.
    private static func groups(of digits: [UInt8], alignedToPoint: Bool) -> [UInt16] {
        let padding = (4 - digits.count % 4) % 4
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: padding)
        let padded = alignedToPoint ? zeros + digits : digits + zeros
        return stride(from: 0, to: padded.count, by: 4).map { start in
            padded[start..<start + 4].reduce(0) { $0 * 10 + UInt16($1 - UInt8(ascii: "0")) }
        }
    }

    /// Reads the binary form; `nil` when it is malformed, not a number, infinite or too long.
    init?(binary bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        let count = Int(BigEndian.read(UInt16.self, bytes, at: 0))
        let weight = Int(BigEndian.read(Int16.self, bytes, at: 2))
        let sign = BigEndian.read(UInt16.self, bytes, at: 4)
        let scale = Int(BigEndian.read(UInt16.self, bytes, at: 6))
        guard bytes.count == 8 + 2 * count, sign == 0 || sign == Self.negative else { return nil }
        guard (weight + 1) * 4 + scale <= Self.maximumDigits else { return nil }
        func group(_ position: Int) -> UInt16 {
            let index = weight - position
            return index >= 0 && index < count ? BigEndian.read(UInt16.self, bytes, at: 8 + 2 * index) : 0
        }
        // One piece of memory for the text: a chart reads tens of thousands of these.
        let capacity = 4 * (max(weight, 0) + 1) + scale + 3
        description = String(unsafeUninitializedCapacity: capacity) { buffer in
            var text = DigitBuffer(buffer)
            for position in stride(from: max(weight, 0), through: 0, by: -1) {
                let group = group(position)
                for place in 0..<4 { text.appendWhole(Self.digit(place, of: group)) }
            }
            text.endWhole()
            if scale > 0 { text.append(UInt8(ascii: ".")) }
            for place in 0..<scale { text.appendFraction(Self.digit(place % 4, of: group(-1 - place / 4))) }
            return text.finish(isNegative: sign != 0)
        }
    }

    /// Digit 0...3 of a group, from the left.
    private static func digit(_ place: Int, of group: UInt16) -> UInt8 {
        let divisor: UInt16 =
            switch place {
            case 0: 1_000
            case 1: 100
            case 2: 10
            default: 1
            }
        return UInt8(group / divisor % 10)
    }
}

/// Writes a number's text from the left, with room for a sign in front.
private struct DigitBuffer {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private var count = 1
    private var isZero = true

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func append(_ character: UInt8) {
        buffer[count] = character
        count += 1
    }

    /// Leaves leading zeros out.
    mutating func appendWhole(_ digit: UInt8) {
        if digit > 0 || count > 1 { appendFraction(digit) }
    }

    /// A number has a digit before its point.
    mutating func endWhole() {
        if count == 1 { append(UInt8(ascii: "0")) }
    }

    mutating func appendFraction(_ digit: UInt8) {
        if digit > 0 { isZero = false }
        append(UInt8(ascii: "0") + digit)
    }

    /// Writes the sign, which zero has none of, and says how long the text is.
    func finish(isNegative: Bool) -> Int {
        if isNegative, !isZero {
            buffer[0] = UInt8(ascii: "-")
            return count
        }
        for index in 1..<count { buffer[index - 1] = buffer[index] }
        return count - 1
    }
}
