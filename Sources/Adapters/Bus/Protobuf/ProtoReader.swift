/// Walks over the fields of a protobuf message in place, without building anything.
///
/// For the few fields that the bus itself needs of each message; everything else is decoded by `Wire`.
/// Arbitrary bytes end in ``isMalformed``, never in a trap.
package struct ProtoReader {
    /// One field, as it lies in the message.
    package struct Field {
        /// The field's number, from 1.
        package let number: Int
        /// The value of a varint or fixed field; 0 otherwise.
        package let value: UInt64
        /// The contents of a length-delimited field; `nil` otherwise.
        package let bytes: UnsafeRawBufferPointer?
    }

    /// Whether the walk ended before the end of the message.
    package private(set) var isMalformed = false

    private let message: UnsafeRawBufferPointer
    private var offset = 0

    /// Walks over a message whose bytes stay where they are meanwhile.
    package init(_ message: UnsafeRawBufferPointer) { self.message = message }

    /// The next field; `nil` at the end and where the bytes make no sense.
    package mutating func next() -> Field? {
        guard offset < message.count, !isMalformed else { return nil }
        guard let key = varint(), key >> 3 >= 1, key >> 3 <= 0x1FFF_FFFF else { return fail() }
        let number = Int(key >> 3)
        switch key & 7 {
        case 0:
            guard let value = varint() else { return fail() }
            return Field(number: number, value: value, bytes: nil)
        case 1:
            guard let value = fixed(8) else { return fail() }
            return Field(number: number, value: value, bytes: nil)
        case 5:
            guard let value = fixed(4) else { return fail() }
            return Field(number: number, value: value, bytes: nil)
        case 2:
            guard let count = varint(), count <= UInt64(message.count - offset) else { return fail() }
            let start = offset
            offset += Int(count)
            return Field(
                number: number, value: 0, bytes: UnsafeRawBufferPointer(rebasing: message[start..<offset]))
        default:
            return fail()
        }
    }

    private mutating func fail() -> Field? {
        isMalformed = true
        return nil
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < message.count, shift < 64 {
            let byte = message[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    private mutating func fixed(_ count: Int) -> UInt64? {
        guard message.count - offset >= count else { return nil }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(message[offset + index]) << UInt64(index * 8) }
        offset += count
        return value
    }
}
