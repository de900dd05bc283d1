import Instruments
import MarketData

/// One level that two books do not agree on.
struct LevelDifference: Hashable, Sendable, CustomStringConvertible {
    let side: BookSide
    let price: DecimalNumber
    /// `nil` where our book has no such level.
    let ours: DecimalNumber?
    /// `nil` where the venue's has none.
    let theirs: DecimalNumber?

    /// As in `bid 100.5 ours 3 theirs 4`.
    var description: String {
        let name = side == .bid ? "bid" : "ask"
        return "\(name) \(price) ours \(ours?.description ?? "none") theirs \(theirs?.description ?? "none")"
    }
}

/// A comparison of two images of one book.
struct BookComparison: Sendable {
    /// What differs, by value: a level written with more decimal places is the same level.
    private(set) var differences: Set<LevelDifference> = []
    /// Levels of either book that were looked at.
    private(set) var compared = 0

    /// Compares level by level.
    ///
    /// Unless `theirs` is whole (has every level of the venue), levels deeper than the shallower of two sides
    /// are left out: nobody knows about them.
    init(ours: Book, theirs: Book, isWhole: Bool) {
        compare(.bid, Self.levels(ours.bids, ours), Self.levels(theirs.bids, theirs), isWhole)
        compare(.ask, Self.levels(ours.asks, ours), Self.levels(theirs.asks, theirs), isWhole)
    }

    private static func levels(_ ladder: BookLadder, _ book: Book) -> [(
        price: DecimalNumber, size: DecimalNumber
    )] {
        ladder.top(.max).map { level in
            (level.price.decimal(book.priceScale).normalized, level.size.decimal(book.sizeScale).normalized)
        }
    }

    /// Both sides come best first, so that they can be walked together.
    private mutating func compare(
        _ side: BookSide, _ ours: [(price: DecimalNumber, size: DecimalNumber)],
        _ theirs: [(price: DecimalNumber, size: DecimalNumber)], _ isWhole: Bool
    ) {
        func isBetter(_ left: DecimalNumber, than right: DecimalNumber) -> Bool {
            side == .bid ? right < left : left < right
        }
        var mine = ours[...]
        var other = theirs[...]
        while mine.first != nil || other.first != nil {
            if !isWhole, mine.first == nil || other.first == nil { return }
            compared += 1
            let (left, right) = (mine.first, other.first)
            if let left, let right, left.price == right.price {
                if left.size != right.size {
                    differences.insert(
                        LevelDifference(side: side, price: left.price, ours: left.size, theirs: right.size))
                }
                mine.removeFirst()
                other.removeFirst()
            } else if let left, right.map({ isBetter(left.price, than: $0.price) }) ?? true {
                differences.insert(
                    LevelDifference(side: side, price: left.price, ours: left.size, theirs: nil))
                mine.removeFirst()
            } else if let right {
                differences.insert(
                    LevelDifference(side: side, price: right.price, ours: nil, theirs: right.size))
                other.removeFirst()
            }
        }
    }
}

/// Several comparisons of one book, so that changes under way are not taken for faults.
///
/// It decides what really differs: a level that is wrong stays wrong in the same way until the venue changes
/// it again, whereas a change that is under way is seen once.
struct BookAudit: Sendable {
    /// Comparisons that must agree on a difference.
    static let rounds = 3

    private(set) var round = 0
    /// Levels compared in the last round.
    private(set) var compared = 0
    private var suspects: Set<LevelDifference> = []

    /// Takes in one comparison; returns whether another is needed.
    mutating func add(_ comparison: BookComparison) -> Bool {
        suspects = round == 0 ? comparison.differences : suspects.intersection(comparison.differences)
        round += 1
        compared = comparison.compared
        return !suspects.isEmpty && round < BookAudit.rounds
    }

    /// What differed in every round; bids first, each side from the best.
    var differences: [LevelDifference] {
        suspects.sorted { left, right in
            if left.side != right.side { return left.side == .bid }
            return left.side == .bid ? right.price < left.price : left.price < right.price
        }
    }
}
