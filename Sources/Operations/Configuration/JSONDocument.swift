/// What is wrong with a JSON text, and where (both from 1).
struct JSONFault: Error, Hashable {
    let line: Int
    let column: Int
    let reason: String
}

/// Reads a small JSON text (RFC 8259) into dotted keys.
///
/// Our own reader because a refusal must name line and column, a key given twice must be one, and every key
/// must be known, which needs a list of them; it also spares each process the whole of Foundation.
struct JSONDocument {
    private static let depthLimit = 16

    private let bytes: [UInt8]
    private var position = 0
    private var values: [String: RawValue] = [:]

    /// The values of an object and the objects in it; `{"log": {"level": "info"}}` is `log.level`.
    static func flatten(_ bytes: [UInt8]) throws(JSONFault) -> [String: RawValue] {
        var document = JSONDocument(bytes: bytes)
        document.skipBlanks()
        guard document.peek == UInt8(ascii: "{") else { throw document.fault("expected an object") }
        try document.readObject(prefix: "", depth: 1)
        document.skipBlanks()
        guard document.position == bytes.count else { throw document.fault("expected the end") }
        return document.values
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func readObject(prefix: String, depth: Int) throws(JSONFault) {
        guard depth <= Self.depthLimit else { throw fault("nested too deep") }
        try expect("{")
        skipBlanks()
        if take("}") { return }
        repeat {
            skipBlanks()
            let start = position
            let name = try prefix + readString()
            skipBlanks()
            try expect(":")
            skipBlanks()
            if peek == UInt8(ascii: "{") {
                try readObject(prefix: name + ".", depth: depth + 1)
            } else {
                let value = try readValue(depth: depth)
                guard values.updateValue(value, forKey: name) == nil else {
                    position = start
                    throw fault("\(name) is given twice")
                }
            }
            skipBlanks()
        } while take(",")
        try expect("}")
    }

    private mutating func readValue(depth: Int) throws(JSONFault) -> RawValue {
        switch peek {
        case UInt8(ascii: "\""): return .text(try readString())
        case UInt8(ascii: "["): return try readArray(depth: depth + 1)
        case UInt8(ascii: "t"): return try readWord("true", .flag(true))
        case UInt8(ascii: "f"): return try readWord("false", .flag(false))
        case UInt8(ascii: "n"): return try readWord("null", .other("null"))
        default: return .number(try readNumber())
        }
    }

    private mutating func readArray(depth: Int) throws(JSONFault) -> RawValue {
        guard depth <= Self.depthLimit else { throw fault("nested too deep") }
        try expect("[")
        skipBlanks()
        if take("]") { return .list([]) }
        var texts: [String] = []
        repeat {
            skipBlanks()
            guard peek != UInt8(ascii: "{") else { throw fault("no key takes an object in an array") }
            guard let text = try readValue(depth: depth).scalar else {
                throw fault("no key takes this in an array")
            }
            texts.append(text)
            skipBlanks()
        } while take(",")
        try expect("]")
        return .list(texts)
    }

    private mutating func readWord(_ word: StaticString, _ value: RawValue) throws(JSONFault) -> RawValue {
        guard bytes[position...].starts(with: "\(word)".utf8) else { throw fault("expected a value") }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func readNumber() throws(JSONFault) -> String {
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

    private mutating func readString() throws(JSONFault) -> String {
        try expect("\"")
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw fault("not UTF-8") }
                return string
            case UInt8(ascii: "\\"): try readEscape(into: &text)
            case 0x00..<0x20: throw fault("a control character in a string")
            default: text.append(byte)
            }
        }
        throw fault("the string does not end")
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONFault) {
        guard let byte = peek else { throw fault("the string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += Array(String(try readScalar()).utf8)
        default: throw fault("an unknown escape")
        }
    }

    /// Reads the digits after `\u`, and a second escape when the first is half of a pair.
    private mutating func readScalar() throws(JSONFault) -> Character {
        let first = try readHex()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else { throw fault("half of a pair") }
        let second = try readHex()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half of a pair") }
        return Character(scalar)
    }

    private mutating func readHex() throws(JSONFault) -> UInt32 {
        guard bytes.count - position >= 4 else { throw fault("expected four hexadecimal digits") }
        let text = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16) else {
            throw fault("expected four hexadecimal digits")
        }
        position += 4
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONFault) {
        guard take(character) else { throw fault("expected \(character)") }
    }

    /// Skips digits and returns how many there were.
    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
    }

    private func fault(_ reason: String) -> JSONFault {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONFault(line: line, column: before.count - start + 1, reason: reason)
    }
}
