import Instruments
import MarketData

/// Kraken's CRC-32 over the ten best levels of each side.
///
/// 1. Asks from low to high, then bids from high to low, ten of each at the most.
/// 2. Of each level the price and then the quantity, as the text was sent, without the point and leading
///   zeros.
/// 3. CRC-32 of all of it, as an unsigned number.
///
/// A scaled integer written in decimal is that text, as long as the scale is the number of places that was
/// sent; levels sent with fewer places are remembered in ``irregular``.
///
/// Source: Kraken, "Book checksum" guides for WebSocket v1 and v2, read 2026-11.
struct KrakenChecksum: Sendable {
    /// Places of a level that was sent with fewer than the instrument's scales have.
    struct Places: Sendable {
        var price: UInt8
        var size: UInt8
    }

    /// Levels a side that are hashed.
    static let depth = 10

    /// By price, for each side; empty on a venue that always sends the same number of places.
    private(set) var irregular: [[Int64: Places]] = [[:], [:]]

    /// Remembers or forgets the places of a level that was set or removed.
    @inline(__always)
    mutating func note(
        _ change: BookLevelChange, pricePlaces: Int, sizePlaces: Int, in book: borrowing Book
    ) {
        let side = Int(change.side.rawValue)
        let isRegular = pricePlaces == book.priceScale.places && sizePlaces == book.sizeScale.places
        if isRegular || change.size.rawValue == 0 {
            if !irregular[side].isEmpty { irregular[side][change.price.rawValue] = nil }
        } else {
            irregular[side][change.price.rawValue] = Places(
                price: UInt8(pricePlaces), size: UInt8(sizePlaces))
        }
    }

    /// Forgets a level that fell out of the depth.
    mutating func forget(_ price: Price, _ side: BookSide) {
        if !irregular[Int(side.rawValue)].isEmpty { irregular[Int(side.rawValue)][price.rawValue] = nil }
    }

    /// Forgets everything.
    mutating func removeAll() { irregular = [[:], [:]] }

    /// Carries on after the book's scales grew: every level keeps the places that it was sent with.
    mutating func refined(from old: (price: Scale, size: Scale), book: Book) {
        let factor = book.priceScale.power / old.price.power
        for (side, ladder) in [(0, book.bids), (1, book.asks)] {
            var moved: [Int64: Places] = [:]
            for (price, places) in irregular[side] {
                moved[price.multipliedReportingOverflow(by: factor).partialValue] = places
            }
            for rank in 0..<ladder.count {
                let price = ladder.level(at: rank).price.rawValue
                if moved[price] == nil {
                    moved[price] = Places(price: old.price.rawValue, size: old.size.rawValue)
                }
            }
            irregular[side] = moved
        }
    }

    /// The checksum of a book.
    func value(of book: borrowing Book) -> UInt32 {
        withUnsafeTemporaryAllocation(byteCount: 40 * 20, alignment: 8) { buffer in
            var end = 0
            append(book.asks, 1, book.priceScale, book.sizeScale, to: buffer, at: &end)
            append(book.bids, 0, book.priceScale, book.sizeScale, to: buffer, at: &end)
            return CRC32.checksum(UnsafeRawBufferPointer(rebasing: buffer[..<end]))
        }
    }

    @inline(__always)
    private func append(
        _ ladder: borrowing BookLadder, _ side: Int, _ priceScale: Scale, _ sizeScale: Scale,
        to buffer: UnsafeMutableRawBufferPointer, at end: inout Int
    ) {
        let isRegular = irregular[side].isEmpty
        ladder.forEachLevel(best: KrakenChecksum.depth) { level in
            var price = level.price.rawValue.magnitude
            var size = level.size.rawValue.magnitude
            if !isRegular, let places = irregular[side][level.price.rawValue] {
                price /= Scale.powers(priceScale.places - Int(places.price)).magnitude
                size /= Scale.powers(sizeScale.places - Int(places.size)).magnitude
            }
            KrakenChecksum.write(price, to: buffer, at: &end)
            KrakenChecksum.write(size, to: buffer, at: &end)
        }
    }

    /// Decimal digits; at most 20, so that forty numbers fit the buffer.
    @inline(__always)
    private static func write(_ value: UInt64, to buffer: UnsafeMutableRawBufferPointer, at end: inout Int) {
        var count = 1
        var bound: UInt64 = 10
        while value >= bound, count < 20 {
            count &+= 1
            let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
            if overflow { break }
            bound = next
        }
        var rest = value
        var position = end &+ count
        while rest >= 100 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            rest = quotient
            position &-= 2
            buffer[position] = 0x30 &+ UInt8(truncatingIfNeeded: pair / 10)
            buffer[position &+ 1] = 0x30 &+ UInt8(truncatingIfNeeded: pair % 10)
        }
        if rest >= 10 {
            buffer[position &- 2] = 0x30 &+ UInt8(truncatingIfNeeded: rest / 10)
            buffer[position &- 1] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
        } else {
            buffer[position &- 1] = 0x30 &+ UInt8(truncatingIfNeeded: rest)
        }
        end &+= count
    }
}
