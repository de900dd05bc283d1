/// Why a text is no amount.
public enum AmountError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a decimal number; the offset of the first byte that does not fit.
    case malformed(offset: Int)
    /// The number has more digits, or a larger exponent, than a ledger takes.
    case tooLong

    /// One line for a person.
    public var description: String {
        switch self {
        case .malformed(let offset): "not a decimal number at byte \(offset)"
        case .tooLong: "more than \(Amount.digitLimit) digits on one side of the point"
        }
    }
}

extension Amount {
    /// Digits that are read before and after the point, each; a bound on what a file can make us compute.
    public static let digitLimit = 120

    /// Parses `-?digits(.digits)?([eE][+-]?digits)?` and nothing else.
    ///
    /// - Throws: ``AmountError``.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(AmountError) {
        let start = bytes.first == 0x2D ? 1 : 0
        var index = start
        var point: Int?
        var units: UInt128 = 0
        var digits = 0
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            if digit < 10 {
                // 38 digits always fit into 127 bits; more are read again below.
                if digits < 38 { units = units &* 10 &+ UInt128(digit) }
                digits += 1
            } else if bytes[index] == 0x2E, point == nil, digits > 0 {
                point = index
            } else {
                break
            }
            index += 1
        }
        let places = point.map { index - $0 - 1 } ?? 0
        guard digits > 0, point == nil || places > 0 else { throw .malformed(offset: index) }
        guard digits <= 2 * Amount.digitLimit else { throw .tooLong }
        let exponent = index < bytes.count ? try Amount.exponent(bytes, from: index) : 0
        let magnitude = digits <= 38 ? Magnitude(units) : Amount.magnitude(bytes[start..<index])
        try self.init(isNegative: start == 1, magnitude, digits: digits, places: places - exponent)
    }

    /// Parses text as ``init(parsing:)-(UnsafeRawBufferPointer)`` does.
    ///
    /// - Throws: ``AmountError``.
    public init(parsing text: String) throws(AmountError) {
        var text = text
        let result: Result<Amount, AmountError> = text.withUTF8 { utf8 in
            do throws(AmountError) {
                return .success(try Amount(parsing: UnsafeRawBufferPointer(utf8)))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    private init(isNegative: Bool, _ magnitude: Magnitude, digits: Int, places: Int) throws(AmountError) {
        if magnitude.isZero {
            self = .zero
            return
        }
        guard places <= Amount.digitLimit, digits - places <= Amount.digitLimit else { throw .tooLong }
        let whole = places < 0 ? magnitude * .power(-places) : magnitude
        self.init(isNegative: isNegative, whole, places: max(places, 0))
    }

    private static func magnitude(_ digits: Slice<UnsafeRawBufferPointer>) -> Magnitude {
        var result = Magnitude(limbs: [])
        for byte in digits where byte != 0x2E {
            result = result * Magnitude(10) + Magnitude(UInt128(byte - 0x30))
        }
        return result
    }

    private static func exponent(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(AmountError) -> Int
    {
        guard bytes[start] | 0x20 == 0x65 else { throw .malformed(offset: start) }
        var index = start + 1
        let isNegative = index < bytes.count && bytes[index] == 0x2D
        if isNegative || (index < bytes.count && bytes[index] == 0x2B) { index += 1 }
        guard index < bytes.count else { throw .malformed(offset: index) }
        var value = 0
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { throw .malformed(offset: index) }
            value = value * 10 + Int(digit)
            if value > 10_000 { throw .tooLong }
            index += 1
        }
        return isNegative ? -value : value
    }
}

extension Amount: CustomStringConvertible {
    /// A plain decimal: no exponent, no zeros at the end of its places.
    public var description: String {
        let short = stripped
        var digits = Amount.digits(short.unsigned)
        if short.places > 0 {
            if digits.count <= short.places {
                digits.insert(contentsOf: repeatElement(0x30, count: short.places - digits.count + 1), at: 0)
            }
            digits.insert(0x2E, at: digits.count - short.places)
        }
        if short.isNegative { digits.insert(0x2D, at: 0) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// A plain decimal with exactly so many places, rounded half-even: for a table.
    public func text(places: Int) -> String {
        let text = rounded(places: places).description
        let point = text.utf8.firstIndex(of: 0x2E)
        let has = point.map { text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1 } ?? 0
        guard has < places else { return text }
        return text + (point == nil ? "." : "") + String(repeating: "0", count: places - has)
    }

    private static func digits(_ magnitude: Magnitude) -> [UInt8] {
        if let value = magnitude.small { return Array(String(value).utf8) }
        var rest = magnitude
        var groups: [UInt64] = []
        while !rest.isZero {
            let (quotient, remainder) = rest.divided(byLimb: 10_000_000_000_000_000_000)
            groups.append(remainder)
            rest = quotient
        }
        var digits: [UInt8] = []
        for (index, group) in groups.reversed().enumerated() {
            let text = String(group)
            if index > 0 { digits += repeatElement(0x30, count: 19 - text.utf8.count) }
            digits += text.utf8
        }
        return digits
    }
}
