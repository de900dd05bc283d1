public import Instruments

/// One side of a book: levels sorted so that the best is last, where most changes happen.
///
/// Prices are kept as keys that grow towards the best: the price itself for bids, its negative for asks.
/// - Complexity: a change costs a search from the best outwards and a move of the levels better than it.
public struct BookLadder: Sendable, Equatable {
    @usableFromInline var keys: [Int64] = []
    @usableFromInline var sizes: [Int64] = []
    @usableFromInline let sign: Int64

    /// An empty side.
    public init(side: BookSide) { sign = side == .bid ? 1 : -1 }

    /// How many levels there are.
    @inlinable public var count: Int { keys.count }

    /// Whether there is none.
    @inlinable public var isEmpty: Bool { keys.isEmpty }

    /// The best level, `nil` when the side is empty.
    @inlinable public var best: BookLevel? {
        guard let key = keys.last, let size = sizes.last else { return nil }
        return BookLevel(price: Price(key &* sign), size: Quantity(size))
    }

    /// The level at a rank, 0 being the best.
    /// - Precondition: `0 <= rank < count`.
    @inlinable
    public func level(at rank: Int) -> BookLevel {
        let index = keys.count - 1 - rank
        return BookLevel(price: Price(keys[index] &* sign), size: Quantity(sizes[index]))
    }

    /// The size at a price, `nil` when there is no such level.
    @inlinable
    public func size(at price: Price) -> Quantity? {
        let key = price.rawValue &* sign
        let index = position(of: key)
        return index < keys.count && keys[index] == key ? Quantity(sizes[index]) : nil
    }

    /// Sets a level; size 0 removes it. Returns whether the level was there before.
    @inlinable
    @discardableResult
    public mutating func set(_ price: Price, _ size: Quantity) -> Bool {
        let key = price.rawValue &* sign
        let index = position(of: key)
        let exists = index < keys.count && keys[index] == key
        if size.rawValue == 0 {
            if exists {
                keys.remove(at: index)
                sizes.remove(at: index)
            }
        } else if exists {
            sizes[index] = size.rawValue
        } else {
            keys.insert(key, at: index)
            sizes.insert(size.rawValue, at: index)
        }
        return exists
    }

    /// The index of a key, or where it would be inserted: a few steps from the best, then halving.
    @inlinable
    func position(of key: Int64) -> Int {
        keys.withUnsafeBufferPointer { keys in
            var high = keys.count
            var step = 4
            var low = high - step
            while low > 0, keys[low] >= key {
                high = low
                step &*= 4
                low = high &- step
            }
            if low < 0 { low = 0 }
            while low < high {
                let middle = (low &+ high) / 2
                if keys[middle] < key { low = middle &+ 1 } else { high = middle }
            }
            return low
        }
    }

    /// Replaces all levels. Levels may come in any order; zero sizes are left out, a repeated price keeps the last.
    public mutating func replace(with levels: some Sequence<BookLevel>) {
        keys.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
        var isSorted = true
        for level in levels where level.size.rawValue != 0 {
            let key = level.price.rawValue &* sign
            if let last = keys.last, last >= key { isSorted = false }
            keys.append(key)
            sizes.append(level.size.rawValue)
        }
        if !isSorted { sort() }
    }

    /// The best `depth` levels, best first.
    public func top(_ depth: Int) -> [BookLevel] {
        let wanted = min(max(depth, 0), count)
        return (0..<wanted).map { level(at: $0) }
    }

    /// Drops every level beyond the best `depth`.
    @inlinable
    public mutating func truncate(to depth: Int) {
        let surplus = keys.count - max(depth, 0)
        guard surplus > 0 else { return }
        keys.removeFirst(surplus)
        sizes.removeFirst(surplus)
    }

    /// Drops every level.
    public mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
    }

    /// Multiplies all prices and sizes; returns `false`, leaving the side unchanged, when one would not fit.
    mutating func multiply(prices: Int64, sizes factor: Int64) -> Bool {
        var newKeys = keys
        var newSizes = sizes
        for index in newKeys.indices {
            let (key, first) = newKeys[index].multipliedReportingOverflow(by: prices)
            let (size, second) = newSizes[index].multipliedReportingOverflow(by: factor)
            if first || second { return false }
            newKeys[index] = key
            newSizes[index] = size
        }
        keys = newKeys
        sizes = newSizes
        return true
    }

    /// Sorts by key, keeping the later of two levels with one price. Images come best first, so turning them round
    /// usually sorts them.
    private mutating func sort() {
        keys.reverse()
        sizes.reverse()
        if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return }
        keys.reverse()
        sizes.reverse()
        var latest: [Int64: Int64] = [:]
        for (key, size) in zip(keys, sizes) { latest[key] = size }
        keys = latest.keys.sorted()
        sizes = keys.map { latest[$0] ?? 0 }
    }
}
