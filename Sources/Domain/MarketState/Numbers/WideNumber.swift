public import Instruments

/// A decimal as a file gives it, of up to 38 digits: an integer of 128 bits and its decimal places.
public struct WideNumber: Hashable, Sendable {
    /// The integer.
    public let units: Int128
    /// Its decimal places, 0...38.
    public let places: Int

    /// Joins an integer and its places, 0...38.
    init(units: Int128, places: Int) {
        self.units = units
        self.places = places
    }

    /// Parses a JSON-style number such as `-12.50` or `9.121E-7`.
    ///
    /// Zeros at the end of the fraction are left out, so that a padded number needs no more room than its
    /// value.
    /// - Throws: `DecimalError.malformed` or `DecimalError.overflow`.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(DecimalError) {
        var reader = WideNumberReader(bytes: bytes)
        self = try reader.read()
    }
}

/// Reads `-?digits(.digits)?([eE][+-]?digits)?` and nothing else.
private struct WideNumberReader {
    let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func read() throws(DecimalError) -> WideNumber {
        let isNegative = skip(0x2D)
        var units: Int128 = 0
        // Zeros that wait: they count only when another digit follows.
        var zeros = 0
        let whole = try digits(into: &units, zeros: &zeros)
        try append(&units, zeros)
        var places = 0
        zeros = 0
        if index < bytes.count, bytes[index] == 0x2E, whole > 0 {
            index += 1
            let count = try digits(into: &units, zeros: &zeros)
            if count == 0 { throw .malformed(offset: index) }
            places = count - zeros
        }
        if whole == 0 { throw .malformed(offset: index) }
        places -= try exponent()
        guard index == bytes.count else { throw .malformed(offset: index) }
        return try shifted(isNegative ? -units : units, places)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func digits(into units: inout Int128, zeros: inout Int) throws(DecimalError) -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- 0x30 < 10 {
            let digit = bytes[index] &- 0x30
            index += 1
            if digit == 0 {
                zeros += 1
                continue
            }
            try append(&units, zeros + 1)
            zeros = 0
            let (sum, overflow) = units.addingReportingOverflow(Int128(digit))
            if overflow { throw .overflow }
            units = sum
        }
        return index - start
    }

    /// Appends so many zeros to the digits.
    private func append(_ units: inout Int128, _ zeros: Int) throws(DecimalError) {
        if units == 0 { return }
        guard zeros <= PowerOfTen.highest else { throw .overflow }
        let (product, overflow) = units.multipliedReportingOverflow(by: PowerOfTen.int128(zeros))
        if overflow { throw .overflow }
        units = product
    }

    private mutating func exponent() throws(DecimalError) -> Int {
        guard index < bytes.count, bytes[index] | 0x20 == 0x65 else { return 0 }
        index += 1
        let isNegative = skip(0x2D)
        if !isNegative { _ = skip(0x2B) }
        let start = index
        var value = 0
        while index < bytes.count, bytes[index] &- 0x30 < 10 {
            value = value * 10 + Int(bytes[index] &- 0x30)
            if value > 1_000 { throw .overflow }
            index += 1
        }
        if index == start { throw .malformed(offset: index) }
        return isNegative ? -value : value
    }

    /// Brings the places into 0...38 without changing the value.
    private func shifted(_ units: Int128, _ places: Int) throws(DecimalError) -> WideNumber {
        if units == 0 { return WideNumber(units: 0, places: 0) }
        if (0...PowerOfTen.highest).contains(places) { return WideNumber(units: units, places: places) }
        var units = units
        if places > 0 {
            // Zeros before the point may be traded for places too many.
            for _ in PowerOfTen.highest..<places {
                if units % 10 != 0 { throw .overflow }
                units /= 10
            }
            return WideNumber(units: units, places: PowerOfTen.highest)
        }
        try append(&units, -places)
        return WideNumber(units: units, places: 0)
    }
}
