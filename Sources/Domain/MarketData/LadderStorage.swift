/// The levels of one side in blocks of at most 64, so that a change moves a kilobyte at the most, however
/// deep the book is.
///
/// A block is 64 rows of a key and a size; the keys behind its levels are the largest number there is, so
/// that a search needs no end. `order` lists the blocks by rising key, with the number of levels and the last
/// key of each beside it. Everything lies in three plain allocations that grow by doubling.
///
/// It is a reference so that ``BookLadder`` pays one uniqueness check a change; the ladder copies it before
/// it writes to a shared one, which makes the ladder a value.
// SAFETY: written only by a BookLadder that holds the only reference (isKnownUniquelyReferenced), so no two
// threads can reach it while it changes; every index is below `blockCount` or the block's count.
@usableFromInline
final class LadderStorage: @unchecked Sendable {
    /// Levels of a block.
    @usableFromInline static let blockSize = 64

    /// A level as it lies in a block.
    @usableFromInline
    struct Row {
        @usableFromInline var key: Int64
        @usableFromInline var size: Int64

        @inlinable
        init(key: Int64, size: Int64) {
            self.key = key
            self.size = size
        }

        /// What lies behind the levels of a block.
        @usableFromInline static var none: Row { Row(key: .max, size: 0) }
    }

    /// Levels that an image puts into a block: three quarters, so that the first inserts do not split every
    /// one.
    static let filling = 48

    // The fields lie behind a constant pointer, so that no access to them needs a check at run time.
    @usableFromInline
    struct Fields {
        @usableFromInline var capacity: Int
        @usableFromInline var blockCount: Int
        @usableFromInline var count: Int
        @usableFromInline var latest = 0
        @usableFromInline var rows: UnsafeMutablePointer<Row>
        @usableFromInline var lasts: UnsafeMutablePointer<Int64>
        @usableFromInline var order: UnsafeMutablePointer<UInt64>
    }

    @usableFromInline let fields: UnsafeMutablePointer<Fields>

    /// Blocks that the allocations hold.
    private var capacity: Int { fields.pointee.capacity }

    /// Blocks in use.
    @inlinable var blockCount: Int {
        get { fields.pointee.blockCount }
        set { fields.pointee.blockCount = newValue }
    }

    /// Levels in all blocks.
    @inlinable var count: Int {
        get { fields.pointee.count }
        set { fields.pointee.count = newValue }
    }

    /// The place of the latest change, where a search begins: the changes of a message come by price.
    ///
    /// It may be behind the last place, when blocks were removed since.
    @inlinable var latest: Int {
        get { fields.pointee.latest }
        set { fields.pointee.latest = newValue }
    }

    /// The rows, `blockSize` a block.
    @inlinable var rows: UnsafeMutablePointer<Row> { fields.pointee.rows }

    /// The last key of each block, by order.
    @inlinable var lasts: UnsafeMutablePointer<Int64> { fields.pointee.lasts }

    /// Which block is at a place of the order, in the low half; its number of levels in the high half.
    ///
    /// The entries behind `blockCount` name the free blocks.
    @inlinable var order: UnsafeMutablePointer<UInt64> { fields.pointee.order }

    @usableFromInline
    init(capacity: Int = 1) {
        fields = .allocate(capacity: 1)
        fields.initialize(to: LadderStorage.allocate(capacity))
        for block in 0..<capacity { order[block] = UInt64(block) }
    }

    private static func allocate(_ capacity: Int) -> Fields {
        Fields(
            capacity: capacity, blockCount: 0, count: 0, rows: .allocate(capacity: capacity * blockSize),
            lasts: .allocate(capacity: capacity), order: .allocate(capacity: capacity))
    }

    deinit {
        rows.deallocate()
        lasts.deallocate()
        order.deallocate()
        fields.deallocate()
    }

    @usableFromInline
    func copy() -> LadderStorage {
        let other = LadderStorage(capacity: capacity)
        other.blockCount = blockCount
        other.count = count
        other.rows.update(from: rows, count: capacity * LadderStorage.blockSize)
        other.lasts.update(from: lasts, count: capacity)
        other.order.update(from: order, count: capacity)
        return other
    }

    @inlinable @inline(__always)
    func base(_ place: Int) -> UnsafeMutablePointer<Row> {
        rows + Int(order[place] & 0xFFFF_FFFF) &* LadderStorage.blockSize
    }

