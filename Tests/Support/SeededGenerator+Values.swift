package import Instruments
package import MarketData

extension SeededGenerator {
    /// Any Int64; every fourth is an end of the range, zero, or near to one of them.
    package mutating func int64() -> Int64 {
        guard chance(25) else { return Int64(bitPattern: next()) >> Int64(int(0...63)) }
        return pick([.min, .min + 1, -1, 0, 1, .max - 1, .max])
    }

    /// Any scale.
    package mutating func scale() -> Scale { Scale(int(0...18)) ?? .zero }

    /// Any instant.
    package mutating func timestamp() -> Timestamp { Timestamp(nanoseconds: int64()) }

    /// Any instant but the one that the wire uses for "none", or none.
    package mutating func optionalTimestamp() -> Timestamp? {
        let time = timestamp()
        return chance(25) || time == .zero ? nil : time
    }

    /// Text of 0 to 12 scalars, among them those that topics escape, several bytes long, or joined to the one
    /// before.
    package mutating func text(_ lengths: ClosedRange<Int> = 0...12) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "B", "7", "-", "_", ":", "%", ".", " ", "/", "2", "E", "5", "\u{0}", "\n", "é", "\u{301}",
            "₿", "币",
            "\u{200D}", "🙂", "\u{10FFFF}",
        ]
        var text = ""
        for _ in 0..<int(lengths) { text.unicodeScalars.append(pick(scalars)) }
        return text
    }

    /// An instrument of a known venue or of a strangely named one.
    package mutating func instrumentID() -> InstrumentID {
        // A colon ends the venue's name in the text of an id, so it is the one character that a name cannot
        // have.
        let strange = text(1...6).unicodeScalars.map { $0 == ":" ? "-" : Character($0) }
        let venue = chance(60) ? pick(Venue.known) : Venue(rawValue: String(strange))
        return InstrumentID(venue: venue, symbol: text(1...12))
    }

    /// Levels at any price, in any order.
    package mutating func levels(_ counts: ClosedRange<Int> = 0...8) -> [BookLevel] {
        (0..<int(counts)).map { _ in BookLevel(price: Price(int64()), size: Quantity(int64())) }
    }

    /// A position of any stream.
    package mutating func streamPosition() -> StreamPosition {
        StreamPosition(producer: text(), epoch: next() >> UInt64(int(0...63)), sequence: next())
    }

    /// Any bytes.
    package mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<int(counts)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// The bytes after one small damage: a flipped bit, a cut, a byte more, or a part of them twice.
    package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return self.bytes(1...4) }
        var damaged = bytes
        let index = int(0...bytes.count - 1)
        switch int(0...4) {
        case 0: damaged[index] ^= 1 << UInt8(int(0...7))
        case 1: damaged.removeSubrange(index...)
        case 2: damaged.insert(UInt8(truncatingIfNeeded: next()), at: index)
        case 3: damaged.remove(at: index)
        default: damaged.insert(contentsOf: bytes[index...], at: index)
        }
        return damaged
    }
}
