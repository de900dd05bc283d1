public import Instruments

/// Writes one line of JSON into memory that is used again for the next line.
///
/// Keys keep the order in which they are written. Every number that is money is a string; only counts are
/// numbers.
public struct JSONLine: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty line.
    public init() {}

    /// Forgets the line and keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Ends the line.
    public mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    /// Begins an object.
    public mutating func beginObject() { open(0x7B) }
    /// Ends an object.
    public mutating func endObject() { close(0x7D) }
    /// Begins an array.
    public mutating func beginArray() { open(0x5B) }
    /// Ends an array.
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
        quoted(text.utf8)
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

    private mutating func quoted(_ text: some Sequence<UInt8>) {
        bytes.append(0x22)
        for byte in text {
            switch byte {
            case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x00..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(JSONLine.hexadecimal[Int(byte >> 4)])
                bytes.append(JSONLine.hexadecimal[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}

extension JSONLine {
    /// Writes a member that is text.
    public mutating func text(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    /// Writes a member that is text or null.
    public mutating func pair(_ name: String, _ text: String?) {
        key(name)
        string(text)
    }

    /// Writes a member that is a list of objects.
    public mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (Element, inout JSONLine) -> Void
    ) {
        key(name)
        objects(elements, write)
    }

    /// Writes an array of objects.
    public mutating func objects<Element>(
        _ elements: [Element], _ write: (Element, inout JSONLine) -> Void
    ) {
        beginArray()
        for element in elements {
            beginObject()
            write(element, &self)
            endObject()
        }
        endArray()
    }

    /// Writes a member that is a list of texts.
    public mutating func texts(_ name: String, _ texts: some Sequence<String>) {
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
