/// Writes the few protobuf messages of the bus itself, straight into their bytes.
package struct ProtoWriter {
    /// The message so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Appends a varint field; 0 is left out, as proto3 does.
    package mutating func append(_ number: Int, _ value: UInt64) {
        guard value != 0 else { return }
        varint(UInt64(number) << 3)
        varint(value)
    }

    /// Appends a text field.
    package mutating func append(_ number: Int, _ text: String) {
        var text = text
        text.withUTF8 { append(number, UnsafeRawBufferPointer($0)) }
    }

    /// Appends a length-delimited field.
    package mutating func append(_ number: Int, _ contents: UnsafeRawBufferPointer) {
        varint(UInt64(number) << 3 | 2)
        varint(UInt64(contents.count))
        bytes.append(contentsOf: contents)
    }

    /// Appends the message's `number`-th field: a message of two length-delimited fields, 1 and 2.
    package mutating func append(
        _ number: Int, pair first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) {
        let count = Self.size(first.count) + Self.size(second.count)
        varint(UInt64(number) << 3 | 2)
        varint(UInt64(count))
        append(1, first)
        append(2, second)
    }

    /// Bytes of a length-delimited field with a number below 16.
    private static func size(_ count: Int) -> Int {
        var size = 2 + count
        var rest = count >> 7
        while rest > 0 {
            size += 1
            rest >>= 7
        }
        return size
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
