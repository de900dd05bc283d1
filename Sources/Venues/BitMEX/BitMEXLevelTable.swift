import Instruments
import MarketData

/// BitMEX's level ids of one book: (side, id) to price.
///
/// An open-addressing table with backward-shift deletion, so that no allocation happens per message and
/// lookups stay short. Ids are arbitrary numbers; nothing is derived from them.
struct BitMEXLevelTable: Sendable {
    private struct Slot {
        var id: UInt64 = 0
        var price: Int64 = 0
        /// 0 empty, 1 bid, 2 ask.
        var tag: UInt8 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 64)
    private(set) var count = 0

    /// The price of an id on a side.
    @inline(__always)
    func price(of id: UInt64, _ side: BookSide) -> Price? {
        let slot = position(id, side)
        return slots[slot].tag == 0 ? nil : Price(slots[slot].price)
    }

    /// Enters an id; `false` when it is there already.
    mutating func insert(_ id: UInt64, _ side: BookSide, _ price: Price) -> Bool {
        if count * 2 >= slots.count { grow() }
        let slot = position(id, side)
        guard slots[slot].tag == 0 else { return false }
        slots[slot] = Slot(id: id, price: price.rawValue, tag: BitMEXLevelTable.tag(side))
        count += 1
        return true
    }

    /// Removes an id and returns its price; `nil` when it is not there.
    mutating func remove(_ id: UInt64, _ side: BookSide) -> Price? {
        var hole = position(id, side)
        guard slots[hole].tag != 0 else { return nil }
        let price = slots[hole].price
        let mask = slots.count - 1
        var next = (hole + 1) & mask
        while slots[next].tag != 0 {
            let home = BitMEXLevelTable.hash(slots[next].id, slots[next].tag) & mask
            // An entry moves back when its home is not between the hole and where it lies.
            if (next &- home) & mask >= (next &- hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = Slot()
        count -= 1
        return Price(price)
    }

    /// Forgets all ids.
    mutating func removeAll() {
        slots = [Slot](repeating: Slot(), count: slots.count)
        count = 0
    }

    /// Carries all prices over to a finer scale.
    ///
    /// The book has checked that they fit.
    mutating func multiply(prices factor: Int64) {
        for slot in slots.indices {
            slots[slot].price = slots[slot].price.multipliedReportingOverflow(by: factor).partialValue
        }
    }

    /// Every id with its side and price, for a simulator's image.
    var entries: [(id: UInt64, side: BookSide, price: Price)] {
        slots.compactMap { $0.tag == 0 ? nil : ($0.id, $0.tag == 1 ? .bid : .ask, Price($0.price)) }
    }

    @inline(__always)
    private func position(_ id: UInt64, _ side: BookSide) -> Int {
        let tag = BitMEXLevelTable.tag(side)
        let mask = slots.count &- 1
        var slot = BitMEXLevelTable.hash(id, tag) & mask
        while slots[slot].tag != 0, slots[slot].id != id || slots[slot].tag != tag {
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for entry in old where entry.tag != 0 {
            slots[position(entry.id, entry.tag == 1 ? .bid : .ask)] = entry
        }
    }

    @inline(__always)
    private static func tag(_ side: BookSide) -> UInt8 { side == .bid ? 1 : 2 }

    /// A multiplication that spreads neighbouring ids.
    ///
    /// Source: Knuth, TAOCP 3, 6.4 (2^64 / golden ratio).
    @inline(__always)
    private static func hash(_ id: UInt64, _ tag: UInt8) -> Int {
        Int(truncatingIfNeeded: ((id &* 2 &+ UInt64(tag)) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}
