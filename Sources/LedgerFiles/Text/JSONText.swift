/// A value of JSON with numbers kept as they were written.
indirect enum JSONText {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([Element])
    case object([Member])

    /// A value and where it begins.
    struct Element {
        var place: JSONPlace
        var value: JSONText
    }

    struct Member {
        var name: String
        var element: Element
    }
}

/// Lines and columns in characters of UTF-8, both from 1.
struct JSONPlace {
    var line: Int
    var column: Int
}

/// Reads JSON; errors say line and column.
///
/// Source: RFC 8259. At most ``depthLimit`` arrays and objects are open at a time.
struct JSONScanner {
    static let depthLimit = 32

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var line = 1
    private var lineStart: Int

    /// - Throws: ``FileFault`` when the bytes are not UTF-8.
    init(_ bytes: [UInt8]) throws(FileFault) {
        self.bytes = try Encoding.check(bytes)
        index = self.bytes.startIndex
        lineStart = index
    }

    mutating func document() throws(FileFault) -> JSONText.Element {
        let element = try element(depth: 0)
        skipBlanks()
        guard index == bytes.endIndex else { throw fault("text after the end of the JSON value") }
        return element
    }

    private var place: JSONPlace { JSONPlace(line: line, column: index - lineStart + 1) }

    private func fault(_ reason: String) -> FileFault {
        FileFault(line: place.line, column: place.column, reason)
    }

    private mutating func skipBlanks() {
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0x0A:
                line += 1
                lineStart = index + 1
            case 0x20, 0x09, 0x0D: break
            default: return
            }
            index += 1
        }
    }

    private mutating func element(depth: Int) throws(FileFault) -> JSONText.Element {
        guard depth <= JSONScanner.depthLimit else {
            throw fault("more than \(JSONScanner.depthLimit) levels")
        }
        skipBlanks()
        guard index < bytes.endIndex else { throw fault("the file ends where a value should be") }
        let place = place
        let value: JSONText
        switch bytes[index] {
        case 0x7B: value = .object(try object(depth))
        case 0x5B: value = .array(try array(depth))
        case 0x22: value = .string(try string())
        case 0x74: value = try word("true", .bool(true))
        case 0x66: value = try word("false", .bool(false))
        case 0x6E: value = try word("null", .null)
        default: value = .number(try number())
        }
        return JSONText.Element(place: place, value: value)
    }

    private mutating func word(_ word: String, _ value: JSONText) throws(FileFault) -> JSONText {
        guard bytes[index...].starts(with: word.utf8) else { throw fault("not a JSON value") }
        index += word.utf8.count
        return value
    }

    private mutating func number() throws(FileFault) -> String {
        let start = index
        while index < bytes.endIndex, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
        guard index > start else { throw fault("not a JSON value") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard index < bytes.endIndex, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func array(_ depth: Int) throws(FileFault) -> [JSONText.Element] {
        index += 1
        var elements: [JSONText.Element] = []
        if take(0x5D) { return elements }
        repeat { elements.append(try element(depth: depth + 1)) } while take(0x2C)
        guard take(0x5D) else { throw fault("a comma or ] is missing") }
        return elements
    }

    private mutating func object(_ depth: Int) throws(FileFault) -> [JSONText.Member] {
        index += 1
        var members: [JSONText.Member] = []
        if take(0x7D) { return members }
        repeat {
            skipBlanks()
            guard index < bytes.endIndex, bytes[index] == 0x22 else { throw fault("a name is missing") }
            let name = try string()
            guard take(0x3A) else { throw fault("a colon is missing") }
            members.append(JSONText.Member(name: name, element: try element(depth: depth + 1)))
        } while take(0x2C)
        guard take(0x7D) else { throw fault("a comma or } is missing") }
        return members
    }

    private mutating func string() throws(FileFault) -> String {
        index += 1
        var text: [UInt8] = []
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte < 0x20 { throw fault("a control character in a string") }
            index += 1
            if byte == 0x22 { return String(decoding: text, as: UTF8.self) }
            if byte == 0x5C { try escape(&text) } else { text.append(byte) }
        }
        throw fault("a string is never closed")
    }

    private mutating func escape(_ text: inout [UInt8]) throws(FileFault) {
        guard index < bytes.endIndex else { throw fault("a string is never closed") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75: try unicode(&text)
        default: throw fault("an escape that JSON does not have")
        }
    }

    private mutating func unicode(_ text: inout [UInt8]) throws(FileFault) {
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]), bytes[index...].starts(with: [0x5C, 0x75]) {
            index += 2
            units.append(try unit())
        }
        text += String(decoding: units, as: UTF16.self).utf8
    }

    private mutating func unit() throws(FileFault) -> UInt16 {
        guard index + 4 <= bytes.endIndex,
            let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw fault("an escape needs four hexadecimal digits") }
        index += 4
        return unit
    }
}
