package import Instruments

/// NUMERIC in PostgreSQL's binary format, which ``Numeric`` describes: the same number, with the fewest
/// places.
extension Amount: SQLValue, SQLParameter {
    package static var sqlType: UInt32 { SQLType.numeric }
    package static var sqlArrayType: UInt32 { SQLType.numericArray }

    package func write(to bytes: inout [UInt8]) {
        let groups = groups
        BigEndian.append(UInt16(clamping: groups.digits.count), to: &bytes)
        BigEndian.append(Int16(clamping: groups.weight), to: &bytes)
        BigEndian.append(groups.isNegative ? Numeric.negative : 0, to: &bytes)
        BigEndian.append(UInt16(clamping: groups.places), to: &bytes)
        for digit in groups.digits { BigEndian.append(digit, to: &bytes) }
    }

    package var problem: ValueProblem? {
        if let places = wideUnits?.places, places <= 900 { return nil }
        let groups = groups
        return (groups.weight + 1) * 4 + groups.places > Numeric.maximumDigits ? .outOfRange : nil
    }

    /// Reads the binary form; `nil` when it is malformed, not a number, infinite or too long.
    init?(binary bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        let count = Int(BigEndian.read(UInt16.self, bytes, at: 0))
        let weight = Int(BigEndian.read(Int16.self, bytes, at: 2))
        let sign = BigEndian.read(UInt16.self, bytes, at: 4)
        let places = Int(BigEndian.read(UInt16.self, bytes, at: 6))
        guard bytes.count == 8 + 2 * count, sign == 0 || sign == Numeric.negative,
            (weight + 1) * 4 + places <= Numeric.maximumDigits
        else { return nil }
        let digits = (0..<count).map { BigEndian.read(UInt16.self, bytes, at: 8 + 2 * $0) }
        guard digits.allSatisfy({ $0 < 10_000 }) else { return nil }
        self.init(Groups(isNegative: sign != 0, digits: digits, weight: weight, places: places))
    }
}
