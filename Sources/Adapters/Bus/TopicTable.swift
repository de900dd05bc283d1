/// Gives every name a small number, by its bytes: the first name is 0, the next 1, and so on.
///
/// A look-up hashes eight bytes at a time and compares once; it allocates nothing. A number means one name
/// until that is removed; then the next new name gets it, so that numbers stay dense however many names came
/// and went.
package struct TopicTable: Sendable {
    /// The table refuses further names at this count.
    package let limit: Int
    /// Names that it knows.
    package private(set) var count = 0

    /// Where a name lies; of a number that is free, `count` is -1.
    private struct Span {
        var start: Int
        var count: Int
    }

    /// The bytes of all names, one after the other, and of removed ones between them.
    private var arena: [UInt8] = []
    private var spans: [Span] = []
    /// Numbers without a name.
    private var free: [Int] = []
    /// Bytes of removed names.
    private var waste = 0
    /// Open addressing: the high half is the hash's, the low half the name's number plus one; 0 is free.
    private var slots: [UInt64]
    private var mask: Int

    /// An empty table for at most `limit` names.
    package init(limit: Int) {
        self.limit = limit
        slots = Array(repeating: 0, count: 64)
        mask = 63
    }

    /// The number of the name, `nil` when the table does not know it.
    package func find(_ name: UnsafeRawBufferPointer) -> Int? {
        let hash = Self.hash(name)
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place] != 0 {
            if let index = match(slots[place], hash, name) { return index }
            place = (place + 1) & mask
        }
        return nil
    }

    /// The number of the name, which is new if need be; `nil` when the table is full.
    package mutating func intern(_ name: UnsafeRawBufferPointer) -> Int? {
        if let index = find(name) { return index }
        guard count < limit else { return nil }
        if count * 2 >= slots.count { grow() }
        let span = Span(start: arena.count, count: name.count)
        arena.append(contentsOf: name)
        let index: Int
        if let last = free.popLast() {
            index = last
            spans[index] = span
        } else {
            index = spans.count
            spans.append(span)
        }
        insert(hash: Self.hash(name), index: index)
        count += 1
        return index
    }

    /// Bytes of the names, with those of removed ones that are not closed up yet.
    package var byteCount: Int { arena.count }

    /// Whether the number has a name.
    package func isUsed(_ index: Int) -> Bool { spans.indices.contains(index) && spans[index].count >= 0 }

    /// Forgets a name, whose number the next new one may get.
    ///
    /// - Precondition: ``isUsed(_:)``.
    package mutating func remove(_ index: Int) {
        precondition(isUsed(index), "only a name that is known can be removed")
        vacate(place(of: index))
        waste += spans[index].count
        spans[index] = Span(start: 0, count: -1)
        free.append(index)
        count -= 1
        if waste > 4_096, waste * 2 > arena.count { compact() }
    }

    /// The bytes of a name, valid inside `body` only.
    package func withName<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        arena.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range(index)])) }
    }

    /// Whether a name has these bytes.
    package func isName(_ index: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        let range = range(index)
        return range.count == name.count && arena.withUnsafeBytes { Self.equal($0, range.lowerBound, name) }
    }

    /// Whether a name begins with these bytes.
    package func hasPrefix(_ index: Int, _ prefix: [UInt8]) -> Bool {
        let range = range(index)
        return range.count >= prefix.count && arena[range].starts(with: prefix)
    }

    /// A name as text; bytes that are not UTF-8 are replaced.
    ///
    /// - Precondition: ``isUsed(_:)``, as of everything that takes a number.
    package func text(_ index: Int) -> String { String(decoding: arena[range(index)], as: UTF8.self) }

    private func range(_ index: Int) -> Range<Int> {
        spans[index].start..<spans[index].start + spans[index].count
    }

    private func match(_ slot: UInt64, _ hash: UInt64, _ name: UnsafeRawBufferPointer) -> Int? {
        guard slot >> 32 == hash >> 32 else { return nil }
        let index = Self.index(in: slot)
        return isName(index, name) ? index : nil
    }

    private mutating func insert(hash: UInt64, index: Int) {
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place] != 0 { place = (place + 1) & mask }
        slots[place] = (hash >> 32) << 32 | UInt64(index + 1)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        mask = slots.count - 1
        for index in spans.indices where isUsed(index) {
            insert(hash: withName(index, Self.hash), index: index)
        }
    }

    /// Where in the slots a name is.
    private func place(of index: Int) -> Int {
        var place = Int(truncatingIfNeeded: withName(index, Self.hash)) & mask
        while Self.index(in: slots[place]) != index { place = (place + 1) & mask }
        return place
    }

    /// Frees a slot, and moves those behind it up that a look-up would not find beyond a hole.
    ///
    /// Source: Knuth, The Art of Computer Programming 3, 6.4, algorithm R.
    private mutating func vacate(_ place: Int) {
        var hole = place
        var next = (hole + 1) & mask
        while slots[next] != 0 {
            let home = Int(truncatingIfNeeded: withName(Self.index(in: slots[next]), Self.hash)) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = 0
    }

    /// Closes up the bytes of the names that are left.
    private mutating func compact() {
        var closed: [UInt8] = []
        closed.reserveCapacity(arena.count - waste)
        for index in spans.indices where isUsed(index) {
            let range = range(index)
            spans[index].start = closed.count
            closed.append(contentsOf: arena[range])
        }
        arena = closed
        waste = 0
    }

    private static func index(in slot: UInt64) -> Int { Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1 }

    private static func equal(_ arena: UnsafeRawBufferPointer, _ start: Int, _ name: UnsafeRawBufferPointer)
        -> Bool
    {
        var offset = 0
        let count = name.count
        while offset &+ 8 <= count {
            let left = arena.loadUnaligned(fromByteOffset: start &+ offset, as: UInt64.self)
            if left != name.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
            offset &+= 8
        }
        while offset < count {
            if arena[start &+ offset] != name[offset] { return false }
            offset &+= 1
        }
        return true
    }

    /// A multiplicative hash of eight bytes at a time; the low bits choose the place, the high half is
    /// compared.
    private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var state = 0x9E37_79B9_7F4A_7C15 ^ UInt64(name.count)
        var offset = 0
        while offset &+ 8 <= name.count {
            state = mix(state ^ name.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        var tail: UInt64 = 0
        while offset < name.count {
            tail = tail << 8 | UInt64(name[offset])
            offset &+= 1
        }
        return mix(state ^ tail)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low
    }
}
