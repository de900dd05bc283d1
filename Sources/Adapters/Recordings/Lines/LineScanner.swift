/// Walks one line of a recording: a flat JSON object, without making objects.
///
/// Every read is checked against the end, so that arbitrary bytes give a ``LineFault`` and nothing else.
struct LineScanner {
    /// Levels of nesting.
    private static let depthLimit = 64

    let bytes: UnsafeRawBufferPointer
    private(set) var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Walks the line's object; `body` must read exactly the value of the key that it is given.
    ///
    /// A key that comes twice is a fault, whether or not somebody reads it.
    mutating func object(
        _ keys: inout LineKeys,
        _ body: (inout LineScanner, UnsafeRawBufferPointer) throws(LineFault) -> Void
    ) throws(LineFault) {
        keys.removeAll()
        try expect(0x7B)
        var isFirst = true
        while peek() != 0x7D {
            if !isFirst { try expect(0x2C) }
            isFirst = false
            let key = try rawString()
            try keys.insert(index - 1 - key.count..<index - 1, of: bytes)
            try expect(0x3A)
            try body(&self, key)
        }
        index += 1
        guard peek() == nil else { throw .notJSON(offset: index) }
    }

    /// A whole number of at most 63 bits.
    mutating func integer(_ field: String) throws(LineFault) -> Int64 {
        var isNegative = false
        if peek() == 0x2D {
            isNegative = true
            index += 1
        }
        let start = index
        var value: Int64 = 0
        while index < bytes.count, bytes[index] &- 0x30 < 10 {
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.addingReportingOverflow(Int64(bytes[index] &- 0x30))
            if first || second { throw .unexpected(field: field) }
            value = sum
            index += 1
        }
        guard index > start, atEndOfScalar() else { throw .unexpected(field: field) }
        return isNegative ? -value : value
    }

    /// A whole number of at most 63 bits that is not negative.
    mutating func natural(_ field: String) throws(LineFault) -> Int64 {
        let value = try integer(field)
        if value < 0 { throw .unexpected(field: field) }
        return value
    }

    /// A string, with its escapes still in it.
    mutating func rawString() throws(LineFault) -> UnsafeRawBufferPointer {
        try expect(0x22)
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x22 {
                index += 1
                return UnsafeRawBufferPointer(rebasing: bytes[start..<index - 1])
            }
            index += byte == 0x5C ? 2 : 1
        }
        throw .notJSON(offset: bytes.count)
    }

    /// A string with its escapes resolved, appended to `text`, which it first empties; `false` for null.
    mutating func string(into text: inout [UInt8]) throws(LineFault) -> Bool {
        text.removeAll(keepingCapacity: true)
        guard peek() == 0x22 else {
            try expectNull()
            return false
        }
        index += 1
        index = try StringEscapes.resolve(bytes, from: index, into: &text)
        return true
    }

    /// Skips one value of any kind.
    mutating func skip() throws(LineFault) {
        var depth = 0
        repeat {
            switch peek() {
            case nil: throw .notJSON(offset: index)
            case 0x22: _ = try rawString()
            case 0x7B, 0x5B:
                depth += 1
                if depth > LineScanner.depthLimit { throw .notJSON(offset: index) }
                index += 1
            case 0x7D, 0x5D:
                guard depth > 0 else { throw .notJSON(offset: index) }
                depth -= 1
                index += 1
            case 0x2C, 0x3A:
                guard depth > 0 else { throw .notJSON(offset: index) }
                index += 1
            default:
                let start = index
                while !atEndOfScalar() { index += 1 }
                // A control character ends a scalar, and is none.
                guard index > start else { throw .notJSON(offset: index) }
            }
        } while depth > 0
    }

    /// The next byte that is not white space, which stays to be read; `nil` at the end.
    mutating func peek() -> UInt8? {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return bytes[index]
            }
        }
        return nil
    }

    private mutating func expect(_ byte: UInt8) throws(LineFault) {
        guard peek() == byte else { throw .notJSON(offset: index) }
        index += 1
    }

    private mutating func expectNull() throws(LineFault) {
        guard bytes.count - index >= 4, bytes[index..<index + 4].elementsEqual("null".utf8) else {
            throw .notJSON(offset: index)
        }
        index += 4
    }

    private func atEndOfScalar() -> Bool {
        guard index < bytes.count else { return true }
        switch bytes[index] {
        case 0...0x20, 0x2C, 0x3A, 0x5D, 0x7D: return true
        default: return false
        }
    }
}
