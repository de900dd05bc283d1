import Instruments

/// Why a venue's message could not be read.
package enum ScanError: Error {
    /// Not JSON, or not the shape that the venue documents.
    case malformed
    /// A number with more decimal places than its instrument's price scale; read again at this scale.
    case needsPriceScale(Int)
    /// A number with more decimal places than its instrument's size scale; read again at this scale.
    case needsSizeScale(Int)
    /// A number that does not fit 63 bits.
    case overflow
}

/// A stretch of the scanned bytes.
package struct JSONText {
    package var start: Int
    package var count: Int
    package var hasEscapes: Bool
}

/// Reads JSON in place, forward only, without making objects.
///
/// It checks the structure it walks through; what it skips is only followed bracket by bracket. Every read is
/// checked against the end, nesting is bounded by ``depthLimit``, and nothing traps, whatever the bytes are.
package struct JSONScanner {
    /// Levels of nesting.
    static let depthLimit = 64

    // SAFETY: `base` points at `count` readable bytes for the life of the scanner; whoever makes it keeps the
    // buffer alive, and every access is guarded by `index < count`.
    package let base: UnsafePointer<UInt8>
    package let count: Int
    package var index = 0

    /// Returns `nil` for no bytes at all.
    @inline(__always)
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress, bytes.count > 0 else { return nil }
        // SAFETY: bytes of any kind may be read as UInt8.
        base = address.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
    }

    // SAFETY: a JSONText of this scanner lies within its `count` bytes.
    @inline(__always)
    package func bytes(_ text: JSONText) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + text.start, count: text.count)
    }

    /// The text with escapes resolved; `nil` when an escape is broken or the bytes are no UTF-8.
    package func string(_ text: JSONText) -> String? {
        if !text.hasEscapes {
            return String(
                validating: UnsafeBufferPointer(start: base + text.start, count: text.count), as: UTF8.self)
        }
        return JSONEscapes.string(bytes(text))
    }

    @inline(__always)
    package func equals(_ text: JSONText, _ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard text.count == length else { return false }
        return holds(literal, at: text.start)
    }

    /// The only byte of a one-byte text; 0 otherwise.
    @inline(__always)
    package func single(_ text: JSONText) -> UInt8 { text.count == 1 ? base[text.start] : 0 }

    /// The next byte that is no white space; the scanner stands on it.
    @inline(__always)
    package mutating func peek() throws(ScanError) -> UInt8 {
        if index < count, base[index] > 0x20 { return base[index] }
        index = try afterSpace(index)
        return base[index]
    }

    /// Where the next byte lies that is no white space.
    ///
    /// It takes and returns an offset, so that the scanner of the fast paths can live in registers.
    @inline(never)
    private func afterSpace(_ start: Int) throws(ScanError) -> Int {
        var index = start
        while index < count {
            if base[index] > 0x20 { return index }
            index &+= 1
        }
        throw .malformed
    }

    @inline(__always)
    package mutating func expect(_ byte: UInt8) throws(ScanError) {
        guard try peek() == byte else { throw .malformed }
        index &+= 1
    }

    @inline(__always)
    package mutating func take(_ byte: UInt8) throws(ScanError) -> Bool {
        guard try peek() == byte else { return false }
        index &+= 1
        return true
    }

    /// Nothing but white space is left.
    package mutating func expectEnd() throws(ScanError) {
        while index < count {
            if base[index] > 0x20 { throw .malformed }
            index &+= 1
        }
    }

    /// A string; the result is what lies between the quotes.
    @inline(__always)
    package mutating func text() throws(ScanError) -> JSONText {
        try expect(0x22)
        let start = index
        while index &+ 8 <= count {
            let plain = word(at: index).plainBytes
            index &+= plain
            if plain == 8 { continue }
            if base[index] != 0x22 { break }
            index &+= 1
            return JSONText(start: start, count: index &- 1 &- start, hasEscapes: false)
        }
        let text = try restOfText(start, from: index)
        index = start &+ text.count &+ 1
        return text
    }

    /// The string that began at `start`, byte by byte.
    @inline(never)
    private func restOfText(_ start: Int, from first: Int) throws(ScanError) -> JSONText {
        var index = first
        var hasEscapes = false
        while index < count {
            let byte = base[index]
            if byte == 0x22 { return JSONText(start: start, count: index &- start, hasEscapes: hasEscapes) }
            if byte == 0x5C {
                hasEscapes = true
                index &+= 1
            }
            index &+= 1
        }
        throw .malformed
    }

    /// Walks an object; `body` must read exactly the value of the key that it is given.
    @inline(__always)
    package mutating func object(
        _ body: (inout JSONScanner, JSONText) throws(ScanError) -> Void
    ) throws(ScanError) {
        try expect(0x7B)
        if try take(0x7D) { return }
        while true {
            let key = try text()
            try expect(0x3A)
            try body(&self, key)
            if try take(0x2C) { continue }
            try expect(0x7D)
            return
        }
    }

    /// Walks over what is left of an object after one of its values.
    @inline(__always)
    mutating func finishObject() throws(ScanError) {
        while try take(0x2C) {
            _ = try text()
            try expect(0x3A)
            try skip()
        }
        try expect(0x7D)
    }

    /// Walks an array; `body` must read exactly one value.
    @inline(__always)
    package mutating func array(_ body: (inout JSONScanner) throws(ScanError) -> Void) throws(ScanError) {
        try expect(0x5B)
        if try take(0x5D) { return }
        while true {
            try body(&self)
            if try take(0x2C) { continue }
            try expect(0x5D)
            return
        }
    }

    /// Skips one value of any kind.
    package mutating func skip() throws(ScanError) {
        switch try peek() {
        case 0x22: _ = try text()
        case 0x7B, 0x5B:
            var depth = 0
            repeat {
                switch try peek() {
                case 0x22: _ = try text()
                case 0x7B, 0x5B:
                    depth &+= 1
                    if depth > JSONScanner.depthLimit { throw .malformed }
                    index &+= 1
                case 0x7D, 0x5D:
                    depth &-= 1
                    index &+= 1
                default: index &+= 1
                }
            } while depth > 0
        default:
            let start = index
            while index < count {
                let byte = base[index]
                if byte == 0x2C || byte == 0x7D || byte == 0x5D || byte <= 0x20 { break }
                index &+= 1
            }
            if index == start { throw .malformed }
        }
    }

    /// `null`, consumed if it is there.
    @inline(__always)
    package mutating func takeNull() throws(ScanError) -> Bool {
        guard try peek() == 0x6E else { return false }
        guard index &+ 4 <= count, base[index &+ 1] == 0x75, base[index &+ 2] == 0x6C,
            base[index &+ 3] == 0x6C
        else { throw .malformed }
        index &+= 4
        return true
    }

    /// `true` or `false`.
    package mutating func bool() throws(ScanError) -> Bool {
        let first = try peek()
        let literal: StaticString = first == 0x74 ? "true" : "false"
        let length = literal.utf8CodeUnitCount
        guard index + length <= count,
            equals(JSONText(start: index, count: length, hasEscapes: false), literal)
        else { throw .malformed }
        index += length
        return first == 0x74
    }

    /// A whole number of at most 63 bits, bare or quoted.
    @inline(__always)
    package mutating func integer() throws(ScanError) -> Int64 {
        let isQuoted = try take(0x22)
        var isNegative = false
        if index < count, base[index] == 0x2D {
            isNegative = true
            index &+= 1
        }
        let start = index
        var value: Int64 = 0
        if index &+ 8 <= count {
            let word = word(at: index)
            let digits = word.leadingDigits
            if digits > 0 { value = JSONWord.number(word.digits(digits), digits) }
            index &+= digits
        }
        while index < count {
            let digit = base[index] &- 0x30
            if digit >= 10 { break }
            if index &- start < 18 {
                value = value &* 10 &+ Int64(digit)
            } else {
                let (product, first) = value.multipliedReportingOverflow(by: 10)
                let (sum, second) = product.addingReportingOverflow(Int64(digit))
                if first || second { throw .overflow }
                value = sum
            }
            index &+= 1
        }
        if index == start { throw .malformed }
        if isQuoted {
            guard index < count, base[index] == 0x22 else { throw .malformed }
            index &+= 1
        } else if index < count {
            guard JSONScanner.endsNumber(base[index]) else { throw .malformed }
        }
        return isNegative ? 0 &- value : value
    }

    /// Whether a byte may stand behind a bare number.
    @inline(__always)
    static func endsNumber(_ byte: UInt8) -> Bool {
        byte == 0x2C || byte == 0x7D || byte == 0x5D || byte <= 0x20
    }

    /// The raw text of a number or a string, whichever is there; for ids, which are text to us.
    package mutating func scalarText() throws(ScanError) -> JSONText {
        if try peek() == 0x22 { return try text() }
        let start = index
        try skip()
        return JSONText(start: start, count: index - start, hasEscapes: false)
    }
}
