public import Instruments

/// One side of a book: exact levels sorted from the worst to the best.
///
/// Prices are kept as keys that grow towards the best: the price itself for bids, its negative for asks.
/// - Complexity: a change costs a search from the latest change outwards and a move within a block of 64.
public struct BookLadder: Sendable {
    @usableFromInline var storage = LadderStorage()
    @usableFromInline let sign: Int64

    public init(side: BookSide) { sign = side == .bid ? 1 : -1 }

    /// How many levels there are.
    @inlinable public var count: Int { storage.count }

    /// Whether there is none.
    @inlinable public var isEmpty: Bool { storage.count == 0 }

    /// The best level, `nil` when the side is empty.
    @inlinable public var best: BookLevel? {
        let place = storage.blockCount &- 1
        guard place >= 0 else { return nil }
        let size = storage.base(place)[storage.levels(place) &- 1].size
        return BookLevel(price: Price(storage.lasts[place] &* sign), size: Quantity(size))
    }

    /// The level at a rank, 0 being the best.
    ///
    /// - Precondition: `0 <= rank < count`.
    @inlinable
    public func level(at rank: Int) -> BookLevel {
        precondition(rank >= 0 && rank < storage.count, "no level has this rank")
        var place = storage.blockCount &- 1
        var left = rank
        while left >= storage.levels(place) {
            left &-= storage.levels(place)
            place &-= 1
        }
        let base = storage.base(place)
        let index = storage.levels(place) &- 1 &- left
        return BookLevel(
            price: Price(base[index].key &* sign), size: Quantity(base[index].size))
    }

    /// Calls `body` with the best `depth` levels, best first.
    @inlinable
    public func forEachLevel(best depth: Int = .max, _ body: (BookLevel) -> Void) {
        var left = depth
        var place = storage.blockCount &- 1
        while place >= 0, left > 0 {
            let base = storage.base(place)
            var index = storage.levels(place) &- 1
            while index >= 0, left > 0 {
                body(
                    BookLevel(
                        price: Price(base[index].key &* sign),
                        size: Quantity(base[index].size)))
                index &-= 1
                left &-= 1
            }
            place &-= 1
        }
    }

    /// The size at a price, `nil` when there is no such level.
    @inlinable
    public func size(at price: Price) -> Quantity? {
        let key = price.rawValue &* sign
        let place = storage.place(of: key)
        guard place < storage.blockCount else { return nil }
        let base = storage.base(place)
        let index = storage.index(of: key, in: base)
        return base[index].key == key ? Quantity(base[index].size) : nil
    }

    /// Sets a level; size 0 removes it.
    ///
    /// Returns whether the level was there before.
    @inlinable
    @discardableResult
    public mutating func set(_ price: Price, _ size: Quantity) -> Bool {
        makeUnique()
        return setUnique(price, size)
    }

