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

    /// One hashed level: its text as a register of CRC-32 from zeros, and its length.
    private struct Row: Sendable {
        var price: Int64
        var size: Int64
        var text: UInt32
        /// The register after this row and all before it.
        var register: UInt32
        var length: Int
        /// Whether the text has as many places as the scales.
        var isRegular: Bool
    }

    /// Levels a side that are hashed.
    static let depth = 10

    /// By price, for each side; empty on a venue that always sends the same number of places.
    private(set) var irregular: [[Int64: Places]] = [[:], [:]]

    // What was hashed last, asks before bids, so that only levels that are new are written as text again.
    private let joints = CRC32.Joints()
    private var rows: [Row] = []
    private var spare: [Row] = []
    private var askCount = 0
    private var checksum: UInt32 = 0
    /// Whether the hashed levels may have changed since.
    private var isStale = true
    /// The worst hashed prices: what lies behind them changes nothing.
    private var lastBid = Int64.min
    private var lastAsk = Int64.max
    private var scales = (price: Scale.zero, size: Scale.zero)

    /// Remembers or forgets the places of a level that was set or removed.
    @inline(__always)
    mutating func note(
        _ change: BookLevelChange, pricePlaces: Int, sizePlaces: Int, scales: (price: Scale, size: Scale)
    ) {
        let price = change.price.rawValue
        if change.side == .bid ? price >= lastBid : price <= lastAsk { isStale = true }
        let side = Int(change.side.rawValue)
        let isRegular = pricePlaces == scales.price.places && sizePlaces == scales.size.places
        if isRegular || change.size.rawValue == 0 {
            if !irregular[side].isEmpty { irregular[side][price] = nil }
        } else {
            irregular[side][price] = Places(price: UInt8(pricePlaces), size: UInt8(sizePlaces))
        }
    }

    /// Forgets a level that fell out of the depth.
    mutating func forget(_ price: Price, _ side: BookSide) {
        isStale = true
        if !irregular[Int(side.rawValue)].isEmpty { irregular[Int(side.rawValue)][price.rawValue] = nil }
    }

    /// Forgets everything.
    mutating func removeAll() {
        irregular = [[:], [:]]
        isStale = true
    }

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

    mutating func value(of book: borrowing Book) -> UInt32 {
        guard isStale || scales != (book.priceScale, book.sizeScale) else { return checksum }
        scales = (book.priceScale, book.sizeScale)
        swap(&rows, &spare)
        rows.removeAll(keepingCapacity: true)
        var register: UInt32 = 0xFFFF_FFFF
        let oldAsks = askCount
        append(book.asks, 1, old: 0..<oldAsks, after: &register)
        askCount = rows.count
        lastAsk = askCount < KrakenChecksum.depth ? .max : rows[askCount &- 1].price
        append(book.bids, 0, old: oldAsks..<spare.count, after: &register)
        lastBid = rows.count &- askCount < KrakenChecksum.depth ? .min : rows[rows.count &- 1].price
        isStale = false
        checksum = ~register
        return checksum
    }

    /// Adds the rows of one side to `rows`, from the old ones in `spare` where they are the same.
    @inline(__always)
    private mutating func append(
        _ ladder: borrowing BookLadder, _ side: Int, old: Range<Int>, after register: inout UInt32
    ) {
        var next = old.lowerBound
        let sign: Int64 = side == 1 ? -1 : 1
        ladder.forEachLevel(best: KrakenChecksum.depth) { level in
            let (price, size) = (level.price.rawValue, level.size.rawValue)
            while next < old.upperBound, spare[next].price &* sign > price &* sign { next &+= 1 }
            var row: Row
            if next < old.upperBound, spare[next].price == price, spare[next].size == size,
                spare[next].isRegular, irregular[side].isEmpty || irregular[side][price] == nil
            {
                row = spare[next]
                if next == rows.count, next == 0 || rows[next &- 1].register == spare[next &- 1].register {
                    register = row.register
                    rows.append(row)
                    return
                }
            } else {
                row = newRow(level, side)
            }
            register = joints.register(register, then: row.text, length: row.length)
            row.register = register
            rows.append(row)
        }
    }

    private func newRow(_ level: BookLevel, _ side: Int) -> Row {
        var row = Row(
            price: level.price.rawValue, size: level.size.rawValue, text: 0, register: 0, length: 0,
            isRegular: true)
        var price = row.price.magnitude
        var size = row.size.magnitude
        if !irregular[side].isEmpty, let places = irregular[side][row.price] {
            row.isRegular = false
            price /= Scale.powers(scales.price.places - Int(places.price)).magnitude
            size /= Scale.powers(scales.size.places - Int(places.size)).magnitude
        }
        withUnsafeTemporaryAllocation(byteCount: CRC32.Joints.limit, alignment: 8) { buffer in
            KrakenChecksum.write(price, to: buffer, at: &row.length)
            KrakenChecksum.write(size, to: buffer, at: &row.length)
            row.text = CRC32.register(after: UnsafeRawBufferPointer(rebasing: buffer[..<row.length]), from: 0)
        }
        return row
    }

    /// Decimal digits; at most 20, so that two numbers fit the buffer.
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
