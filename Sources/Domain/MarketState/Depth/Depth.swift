import Instruments
public import MarketData

/// What a book's depth says: pure functions over its ladders.
///
/// Prices and sizes are in units of the book's scales. Sums of sizes and products are exact; a quotient is
/// an ``ExactRatio``, or rounded at a scale that is stated.
public enum Depth {
    /// The best levels with accumulated size and value.
    ///
    /// sizeₙ = Σᵢ≤ₙ sᵢ, notionalₙ = Σᵢ≤ₙ pᵢ·sᵢ, shareₙ = ⌊10⁶·sₙ / Σ s⌋ over the levels asked for.
    ///
    /// - Parameters:
    ///   - ladder: A side of a book.
    ///   - depth: The most levels.
    ///   - levels: Is emptied first; used again, it needs no memory.
    public static func accumulate(_ ladder: BookLadder, best depth: Int, into levels: inout [DepthLevel]) {
        levels.removeAll(keepingCapacity: true)
        var sums = DepthSums()
        ladder.forEachLevel(best: depth) { level in
            sums.add(level)
            levels.append(DepthLevel(level: level, size: sums.size, notional: sums.notional, share: 0))
        }
        guard sums.size > 0 else { return }
        levels.withUnsafeMutableBufferPointer { levels in
            // A division of 64 bits costs a tenth of one of 128.
            if let total = Int64(exactly: sums.size), total <= Int64.max / 1_000_000 {
                for index in levels.indices {
                    let part = levels[index].level.size.rawValue * 1_000_000 / total
                    levels[index].share = Int32(truncatingIfNeeded: part)
                }
            } else {
                for index in levels.indices {
                    let part = Int128(levels[index].level.size.rawValue) * 1_000_000 / sums.size
                    levels[index].share = Int32(truncatingIfNeeded: part)
                }
            }
        }
    }

    /// Sums over the best levels of a side: Σ s and Σ p·s.
    public static func total(_ ladder: BookLadder, best depth: Int = .max) -> DepthSums {
        var sums = DepthSums()
        ladder.forEachLevel(best: depth) { sums.add($0) }
        return sums
    }

    /// Sums over the levels within a distance of the mid price.
    ///
    /// With m = (bid + ask) / 2 and d = distance / 10⁴: bids p ≥ m·(1 − d), asks p ≤ m·(1 + d). By default
    /// d is 5 %.
    ///
    /// - Parameters:
    ///   - book: The book.
    ///   - distance: Basis points of the mid price, 0...10,000.
    /// - Returns: `nil` when a side is empty, since there is no mid price then.
    public static func within(_ book: Book, basisPoints distance: Int = 500) -> (
        bids: DepthSums, asks: DepthSums
    )? {
        precondition((0...10_000).contains(distance), "a distance is 0 to 10,000 basis points")
        guard let bid = book.bestBid, let ask = book.bestAsk else { return nil }
        let middle = Int128(bid.price.rawValue) + Int128(ask.price.rawValue)
        // The furthest prices that are near enough: ⌈m·(1 − d)⌉ and ⌊m·(1 + d)⌋.
        let lowest = floorDivide(middle * Int128(10_000 - distance) + 19_999, by: 20_000)
        let highest = floorDivide(middle * Int128(10_000 + distance), by: 20_000)
        return (sum(book.bids, from: lowest, to: .max), sum(book.asks, from: .min, to: highest))
    }

    private static func sum(_ ladder: BookLadder, from lowest: Int128, to highest: Int128) -> DepthSums {
        let range = Int64(clamping: lowest)...Int64(clamping: highest)
        var sums = DepthSums()
        ladder.forEachLevel { level in
            if range.contains(level.price.rawValue) { sums.add(level) }
        }
        return sums
    }

    private static func floorDivide(_ value: Int128, by divisor: Int128) -> Int128 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The best levels of a side on a coarser grid.
    ///
    /// Bids go to ⌊p / tick⌋·tick and asks to ⌈p / tick⌉·tick, so that no group looks better than its
    /// levels.
    ///
    /// - Parameters:
    ///   - ladder: The side `side` of a book.
    ///   - side: Says which way to round.
    ///   - tick: In price units, above zero.
    ///   - depth: The most groups.
    ///   - groups: Is emptied first; best first.
    public static func group(
        _ ladder: BookLadder, _ side: BookSide, tick: Int64, best depth: Int,
        into groups: inout [GroupedLevel]
    ) {
        precondition(tick > 0, "a tick is above zero")
        groups.removeAll(keepingCapacity: true)
        for rank in 0..<ladder.count {
            let level = ladder.level(at: rank)
            let price = rounded(level.price, side, tick: tick)
            if let last = groups.last, last.price == price {
                groups[groups.count - 1].size += Int128(level.size.rawValue)
            } else {
                guard groups.count < depth else { return }
                groups.append(GroupedLevel(price: price, size: Int128(level.size.rawValue)))
            }
        }
    }

    private static func rounded(_ price: Price, _ side: BookSide, tick: Int64) -> Price {
        let rest = price.rawValue % tick
        if rest == 0 { return price }
        switch side {
        case .bid:
            let (down, overflow) = price.rawValue.subtractingReportingOverflow(rest < 0 ? tick + rest : rest)
            return overflow ? price : Price(down)
        case .ask:
            let (up, overflow) = price.rawValue.addingReportingOverflow(rest < 0 ? -rest : tick - rest)
            return overflow ? price : Price(up)
        }
    }

    /// The levels with the greatest sizes among the best `depth`.
    ///
    /// - Returns: The greatest first, of equal ones the better first; at most `count`.
    public static func largest(_ ladder: BookLadder, count: Int, best depth: Int = .max) -> [BookLevel] {
        var levels: [BookLevel] = []
        guard count > 0 else { return levels }
        ladder.forEachLevel(best: depth) { level in
            if levels.count == count, let last = levels.last, last.size >= level.size { return }
            let place = levels.firstIndex { $0.size < level.size } ?? levels.count
            levels.insert(level, at: place)
            if levels.count > count { levels.removeLast() }
        }
        return levels
    }
}
