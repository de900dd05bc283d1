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

/// How the decimals of one role are read, worked out once for many of them.
struct DecimalForm {
    let role: DecimalRole
    let scale: Scale
    let policy: DecimalPolicy
    /// 10^scale.
    let power: Int64

    @inline(__always)
    init(_ role: DecimalRole, _ scale: Scale, _ policy: DecimalPolicy) {
        self.role = role
        self.scale = scale
        self.policy = policy
        power = Scale.powers(scale.places)
    }
}

extension JSONScanner {
    @inline(__always)
    mutating func decimal(
        _ role: DecimalRole, scale: Scale, policy: DecimalPolicy
    ) throws(ScanError) -> ScannedDecimal {
        try decimal(DecimalForm(role, scale, policy))
    }

    /// A number, bare or quoted, as units of 10^-scale.
    ///
    /// The usual number has at most eight digits on either side of the point and is read as two words,
    /// without a loop. All others go to ``longDecimal(_:from:)``.
    @inline(__always)
    mutating func decimal(_ form: DecimalForm) throws(ScanError) -> ScannedDecimal {
        let quote = try peek() == 0x22 ? 1 : 0
        var at = index &+ quote
        // Two words, the point and what ends the number.
        if at &+ 18 <= count, form.scale.places <= 8 {
            let whole = word(at: at)
            let wholeDigits = whole.leadingDigits
            at &+= wholeDigits
            var places = 0
            var digits: UInt64 = 0
            if base[at] == 0x2E {
                let fraction = word(at: at &+ 1)
                places = fraction.leadingDigits
                // A point without a digit behind it ends no number, so it is refused below.
                if places > 0 {
                    digits = fraction.digits(places)
                    at &+= 1 &+ places
                }
            }
            let kept = form.scale.places
            let isWithinScale =
                form.policy == .verbatim
                ? places <= kept : digits >> UInt64(truncatingIfNeeded: 8 &* kept) == 0
            let isEnded = quote == 1 ? base[at] == 0x22 : JSONScanner.endsNumber(base[at])
            if wholeDigits > 0, isWithinScale, isEnded {
                index = at &+ quote
                let units =
                    JSONWord.number(whole.digits(wholeDigits), wholeDigits) &* form.power
                    &+ JSONWord.number(digits, kept)
                return ScannedDecimal(units: units, places: places)
            }
        }
        let (number, end) = try longDecimal(form, from: index)
        index = end
        return number
    }

    /// A number of any length, and where it ends: digits up to the scale, then nothing but zeros.
    ///
    /// Exponents and numbers of more places go through ``DecimalNumber``.
    @inline(never)
    private func longDecimal(
        _ form: DecimalForm, from begin: Int
    ) throws(ScanError) -> (ScannedDecimal, end: Int) {
        let isQuoted = base[begin] == 0x22
        let start = isQuoted ? begin &+ 1 : begin
        var index = start
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
            let lastPlace = firstPlace &+ form.scale.places
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
        let kept = min(places, form.scale.places)
        if hasExponent || isBeyondScale || wholeDigits &+ kept > 18
            || (form.policy == .verbatim && places > form.scale.places)
        {
            return try slowDecimal(form, from: start, isQuoted: isQuoted)
        }
        let end = try endOfNumber(index, isQuoted: isQuoted)
        if kept < form.scale.places {
            let (product, overflow) = units.multipliedReportingOverflow(
                by: Scale.powers(form.scale.places &- kept))
            if overflow { throw .overflow }
            units = product
        }
        return (ScannedDecimal(units: isNegative ? 0 &- units : units, places: places), end)
    }

    /// A number, bare or quoted, at the scale of its own text.
    @inline(__always)
    mutating func rawDecimal() throws(ScanError) -> DecimalNumber {
        if let short = shortDecimal() { return short }
        let text = try scalarText()
        return try parse(bytes(text))
    }

    /// A number of at most eight digits on either side of the point; `nil`, without moving, for any other.
    @inline(__always)
    private mutating func shortDecimal() -> DecimalNumber? {
        guard index &+ 19 <= count else { return nil }
        let quote = base[index] == 0x22 ? 1 : 0
        var at = index &+ quote
        let whole = word(at: at)
        let wholeDigits = whole.leadingDigits
        at &+= wholeDigits
        // Whole numbers and others come in turns: the point is counted, not asked for.
        let point = base[at] == 0x2E ? 1 : 0
        let fraction = word(at: at &+ 1)
        let places = fraction.leadingDigits &* point
        at &+= places &+ point
        let isEnded = quote == 1 ? base[at] == 0x22 : JSONScanner.endsNumber(base[at])
        guard wholeDigits > 0, isEnded, places >= point, let scale = Scale(places) else { return nil }
        index = at &+ quote
        let units =
            JSONWord.number(whole.digits(wholeDigits), wholeDigits) &* Scale.powers(places)
            &+ JSONWord.number(fraction.digits(8), places)
        return DecimalNumber(units: units, scale: scale)
    }

    /// Where a number ends, its closing quote included.
    private func endOfNumber(_ index: Int, isQuoted: Bool) throws(ScanError) -> Int {
        if isQuoted {
            guard index < count, base[index] == 0x22 else { throw .malformed }
            return index &+ 1
        }
        guard index == count || JSONScanner.endsNumber(base[index]) else { throw .malformed }
        return index
    }

    private func slowDecimal(
        _ form: DecimalForm, from start: Int, isQuoted: Bool
    ) throws(ScanError) -> (ScannedDecimal, end: Int) {
        var last = start
        while last < count, base[last] != 0x22, !JSONScanner.endsNumber(base[last]) { last &+= 1 }
        let number = try parse(UnsafeRawBufferPointer(start: base + start, count: last - start))
        let end = try endOfNumber(last, isQuoted: isQuoted)
        let exact = form.policy == .significant ? number.normalized : number
        guard exact.scale <= form.scale else {
            switch form.role {
            case .price: throw .needsPriceScale(exact.scale.places)
            case .size: throw .needsSizeScale(exact.scale.places)
            }
        }
        do throws(DecimalError) {
            let units = try exact.rescaled(to: form.scale).units
            return (ScannedDecimal(units: units, places: exact.scale.places), end)
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
        if let short = shortDecimal() { return short }
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
        // The places of nearly all prices and sizes; the compiler makes a table of it.
        switch exponent {
        case 0: return 1
        case 1: return 10
        case 2: return 100
        case 3: return 1_000
        case 4: return 10_000
        case 5: return 100_000
        case 6: return 1_000_000
        case 7: return 10_000_000
        case 8: return 100_000_000
        default: break
        }
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
