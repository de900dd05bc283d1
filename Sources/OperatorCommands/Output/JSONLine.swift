import Instruments

/// Writes one line of JSON into memory that is used again for the next line.
///
/// Keys keep the order in which they are written. Every number that is money is a string; only counts are
/// numbers.
struct JSONLine {
    /// What has been written so far.
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Forgets the line and keeps its memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Ends the line.
    mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    mutating func beginObject() { open(0x7B) }
    mutating func endObject() { close(0x7D) }
    mutating func beginArray() { open(0x5B) }
    mutating func endArray() { close(0x5D) }

    mutating func key(_ name: String) {
        string(name)
        bytes.append(0x3A)
        needsComma = false
    }

    mutating func string(_ text: String) {
        separate()
        quoted(text.utf8)
    }

    mutating func string(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    mutating func integer(_ value: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    mutating func null() { raw("null") }

    /// A decimal as a string with as many places as its scale.
    mutating func decimal(_ units: Int64, _ scale: Scale) {
        separate()
        bytes.append(0x22)
        DecimalText.append(units: units, scale: scale, to: &bytes)
        bytes.append(0x22)
    }

    /// Text that is JSON already.
    mutating func raw(_ json: StaticString) {
        separate()
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    /// Bytes that are JSON already.
    mutating func raw(_ json: [UInt8]) {
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
