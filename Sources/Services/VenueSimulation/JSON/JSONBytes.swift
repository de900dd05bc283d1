import Instruments

/// Writes JSON as UTF-8, piece by piece.
///
/// Who uses it sees to commas and brackets.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    /// An empty text.
    init() {}

    /// A text that begins so.
    init(_ text: String) { raw(text) }

    /// Appends text as it is.
    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends bytes as they are.
    mutating func raw(_ text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

    /// Appends a comma unless the text just opened an array or an object.
    mutating func separator() {
        guard let last = bytes.last, last != 0x5B, last != 0x7B else { return }
        bytes.append(0x2C)
    }

    /// Appends a quoted string, escaped as RFC 8259 asks.
    mutating func string(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: [
                    0x5C, 0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)],
                ])
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    /// Appends units / 10^scale as a bare number.
    mutating func decimal(_ units: Int64, _ scale: Scale) {
        DecimalText.append(units: units, scale: scale, to: &bytes)
    }

    /// Appends units / 10^scale as a bare number without zeros at its end.
    mutating func shortest(_ units: Int64, _ scale: Scale) {
        let number = DecimalNumber(units: units, scale: scale).normalized
        decimal(number.units, number.scale)
    }

    /// Appends units / 10^scale in quotes.
    mutating func quoted(_ units: Int64, _ scale: Scale) {
        bytes.append(0x22)
        decimal(units, scale)
        bytes.append(0x22)
    }

    /// Appends a document.
    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let flag): raw(flag ? "true" : "false")
        case .number(let text): raw(text)
        case .string(let text): string(text)
        case .array(let elements):
            raw("[")
            for element in elements {
                separator()
                self.value(element)
            }
            raw("]")
        case .object(let members):
            raw("{")
            for member in members {
                separator()
                string(member.name)
                raw(":")
                self.value(member.value)
            }
            raw("}")
        }
    }
}
