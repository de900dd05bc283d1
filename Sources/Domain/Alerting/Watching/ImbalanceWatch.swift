import Instruments
import MarketData

/// Whether the balance of a book's best levels passes a level.
struct ImbalanceWatch: Hashable, Sendable {
    /// Where the balance lies; `nil` before the first.
    private var side: Int?
    let levels: Int
    let direction: CrossingDirection
    let level: DecimalNumber

    init(levels: Int, direction: CrossingDirection, level: DecimalNumber) {
        self.levels = levels
        self.direction = direction
        self.level = level
    }

    /// The sums of both sides.
    struct Sums {
        var bids: Int128
        var asks: Int128
    }

    /// Takes the best levels; the sums when they pass the level.
    mutating func update(bids: [BookLevel], asks: [BookLevel]) -> Sums? {
        let sums = Sums(bids: sum(bids), asks: sum(asks))
        let whole = sums.bids + sums.asks
        guard whole > 0 else { return nil }
        // The level has at most 9 places and 30 bits, sums of 25 levels 68 bits.
        let left = (sums.bids - sums.asks) * Int128(level.scale.power)
        let right = whole * Int128(level.units)
        let now = left < right ? -1 : left > right ? 1 : 0
        defer { side = now }
        guard let side else { return nil }
        let rose = side < 0 && now >= 0
        let fell = side > 0 && now <= 0
        switch direction {
        case .above: return rose ? sums : nil
        case .below: return fell ? sums : nil
        case .either: return rose || fell ? sums : nil
        }
    }

    /// Forgets where it was, as after a book that could not be believed.
    mutating func clear() { side = nil }

    private func sum(_ side: [BookLevel]) -> Int128 {
        side.prefix(levels).reduce(Int128(0)) { $0 + Int128($1.size.rawValue) }
    }
}

extension ImbalanceWatch {
    /// What it remembers, for ``takeOver(_:)``.
    var kept: [Int64] { side.map { [Int64($0)] } ?? [] }

    /// Goes on from there; false, and unchanged, when the numbers cannot be that.
    mutating func takeOver(_ kept: [Int64]) -> Bool {
        guard kept.count <= 1, kept.allSatisfy({ (-1...1).contains($0) }) else { return false }
        side = kept.first.map { Int($0) }
        return true
    }
}
