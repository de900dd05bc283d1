public import Instruments

/// An instrument's place in its session's arrays.
public struct InstrumentIndex: RawRepresentable, Hashable, Sendable {
    /// 0, 1, 2 … in the order in which the session met them.
    public let rawValue: Int32

    @inlinable
    public init(rawValue: Int32) { self.rawValue = rawValue }

    @inlinable public var offset: Int { Int(rawValue) }
}

/// The instruments of one session: the venue's spelling on one side, dense indices on the other.
///
/// Symbols are found from their bytes by an open-addressing table, so that no string is made per message.
/// It only grows, up to `capacity` instruments.
public struct InstrumentRegistry: Sendable {
    /// By index.
    public private(set) var ids: [InstrumentID] = []
    public let venue: Venue
    /// How many it takes at the most; a venue that sends more symbols than this is not believed.
    public let capacity: Int

    private var symbols: [SymbolKey] = []
    private var slots: [Int32]
    private var mask: Int

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
        let key = SymbolKey(symbol)
        var slot = key.hash & mask
        while true {
            let candidate = slots[slot]
            if candidate < 0 { return nil }
            // Only names of more than sixteen bytes are not whole in their key.
            if symbols[Int(candidate)] == key, key.isWhole || matches(candidate, symbol) {
                return InstrumentIndex(rawValue: candidate)
            }
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
        var text = symbol
        symbols.append(text.withUTF8 { SymbolKey(UnsafeRawBufferPointer($0)) })
        if ids.count * 2 > slots.count { grow() } else { place(index) }
        return InstrumentIndex(rawValue: index)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        mask = slots.count - 1
        for index in ids.indices { place(Int32(truncatingIfNeeded: index)) }
    }

    private mutating func place(_ index: Int32) {
        var slot = symbols[Int(index)].hash & mask
        while slots[slot] >= 0 { slot = (slot &+ 1) & mask }
        slots[slot] = index
    }

    private func matches(_ candidate: Int32, _ symbol: UnsafeRawBufferPointer) -> Bool {
        ids[Int(candidate)].symbol.utf8.elementsEqual(symbol)
    }
}

/// The first and the last eight bytes of a symbol and its length: all of it, up to sixteen bytes.
struct SymbolKey: Equatable, Sendable {
    var first: UInt64 = 0
    var last: UInt64 = 0
    var count: Int

    /// Whether equal keys mean equal symbols.
    var isWhole: Bool { count <= 16 }

    @inline(__always)
    init(_ symbol: UnsafeRawBufferPointer) {
        count = symbol.count
        if count >= 8 {
            first = symbol.loadUnaligned(as: UInt64.self)
            last = symbol.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            first = UInt64(symbol.loadUnaligned(as: UInt32.self))
            last = UInt64(symbol.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else {
            for byte in symbol { first = first &<< 8 | UInt64(byte) }
        }
    }

    /// A multiplication that spreads neighbouring names.
    ///
    /// Source: Knuth, TAOCP 3, 6.4 (2^64 / golden ratio).
    @inline(__always) var hash: Int {
        let mixed = (first ^ (last &<< 31 | last &>> 33) ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 32)
    }
}
