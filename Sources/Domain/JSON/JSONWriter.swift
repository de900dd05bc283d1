public import Instruments

/// Writes JSON (RFC 8259) without blanks, into memory that is used again for the next line.
///
/// Keys keep the order in which they are written; commas come by themselves. Every number of ours that is
/// money is a string; only counts are numbers.
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false
    private let shortensLineFeeds: Bool

    /// An empty line.
    ///
    /// - Parameter shortensLineFeeds: A line feed in a string is `\n` and not `\u000a`, as other control
    ///   characters are.
    public init(shortensLineFeeds: Bool = true) { self.shortensLineFeeds = shortensLineFeeds }

    /// Forgets the line and keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    public mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    public mutating func beginObject() { open(0x7B) }
    public mutating func endObject() { close(0x7D) }
    public mutating func beginArray() { open(0x5B) }
    public mutating func endArray() { close(0x5D) }

    /// Writes the name of a member; its value follows.
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a text.
    public mutating func string(_ text: String) {
        separate()
        bytes.append(0x22)
        if text.utf8.contains(where: JSONWriter.isEscaped) {
            for byte in text.utf8 { escape(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(0x22)
    }

    /// Writes a text, or null.
    public mutating func string(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    /// Writes a whole number that is no money.
    public mutating func integer(_ value: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes true or false.
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes null.
    public mutating func null() { raw("null") }

    /// A decimal as a string with as many places as its scale.
    public mutating func decimal(_ units: Int64, _ scale: Scale) {
        separate()
        bytes.append(0x22)
        DecimalText.append(units: units, scale: scale, to: &bytes)
        bytes.append(0x22)
    }

    /// A decimal as a bare number with as many places as its scale.
    package mutating func number(_ units: Int64, _ scale: Scale) {
        separate()
        DecimalText.append(units: units, scale: scale, to: &bytes)
    }

    /// A number as it is written.
    package mutating func number(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// A tree; its keys in their order, or in that of the alphabet at every level.
    package mutating func value(_ value: JSONValue, sortingKeys: Bool = false) {
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .number(let text): number(text)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element, sortingKeys: sortingKeys) }
            endArray()
        case .object(let members):
            beginObject()
            for (key, value) in sortingKeys ? JSONObject(members.sorted { $0.key < $1.key }) : members {
                self.key(key)
                self.value(value, sortingKeys: sortingKeys)
            }
            endObject()
        }
    }

    /// Text that is JSON already.
    public mutating func raw(_ json: StaticString) {
        separate()
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    /// Bytes that are JSON already.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
        case 0x0A where shortensLineFeeds: bytes.append(contentsOf: [0x5C, 0x6E])
        case 0x00..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(JSONWriter.hexadecimal[Int(byte >> 4)])
            bytes.append(JSONWriter.hexadecimal[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

    /// Bytes of a text in a string, escapes counted, quotation marks not.
    package static func size(_ text: String) -> Int {
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes.count - 2
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}
