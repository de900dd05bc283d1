/// Goes through a JSON text (RFC 8259) once, strictly: UTF-8 only, no key twice in an object, no half of a
/// surrogate pair, a bounded depth.
///
/// Our own, because the bounds must hold before anything is built, numbers must stay text, a refusal must say
/// where, and no process should need the whole of Foundation for its configuration. It decides what is JSON;
/// who uses it decides what to build.
public struct JSONCursor {
    /// What stands at the cursor, by its first byte.
    public enum Kind: Hashable, Sendable {
        case object, array, text, number, flag, null
    }

    private let bytes: ArraySlice<UInt8>
    /// Levels of nesting.
    private let depthLimit: Int
    private var index: Int
    private var depth = 0
    private var line = 1
    private var lineStart: Int

    /// Stands at the first value.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - depthLimit: As many objects and arrays may be open at a time.
    public init(_ bytes: ArraySlice<UInt8>, depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        (index, lineStart) = (bytes.startIndex, bytes.startIndex)
        skipBlanks()
    }

    /// Where the cursor stands.
    public var place: JSONPlace {
        JSONPlace(offset: index - bytes.startIndex, line: line, column: index - lineStart + 1)
    }

    /// What stands at the cursor; ``Kind/number`` for whatever begins no other value.
    public var kind: Kind {
        switch peek {
        case 0x7B: .object
        case 0x5B: .array
        case 0x22: .text
        case 0x74, 0x66: .flag
        case 0x6E: .null
        default: .number
        }
    }

    /// A fault where the cursor stands.
    public func fault(_ reason: String) -> JSONFault { fault(reason, at: place) }

    /// A fault elsewhere.
    public func fault(_ reason: String, at place: JSONPlace, isTooDeep: Bool = false) -> JSONFault {
        JSONFault(place: place, reason: reason, isTooDeep: isTooDeep)
    }

    /// Nothing may follow the value that was read.
    public func expectEnd() throws(JSONFault) {
        guard index == bytes.endIndex else { throw fault("expected the end") }
    }

    /// Goes through an object; `member` reads the value of the key that it gets, wholly.
    public mutating func object(
        _ member: (inout JSONCursor, _ key: String) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try open(0x7B)
        var keys: Set<String> = []
        if !take(0x7D) {
            repeat {
                skipBlanks()
                let start = place
                let key = try text()
                guard keys.insert(key).inserted else { throw fault("\"\(key)\" is given twice", at: start) }
                try expect(0x3A)
                try member(&self, key)
            } while take(0x2C)
            try expect(0x7D)
        }
        depth -= 1
    }

    /// Goes through an array; `element` reads the value that the cursor stands at, wholly.
    public mutating func array(
        _ element: (inout JSONCursor) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try open(0x5B)
        if !take(0x5D) {
            repeat {
                skipBlanks()
                try element(&self)
            } while take(0x2C)
            try expect(0x5D)
        }
        depth -= 1
    }

    /// Reads a string.
    public mutating func text() throws(JSONFault) -> String {
        guard peek == 0x22 else { throw fault("expected \"") }
        index += 1
        let start = index
        while let byte = peek, byte >= 0x20, byte != 0x22, byte != 0x5C { index += 1 }
        var text = Array(bytes[start..<index])
        while let byte = peek {
            switch byte {
            case 0x22:
                guard let string = String(validating: text, as: UTF8.self) else { throw fault("not UTF-8") }
                index += 1
                skipBlanks()
                return string
            case 0x5C:
                index += 1
                try escape(into: &text)
            case 0x00..<0x20: throw fault("a control character in a string; write it as \\u00XX")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw fault("the string does not end")
    }

    /// Reads a number and gives it as it was written.
    public mutating func number() throws(JSONFault) -> String {
        let (start, place) = (index, place)
        if peek == 0x2D { index += 1 }
        let whole = digits()
        guard whole == 1 || whole > 1 && bytes[index - whole] != 0x30 else {
            throw fault("expected a value", at: place)
        }
        if peek == 0x2E {
            index += 1
            guard digits() > 0 else { throw fault("expected a digit") }
        }
        if peek == 0x65 || peek == 0x45 {
            index += 1
            if peek == 0x2B || peek == 0x2D { index += 1 }
            guard digits() > 0 else { throw fault("expected a digit") }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        skipBlanks()
        return text
    }

    /// Reads `true` or `false`.
    public mutating func flag() throws(JSONFault) -> Bool {
        let isTrue = peek == 0x74
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    /// Reads `null`.
    public mutating func null() throws(JSONFault) { try word("null") }

    private mutating func word(_ word: StaticString) throws(JSONFault) {
        guard bytes[index...].starts(with: "\(word)".utf8) else { throw fault("expected a value") }
        index += word.utf8CodeUnitCount
        skipBlanks()
    }

    private mutating func open(_ bracket: UInt8) throws(JSONFault) {
        guard depth < depthLimit else {
            throw fault("nested more than \(depthLimit) levels deep", at: place, isTooDeep: true)
        }
        try expect(bracket)
        depth += 1
    }

    private var peek: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    /// Takes a byte and the blanks behind it.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        skipBlanks()
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard take(byte) else { throw fault("expected \(Unicode.Scalar(byte))") }
    }

    /// Takes digits and says how many there were.
    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func skipBlanks() {
        while let byte = peek {
            switch byte {
            case 0x0A:
                index += 1
                line += 1
                lineStart = index
            case 0x20, 0x09, 0x0D: index += 1
            default: return
            }
        }
    }
}

extension JSONCursor {
    /// Reads what follows a backslash.
    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        guard let byte = peek else { throw fault("the string does not end") }
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75: text += Array(String(Character(try scalar())).utf8)
        default: throw fault("an unknown escape")
        }
    }

    /// Reads the digits after `\u`, and a second escape when the first is half of a pair.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, bytes[index...].starts(with: [0x5C, 0x75]) else {
            throw fault("half of a pair")
        }
        index += 2
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half of a pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        let digits = bytes[index...].prefix(4)
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | UInt32(digit - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(digit - 0x41 + 10)
            case 0x61...0x66: value = value << 4 | UInt32(digit - 0x61 + 10)
            default: throw fault("expected four hexadecimal digits")
            }
        }
        guard digits.count == 4 else { throw fault("expected four hexadecimal digits") }
        index += 4
        return value
    }
}
