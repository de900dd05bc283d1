/// Eight bytes of text as one word, the first byte lowest: what the scanner does without a loop.
///
/// A marked byte has its highest bit set and all others clear.
struct JSONWord {
    var bits: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// How many of the first bytes are neither a quote nor a backslash; 8 when all are.
    ///
    /// Source: Warren, "Hacker's Delight", 6-1 (find first 0-byte). A byte behind the first mark may be marked
    /// without reason, the first never is.
    @inline(__always)
    var plainBytes: Int {
        let quotes = bits ^ JSONWord.ones &* 0x22
        let escapes = bits ^ JSONWord.ones &* 0x5C
        let marks = ((quotes &- JSONWord.ones) & ~quotes) | ((escapes &- JSONWord.ones) & ~escapes)
        return (marks & JSONWord.highs).trailingZeroBitCount &>> 3
    }

    /// How many of the first bytes are digits.
    @inline(__always)
    var leadingDigits: Int {
        let values = bits ^ JSONWord.ones &* 0x30
        // Seven bits and 0x76 reach the eighth from ten on, and never the next byte.
        let marks = ((values & ~JSONWord.highs) &+ JSONWord.ones &* 0x76) | values
        return (marks & JSONWord.highs).trailingZeroBitCount &>> 3
    }

    /// The values of the first `count` bytes, which are digits, 1...8; zeros behind them.
    @inline(__always)
    func digits(_ count: Int) -> UInt64 {
        (bits ^ JSONWord.ones &* 0x30) & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// The number that the first `count` of some digits make, 0...8.
    ///
    /// Source: Lemire, "Quickly parsing eight digits", 2018; here digits that are not wanted are shifted out,
    /// which leaves zeros before the others.
    @inline(__always)
    static func number(_ digits: UInt64, _ count: Int) -> Int64 {
        let last = digits << UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let pairs = (last &* 10 &+ last &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
        return Int64(truncatingIfNeeded: (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF)
    }
}

extension JSONScanner {
    /// Eight bytes from an offset.
    ///
    /// - Precondition: `offset + 8 <= count`, which the caller has checked.
    // SAFETY: the bytes lie within the scanner's.
    @inline(__always)
    func word(at offset: Int) -> JSONWord {
        JSONWord(bits: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self).littleEndian)
    }

    /// Whether a literal lies at an offset.
    ///
    /// Words instead of bytes: of a literal the compiler makes constants of them.
    ///
    /// - Precondition: so many bytes are there, which the caller has checked.
    // SAFETY: no load reaches beyond the literal's length on either side.
    @inline(__always)
    func holds(_ literal: StaticString, at start: Int) -> Bool {
        let length = literal.utf8CodeUnitCount
        let here = UnsafeRawPointer(base + start)
        let there = UnsafeRawPointer(literal.utf8Start)
        var offset = 0
        while offset &+ 8 <= length {
            if here.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != there.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset &+= 8
        }
        if length & 4 != 0 {
            if here.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                != there.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            {
                return false
            }
            offset &+= 4
        }
        while offset < length {
            if here.load(fromByteOffset: offset, as: UInt8.self)
                != there.load(fromByteOffset: offset, as: UInt8.self)
            {
                return false
            }
            offset &+= 1
        }
        return true
    }

    /// Consumes a literal if it lies here, without any white space.
    @inline(__always)
    mutating func takeExactly(_ literal: StaticString) -> Bool {
        guard index &+ literal.utf8CodeUnitCount <= count, holds(literal, at: index) else { return false }
        index &+= literal.utf8CodeUnitCount
        return true
    }
}