    @inlinable @inline(__always)
    func levels(_ place: Int) -> Int { Int(order[place] &>> 32) }

    @inlinable @inline(__always)
    func setLevels(_ place: Int, _ levels: Int) {
        order[place] = order[place] & 0xFFFF_FFFF | UInt64(levels) &<< 32
    }

    /// The first place whose last key is not below `key`; `blockCount` when there is none.
    ///
    /// Looks from the latest change in steps that double.
    @inlinable @inline(__always)
    func place(of key: Int64) -> Int {
        let start = min(latest, blockCount &- 1)
        if start < 0 { return 0 }
        var low = start
        var high = start
        var step = 1
        if lasts[start] < key {
            low = start &+ 1
            high = low
            while high < blockCount, lasts[high] < key {
                low = high &+ 1
                high &+= step
                step &*= 2
            }
            high = min(high, blockCount)
        } else {
            low = start &- 1
            while low >= 0, lasts[low] >= key {
                high = low
                low &-= step
                step &*= 2
            }
            low = max(low &+ 1, 0)
        }
        while low < high {
            let middle = (low &+ high) / 2
            if lasts[middle] < key { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// The first index in a block whose key is not below `key`.
    ///
    /// - Precondition: there is one, as in the block of ``place(of:)``.
    @inlinable @inline(__always)
    func index(of key: Int64, in base: UnsafeMutablePointer<Row>) -> Int {
        // Every eighth key, then the eight before it. Sums of comparisons that do not wait for each other are
        // faster than halving, whose every step is a guess.
        var group = 0
        for eighth in 0..<7 { group &+= base[eighth &* 8 &+ 7].key < key ? 1 : 0 }
        let start = base + group &* 8
        var index = group &* 8
        for offset in 0..<7 { index &+= start[offset].key < key ? 1 : 0 }
        return index
    }

    /// Takes a free block into the order at a place; it is empty.
    @usableFromInline
    func insertBlock(at place: Int) {
        if blockCount == capacity { grow() }
        let block = order[blockCount] & 0xFFFF_FFFF
        (order + place + 1).update(from: order + place, count: blockCount - place)
        (lasts + place + 1).update(from: lasts + place, count: blockCount - place)
        order[place] = block
        blockCount += 1
        base(place).update(repeating: .none, count: LadderStorage.blockSize)
    }

    /// Takes the block at a place out of the order.
    @usableFromInline
    func removeBlock(at place: Int) {
        let block = order[place] & 0xFFFF_FFFF
        (order + place).update(from: order + place + 1, count: blockCount - place - 1)
        (lasts + place).update(from: lasts + place + 1, count: blockCount - place - 1)
        blockCount -= 1
        order[blockCount] = block
    }

    /// Makes room in a full block by moving its better half to a new one behind it.
    @usableFromInline
    func split(_ place: Int) {
        insertBlock(at: place + 1)
        let half = LadderStorage.blockSize / 2
        let (from, to) = (base(place), base(place + 1))
        to.update(from: from + half, count: half)
        (from + half).update(repeating: .none, count: half)
        setLevels(place, half)
        setLevels(place + 1, half)
        lasts[place + 1] = lasts[place]
        lasts[place] = from[half - 1].key
    }

    @usableFromInline
    func removeAll() {
        for place in 0..<blockCount { order[place] &= 0xFFFF_FFFF }
        blockCount = 0
        count = 0
    }

    /// Adds a level that is better than all others.
    @usableFromInline
    func append(_ key: Int64, _ size: Int64) {
        if blockCount == 0 || levels(blockCount - 1) >= LadderStorage.filling {
            insertBlock(at: blockCount)
        }
        let place = blockCount - 1
        let levels = levels(place)
        base(place)[levels] = Row(key: key, size: size)
        setLevels(place, levels + 1)
        lasts[place] = key
        count += 1
    }

    private func grow() {
        let old = fields.pointee
        var larger = LadderStorage.allocate(old.capacity * 2)
        larger.rows.update(from: old.rows, count: old.capacity * LadderStorage.blockSize)
        larger.lasts.update(from: old.lasts, count: old.capacity)
        larger.order.update(from: old.order, count: old.capacity)
        for block in old.capacity..<larger.capacity { larger.order[block] = UInt64(block) }
        larger.blockCount = old.blockCount
        larger.count = old.count
        fields.pointee = larger
        old.rows.deallocate()
        old.lasts.deallocate()
        old.order.deallocate()
    }
}
