public import Instruments

/// An instrument's place in its session's arrays.
public struct InstrumentIndex: RawRepresentable, Hashable, Sendable {
    /// 0, 1, 2 … in the order in which the session met them.
    public let rawValue: Int32

    /// Wraps an index.
    @inlinable
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The index as an Int.
    @inlinable public var offset: Int { Int(rawValue) }
}

/// The instruments of one session: the venue's spelling on one side, dense indices on the other.
///
/// Symbols are found from their bytes by an open-addressing table, so that no string is made per message.
/// It only grows, up to `capacity` instruments.
public struct InstrumentRegistry: Sendable {
    /// By index.
    public private(set) var ids: [InstrumentID] = []
    /// Whose instruments.
    public let venue: Venue
    /// How many it takes at the most; a venue that sends more symbols than this is not believed.
    public let capacity: Int

    private var symbols: [[UInt8]] = []
    private var slots: [Int32]
    private var mask: Int

    /// An empty registry.
    public init(venue: Venue, capacity: Int = 65_536) {
        self.venue = venue
        self.capacity = capacity
        slots = [Int32](repeating: -1, count: 64)
        mask = 63
    }

    /// How many instruments there are.
    public var count: Int { ids.count }

    /// Every index.
    public var indices: some Sequence<InstrumentIndex> {
        (0..<Int32(truncatingIfNeeded: ids.count)).lazy.map { InstrumentIndex(rawValue: $0) }
    }

    /// The id of an index that this registry gave out.
    public subscript(index: InstrumentIndex) -> InstrumentID { ids[index.offset] }

    /// The index of a symbol in the venue's spelling; `nil` when it is not known.
    @usableFromInline
    func find(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        var slot = InstrumentRegistry.hash(symbol) & mask
        while true {
            let candidate = slots[slot]
            if candidate < 0 { return nil }
            if matches(symbols[Int(candidate)], symbol) { return InstrumentIndex(rawValue: candidate) }
            slot = (slot &+ 1) & mask
        }
    }

    /// The index of a symbol; `nil` when it is not known.
    public func find(_ symbol: String) -> InstrumentIndex? {
        var symbol = symbol
        return symbol.withUTF8 { find(UnsafeRawBufferPointer($0)) }
    }

    /// The index of a symbol, entered if it is new; `nil` when the registry is full or the symbol is empty.
    public mutating func insert(_ symbol: String) -> InstrumentIndex? {
        if let known = find(symbol) { return known }
        guard !symbol.isEmpty, ids.count < capacity else { return nil }
        let index = Int32(truncatingIfNeeded: ids.count)
        ids.append(InstrumentID(venue: venue, symbol: symbol))
        symbols.append(Array(symbol.utf8))
        if ids.count * 2 > slots.count { grow() } else { place(index) }
        return InstrumentIndex(rawValue: index)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        mask = slots.count - 1
        for index in ids.indices { place(Int32(truncatingIfNeeded: index)) }
    }

    private mutating func place(_ index: Int32) {
        var slot = symbols[Int(index)].withUnsafeBytes { InstrumentRegistry.hash($0) } & mask
        while slots[slot] >= 0 { slot = (slot &+ 1) & mask }
        slots[slot] = index
    }

    private func matches(_ known: [UInt8], _ symbol: UnsafeRawBufferPointer) -> Bool {
        guard known.count == symbol.count else { return false }
        return known.withUnsafeBytes { known in
            for index in 0..<symbol.count where known[index] != symbol[index] { return false }
            return true
        }
    }

    /// FNV-1a.
    ///
    /// Source: Fowler, Noll, Vo, 1991; offset and prime of the 64-bit form.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash &>> 32)
    }
}
