import Instruments

/// Appends plain values as bytes: numbers in little-endian order, texts and lists with their length before.
struct StateWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func text(_ value: String) {
        number(UInt32(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func time(_ value: Timestamp) { number(value.nanoseconds) }

    mutating func decimal(_ value: DecimalNumber) {
        number(value.units)
        number(value.scale.rawValue)
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout StateWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Value>(_ values: [Value], _ write: (inout StateWriter, Value) -> Void) {
        number(UInt32(values.count))
        for value in values { write(&self, value) }
    }
}
