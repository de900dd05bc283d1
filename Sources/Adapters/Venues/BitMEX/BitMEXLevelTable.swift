import Instruments
import MarketData

/// BitMEX's level ids of one book: (side, id) to price.
///
/// An open-addressing table, at most three quarters full, with backward-shift deletion, so that no allocation
/// happens per message and lookups stay short. Ids are arbitrary numbers; nothing is derived from them.
struct BitMEXLevelTable: Sendable {
    private struct Slot {
        var key: UInt64 = 0
        /// ``none`` where the slot is empty, which no price is: 63 bits of digits cannot make it.
        var price = none
    }

    private static let none = Int64.min

    private var slots = [Slot](repeating: Slot(), count: 64)
    private(set) var count = 0

    /// The price of an id on a side.
    @inline(__always)
    func price(of id: UInt64, _ side: BookSide) -> Price? {
        let slot = position(BitMEXLevelTable.key(id, side))
        return slots[slot].price == BitMEXLevelTable.none ? nil : Price(slots[slot].price)
    }

    /// Enters an id; `false` when it is there already.
    @inline(__always)
    mutating func insert(_ id: UInt64, _ side: BookSide, _ price: Price) -> Bool {
        if (count &+ 1) &* 4 > slots.count &* 3 { grow(to: slots.count * 2) }
        let key = BitMEXLevelTable.key(id, side)
        let slot = position(key)
        guard slots[slot].price == BitMEXLevelTable.none else { return false }
        slots[slot] = Slot(key: key, price: price.rawValue)
        count &+= 1
        return true
    }

    /// Removes an id and returns its price; `nil` when it is not there.
    mutating func remove(_ id: UInt64, _ side: BookSide) -> Price? {
        var hole = position(BitMEXLevelTable.key(id, side))
        guard slots[hole].price != BitMEXLevelTable.none else { return nil }
        let price = slots[hole].price
        let mask = slots.count - 1
        var next = (hole + 1) & mask
        while slots[next].price != BitMEXLevelTable.none {
            let home = BitMEXLevelTable.hash(slots[next].key) & mask
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

    /// Forgets all ids and makes room for so many.
    mutating func removeAll(reserving wanted: Int) {
        var size = 64
        while size * 3 < wanted * 4 { size *= 2 }
        slots = [Slot](repeating: Slot(), count: size)
        count = 0
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
        for slot in slots.indices where slots[slot].price != BitMEXLevelTable.none {
            slots[slot].price = slots[slot].price.multipliedReportingOverflow(by: factor).partialValue
        }
    }

    /// Every id with its side and price, for a simulator's image.
    var entries: [(id: UInt64, side: BookSide, price: Price)] {
        slots.compactMap {
            $0.price == BitMEXLevelTable.none
                ? nil : ($0.key >> 1, $0.key & 1 == 0 ? .bid : .ask, Price($0.price))
        }
    }

    @inline(__always)
    private func position(_ key: UInt64) -> Int {
        let mask = slots.count &- 1
        var slot = BitMEXLevelTable.hash(key) & mask
        while slots[slot].price != BitMEXLevelTable.none, slots[slot].key != key {
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    @inline(never)
    private mutating func grow(to size: Int) {
        let old = slots
        slots = [Slot](repeating: Slot(), count: size)
        for entry in old where entry.price != BitMEXLevelTable.none { slots[position(entry.key)] = entry }
    }

    /// Ids have at most 63 bits, so that the side fits beside them.
    @inline(__always)
    private static func key(_ id: UInt64, _ side: BookSide) -> UInt64 { id &<< 1 | UInt64(side.rawValue) }

    /// A multiplication that spreads neighbouring ids.
    ///
    /// Source: Knuth, TAOCP 3, 6.4 (2^64 / golden ratio).
    @inline(__always)
    private static func hash(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32)
    }
}
