/// What a level is watched for; several of one rule at one tick are done in this order.
enum LevelRole: UInt32, Sendable {
    /// The value left the side on which the rule was waiting for its time to pass.
    case cancel = 0
    /// The value moved back far enough for the rule to fire again.
    case rearm = 1
    /// The value passed the rule's level.
    case fire = 2
}

/// A rule's slot and what is to be done with it, in 32 bits.
struct LevelTag: Hashable, Sendable {
    let bits: UInt32

    /// At most 2^30 rules.
    init(_ slot: UInt32, _ role: LevelRole) { bits = slot << 2 | role.rawValue }
    init(bits: UInt32) { self.bits = bits }

    var slot: UInt32 { bits >> 2 }
    var role: LevelRole { LevelRole(rawValue: bits & 3) ?? .fire }
}

/// Levels in ascending order, in blocks of at most 128: 20 bytes each, and an edit moves one block only.
struct LevelIndex: Sendable {
    private struct Block: Sendable {
        var levels: [ExactValue]
        var tags: [UInt32]
    }

    private static let limit = 128
    private var blocks: [Block] = []
    /// The last level of each block.
    private var lasts: [ExactValue] = []
    private(set) var count = 0
    /// Levels that were added without being put into their order; empty but between `gather` and `arrange`.
    private var looseLevels: [ExactValue] = []
    /// Their tags: beside them, since all series have some at once, and a pair takes 32 bytes.
    private var looseTags: [UInt32] = []

    /// Adds a level that nothing sees before ``arrange()``.
    mutating func gather(_ level: ExactValue, _ tag: LevelTag) {
        count += 1
        looseLevels.append(level)
        looseTags.append(tag.bits)
    }

    /// Puts what was gathered into its order: one sort, where inserting moves a block for each.
    mutating func arrange() {
        guard !looseLevels.isEmpty else { return }
        var loose = zip(looseLevels, looseTags).map { (level: $0, tag: $1) }
        (looseLevels, looseTags) = ([], [])
        for block in blocks { loose += zip(block.levels, block.tags).map { (level: $0, tag: $1) } }
        loose.sort { $0.level < $1.level }
        // Three quarters full, so that what is inserted later splits few of them.
        let size = LevelIndex.limit * 3 / 4
        blocks = stride(from: 0, to: loose.count, by: size).map { start in
            let part = loose[start..<min(start + size, loose.count)]
            return Block(levels: part.map(\.level), tags: part.map(\.tag))
        }
        lasts = blocks.compactMap(\.levels.last)
    }

    /// Adds a level; equal ones may be there.
    mutating func insert(_ level: ExactValue, _ tag: LevelTag) {
        count += 1
        guard !blocks.isEmpty else {
            blocks.append(Block(levels: [level], tags: [tag.bits]))
            lasts.append(level)
            return
        }
        let block = min(LevelIndex.firstPlace(in: lasts, atLeast: level), blocks.count - 1)
        let place = LevelIndex.firstPlace(in: blocks[block].levels, atLeast: level)
        blocks[block].levels.insert(level, at: place)
        blocks[block].tags.insert(tag.bits, at: place)
        lasts[block] = max(lasts[block], level)
        if blocks[block].levels.count > LevelIndex.limit { split(block) }
    }

    /// Removes one level; false when it is not there.
    mutating func remove(_ level: ExactValue, _ tag: LevelTag) -> Bool {
        arrange()
        var block = LevelIndex.firstPlace(in: lasts, atLeast: level)
        while block < blocks.count {
            var place = LevelIndex.firstPlace(in: blocks[block].levels, atLeast: level)
            while place < blocks[block].levels.count {
                guard blocks[block].levels[place] == level else { return false }
                if blocks[block].tags[place] == tag.bits {
                    removeAt(block, place)
                    return true
                }
                place += 1
            }
            block += 1
        }
        return false
    }

    /// The smallest level at or above a value; `nil` when there is none.
    func first(atLeast value: ExactValue) -> ExactValue? {
        let block = LevelIndex.firstPlace(in: lasts, atLeast: value)
        guard block < blocks.count else { return nil }
        let levels = blocks[block].levels
        return levels[LevelIndex.firstPlace(in: levels, atLeast: value)]
    }

    /// The greatest level at or below a value; `nil` when there is none.
    func last(atMost value: ExactValue) -> ExactValue? {
        guard value < .greatest else { return lasts.last }
        let block = LevelIndex.firstPlace(in: lasts, atLeast: value.next)
        if block < blocks.count {
            let place = LevelIndex.firstPlace(in: blocks[block].levels, atLeast: value.next)
            if place > 0 { return blocks[block].levels[place - 1] }
        }
        return block > 0 ? lasts[block - 1] : nil
    }

    /// Appends the tags of all levels in a range.
    func collect(_ range: ClosedRange<ExactValue>, into tags: inout [UInt32]) {
        var block = LevelIndex.firstPlace(in: lasts, atLeast: range.lowerBound)
        while block < blocks.count {
            let levels = blocks[block].levels
            var place = LevelIndex.firstPlace(in: levels, atLeast: range.lowerBound)
            while place < levels.count {
                guard levels[place] <= range.upperBound else { return }
                tags.append(blocks[block].tags[place])
                place += 1
            }
            block += 1
        }
    }

    /// Every tag, in the order of the levels.
    func forEachTag(_ body: (LevelTag) -> Void) {
        for block in blocks { for bits in block.tags { body(LevelTag(bits: bits)) } }
    }

    private mutating func split(_ block: Int) {
        let middle = blocks[block].levels.count / 2
        let upper = Block(
            levels: Array(blocks[block].levels[middle...]), tags: Array(blocks[block].tags[middle...]))
        // New arrays, so that neither half keeps the memory of the whole.
        blocks[block] = Block(
            levels: Array(blocks[block].levels[..<middle]), tags: Array(blocks[block].tags[..<middle]))
        lasts[block] = blocks[block].levels[middle - 1]
        blocks.insert(upper, at: block + 1)
        lasts.insert(upper.levels[upper.levels.count - 1], at: block + 1)
    }

    private mutating func removeAt(_ block: Int, _ place: Int) {
        count -= 1
        blocks[block].levels.remove(at: place)
        blocks[block].tags.remove(at: place)
        if let last = blocks[block].levels.last {
            lasts[block] = last
        } else {
            blocks.remove(at: block)
            lasts.remove(at: block)
        }
    }

    /// The first place whose value is at least `value`; the count when there is none.
    private static func firstPlace(in values: [ExactValue], atLeast value: ExactValue) -> Int {
        values.withUnsafeBufferPointer { values in
            var low = 0
            var length = values.count
            // Halving without a branch that depends on the data.
            while length > 0 {
                let half = length / 2
                let isBefore = values[low + half] < value
                low = isBefore ? low + half + 1 : low
                length = isBefore ? length - half - 1 : half
            }
            return low
        }
    }
}
