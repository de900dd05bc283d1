/// Reads JSON from outside (RFC 8259), strictly: UTF-8 only, no key twice, no half of a surrogate pair, at
/// most 32 levels.
///
/// Our own, because the bounds must hold before anything is built, and a refusal must say where.
struct JSONReader {
    /// The deepest nesting.
    static let depthLimit = 32

    private let bytes: [UInt8]
    private var position = 0

    /// Reads one value and nothing after it.
    ///
    /// - Throws: `malformed-json` or `too-deep`, with line and column.
    static func read(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        reader.skipBlanks()
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.position == bytes.count else { throw reader.fault("something follows the value") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) throws(Problem) -> JSONValue {
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(Problem) -> JSONValue {
        try open(depth)
        var members: [String: JSONValue] = [:]
        if take("}") { return .object(members) }
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw fault("expected a key in quotes") }
            let start = position
            let key = try string()
            skipBlanks()
            try expect(":")
            skipBlanks()
            let value = try value(depth: depth)
            guard members.updateValue(value, forKey: key) == nil else {
                position = start
                throw fault("the key \"\(key)\" is given twice")
            }
            skipBlanks()
        } while take(",")
        try expect("}")
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Problem) -> JSONValue {
        try open(depth)
        var values: [JSONValue] = []
        if take("]") { return .array(values) }
        repeat {
            skipBlanks()
            values.append(try value(depth: depth))
            skipBlanks()
        } while take(",")
        try expect("]")
        return .array(values)
    }

    private mutating func open(_ depth: Int) throws(Problem) {
        guard depth <= Self.depthLimit else {
            throw Problem(.tooDeep, "the body is nested more than \(Self.depthLimit) levels deep\(place)")
        }
        position += 1
        skipBlanks()
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Problem) -> JSONValue {
        guard bytes[position...].starts(with: "\(word)".utf8) else { throw fault("expected a value") }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func number() throws(Problem) -> String {
        let start = position
        _ = take("-")
        let whole = digits()
        guard whole == 1 || (whole > 1 && bytes[position - whole] != UInt8(ascii: "0")) else {
            position = start
            throw fault("expected a value")
        }
        if take("."), digits() == 0 { throw fault("expected a digit") }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw fault("expected a digit") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string() throws(Problem) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw fault("a string that is not UTF-8 ends here")
                }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0x00..<0x20: throw fault("a control character in a string; write it as \\u00XX")
            default: text.append(byte)
            }
        }
        throw fault("a string does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(Problem) {
        guard let byte = peek else { throw fault("a string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += Array(String(Character(try scalar())).utf8)
        default: throw fault("an unknown escape")
        }
    }

    /// Reads the digits after `\u`, and a second escape when the first is half of a pair.
    private mutating func scalar() throws(Problem) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else {
            throw fault("half of a surrogate pair")
        }
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half of a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(Problem) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        var value: UInt32 = 0
        for digit in digits {
            guard let digit = Character(Unicode.Scalar(digit)).hexDigitValue, digit < 16 else {
                throw fault("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        guard digits.count == 4 else { throw fault("expected four hexadecimal digits") }
        position += 4
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Problem) {
        guard take(character) else { throw fault("expected \(character)") }
    }

    /// Skips digits and returns how many there were.
    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private var place: String {
        let before = bytes[..<min(position, bytes.count)]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return " (line \(before.count { $0 == 0x0A } + 1), column \(before.count - start + 1))"
    }

    private func fault(_ reason: String) -> Problem { Problem(.malformedJSON, reason + place) }
}
