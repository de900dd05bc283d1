import Instruments

/// How a venue's decimal places are to be understood.
enum DecimalPolicy {
    /// Trailing zeros mean nothing: the scale follows the significant places.
    case significant
    /// The text itself is hashed by the venue: trailing zeros count as places.
    case verbatim
}

/// Which scale a number belongs to.
enum DecimalRole {
    case price
    case size
}

/// A number at its instrument's scale, with the places that its text had.
struct ScannedDecimal {
    var units: Int64
    var places: Int
}

extension JSONScanner {
    /// A number, bare or quoted, as units of 10^-scale.
    ///
    /// The plain case is one pass: digits up to the scale, then nothing but zeros. Exponents and numbers of
    /// more places go through ``DecimalNumber``.
    @inline(__always)
    mutating func decimal(
        _ role: DecimalRole, scale: Scale, policy: DecimalPolicy
    ) throws(ScanError) -> ScannedDecimal {
        let isQuoted = try take(0x22)
        let start = index
        var isNegative = false
        if index < count, base[index] == 0x2D {
            isNegative = true
            index &+= 1
        }
        let firstDigit = index
        var units: Int64 = 0
        while index < count {
            let digit = base[index] &- 0x30
            if digit >= 10 { break }
            units = units &* 10 &+ Int64(digit)
            index &+= 1
        }
        var places = 0
        let wholeDigits = index &- firstDigit
        if wholeDigits == 0 { throw .malformed }
        var isBeyondScale = false
        if index < count, base[index] == 0x2E {
            index &+= 1
            let firstPlace = index
            let lastPlace = firstPlace &+ scale.places
            while index < count {
                let digit = base[index] &- 0x30
                if digit >= 10 { break }
                if index < lastPlace {
                    units = units &* 10 &+ Int64(digit)
                } else if digit != 0 {
                    isBeyondScale = true
                }
                index &+= 1
            }
            places = index &- firstPlace
            if places == 0 { throw .malformed }
        }
        let hasExponent = index < count && base[index] | 0x20 == 0x65
        let kept = min(places, scale.places)
        if hasExponent || isBeyondScale || wholeDigits &+ kept > 18
            || (policy == .verbatim && places > scale.places)
        {
            return try slowDecimal(role, from: start, isQuoted: isQuoted, scale: scale, policy: policy)
        }
        try finish(isQuoted: isQuoted, at: index)
        if kept < scale.places {
            let (product, overflow) = units.multipliedReportingOverflow(
                by: Scale.powers(scale.places &- kept))
            if overflow { throw .overflow }
            units = product
        }
        return ScannedDecimal(units: isNegative ? 0 &- units : units, places: places)
    }

    /// A number, bare or quoted, at the scale of its own text.
    mutating func rawDecimal() throws(ScanError) -> DecimalNumber {
        let text = try scalarText()
        return try parse(bytes(text))
    }

    @inline(__always)
    private mutating func finish(isQuoted: Bool, at end: Int) throws(ScanError) {
        index = end
        if isQuoted {
            guard index < count, base[index] == 0x22 else { throw .malformed }
            index &+= 1
        } else if index < count {
            let byte = base[index]
            guard byte == 0x2C || byte == 0x7D || byte == 0x5D || byte <= 0x20 else { throw .malformed }
        }
    }

    private mutating func slowDecimal(
        _ role: DecimalRole, from start: Int, isQuoted: Bool, scale: Scale, policy: DecimalPolicy
    ) throws(ScanError) -> ScannedDecimal {
        index = start
        while index < count {
            let byte = base[index]
            if byte == 0x22 || byte == 0x2C || byte == 0x7D || byte == 0x5D || byte <= 0x20 { break }
            index &+= 1
        }
        let end = index
        let number = try parse(UnsafeRawBufferPointer(start: base + start, count: end - start))
        try finish(isQuoted: isQuoted, at: end)
        let exact = policy == .significant ? number.normalized : number
        guard exact.scale <= scale else {
            switch role {
            case .price: throw .needsPriceScale(exact.scale.places)
            case .size: throw .needsSizeScale(exact.scale.places)
            }
        }
        do throws(DecimalError) {
            return ScannedDecimal(units: try exact.rescaled(to: scale).units, places: exact.scale.places)
        } catch {
            throw .overflow
        }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) throws(ScanError) -> DecimalNumber {
        do throws(DecimalError) {
            return try DecimalNumber(parsing: bytes)
        } catch {
            switch error {
            case .malformed: throw .malformed
            case .overflow, .inexact: throw .overflow
            }
        }
    }

    /// A number of any scale, bare or quoted; `nil` for null or an empty string.
    mutating func anyDecimal() throws(ScanError) -> DecimalNumber? {
        if try takeNull() { return nil }
        let text = try scalarText()
        if text.count == 0 { return nil }
        return try parse(bytes(text))
    }
}

extension Scale {
    /// 10^exponent for 0...18, from a table.
    @inline(__always)
    static func powers(_ exponent: Int) -> Int64 {
        var result: Int64 = 1
        var left = exponent
        while left >= 4 {
            result &*= 10_000
            left &-= 4
        }
        while left > 0 {
            result &*= 10
            left &-= 1
        }
        return result
    }
}