    /// Copies the levels if another ladder shares them: once before any number of ``setUnique(_:_:)``.
    @inlinable @inline(__always)
    mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    }

    @inlinable @inline(__always)
    mutating func setUnique(_ price: Price, _ size: Quantity) -> Bool {
        let key = price.rawValue &* sign
        let place = storage.place(of: key)
        guard place < storage.blockCount else {
            if size.rawValue != 0 { insertBest(key, size.rawValue) }
            return false
        }
        storage.latest = place
        let base = storage.base(place)
        let index = storage.index(of: key, in: base)
        let exists = base[index].key == key
        if exists {
            if size.rawValue != 0 {
                base[index].size = size.rawValue
            } else {
                remove(at: index, place)
            }
        } else if size.rawValue != 0 {
            insert(key, size.rawValue, at: index, place)
        }
        return exists
    }

    @usableFromInline
    mutating func insertBest(_ key: Int64, _ size: Int64) {
        let place = storage.blockCount - 1
        if place >= 0, storage.levels(place) < LadderStorage.blockSize {
            insert(key, size, at: storage.levels(place), place)
            storage.lasts[place] = key
        } else {
            storage.append(key, size)
        }
    }

    @usableFromInline
    mutating func insert(_ key: Int64, _ size: Int64, at index: Int, _ place: Int) {
        var index = index
        var place = place
        if storage.levels(place) == LadderStorage.blockSize {
            storage.split(place)
            if index > LadderStorage.blockSize / 2 {
                index -= LadderStorage.blockSize / 2
                place += 1
            }
        }
        let base = storage.base(place)
        let levels = storage.levels(place)
        (base + index + 1).update(from: base + index, count: levels - index)
        base[index] = LadderStorage.Row(key: key, size: size)
        storage.setLevels(place, levels + 1)
        storage.count += 1
        if index == levels { storage.lasts[place] = key }
    }

    @usableFromInline
    mutating func remove(at index: Int, _ place: Int) {
        let base = storage.base(place)
        let left = storage.levels(place) - 1
        (base + index).update(from: base + index + 1, count: left - index)
        base[left] = .none
        storage.setLevels(place, left)
        storage.count -= 1
        if left == 0 {
            storage.removeBlock(at: place)
        } else if index == left {
            storage.lasts[place] = base[left - 1].key
        }
    }

    /// Replaces all levels.
    ///
    /// Levels may come in any order; zero sizes are left out, a repeated price keeps the last.
    public mutating func replace(with levels: [BookLevel]) {
        var rows: [(key: Int64, size: Int64)] = []
        rows.reserveCapacity(levels.count)
        var (isRising, isFalling) = (true, true)
        for level in levels where level.size.rawValue != 0 {
            let key = level.price.rawValue &* sign
            if let last = rows.last {
                if last.key <= key { isFalling = false }
                if last.key >= key { isRising = false }
            }
            rows.append((key, level.size.rawValue))
        }
        // Images come sorted, from the best or from the worst.
        if isFalling {
            rows.reverse()
        } else if !isRising {
            var latest: [Int64: Int64] = [:]
            for row in rows { latest[row.key] = row.size }
            rows = latest.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        }
        storage = LadderStorage(capacity: rows.count / LadderStorage.filling + 1)
        for row in rows { storage.append(row.key, row.size) }
    }

    /// The best `depth` levels, best first.
    public func top(_ depth: Int) -> [BookLevel] {
        var levels: [BookLevel] = []
        levels.reserveCapacity(min(max(depth, 0), count))
        forEachLevel(best: depth) { levels.append($0) }
        return levels
    }

    /// Drops every level beyond the best `depth`.
    @inlinable
    public mutating func truncate(to depth: Int) {
        if storage.count > max(depth, 0) { dropDeepest(storage.count - max(depth, 0)) }
    }

    @usableFromInline
    mutating func dropDeepest(_ surplus: Int) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        var surplus = surplus
        while surplus > 0 {
            let levels = storage.levels(0)
            guard levels <= surplus else {
                let base = storage.base(0)
                base.update(from: base + surplus, count: levels - surplus)
                (base + levels - surplus).update(repeating: .none, count: surplus)
                storage.setLevels(0, levels - surplus)
                storage.count -= surplus
                return
            }
            storage.removeBlock(at: 0)
            storage.count -= levels
            surplus -= levels
        }
    }

    /// Drops every level.
    public mutating func removeAll() {
        if isKnownUniquelyReferenced(&storage) { storage.removeAll() } else { storage = LadderStorage() }
    }

    /// Multiplies all prices and sizes; returns `false`, leaving the side unchanged, when one would not fit.
    mutating func multiply(prices: Int64, sizes factor: Int64) -> Bool {
        let larger = storage.copy()
        for place in 0..<larger.blockCount {
            let base = larger.base(place)
            for index in 0..<larger.levels(place) {
                let (key, first) = base[index].key.multipliedReportingOverflow(by: prices)
                let (size, second) = base[index].size.multipliedReportingOverflow(by: factor)
                if first || second { return false }
                base[index] = LadderStorage.Row(key: key, size: size)
            }
            larger.lasts[place] = base[larger.levels(place) - 1].key
        }
        storage = larger
        return true
    }
}

extension BookLadder: Equatable {
    /// Equal when all levels are.
    public static func == (left: BookLadder, right: BookLadder) -> Bool {
        if left.storage === right.storage { return true }
        guard left.sign == right.sign, left.count == right.count else { return false }
        return left.top(.max) == right.top(.max)
    }
}
