/// The topics of one playback as dense indices, found from a message's bytes without making a string.
///
/// It only grows, up to `capacity` topics.
struct VenueTopicTable: Sendable {
    /// A recording of more streams than this is not believed.
    static let capacity = 100_000

    private(set) var topics: [VenueTopic] = []
    /// Whether symbols that differ only in the case of ASCII letters are one, as in Binance's stream names.
    let foldsCase: Bool
    /// What stands for a topic in messages that name it only by the number of its channel.
    var channels: [Int64: VenueTopic] = [:]
    private var keys: [[UInt8]] = []
    private var slots = [Int32](repeating: -1, count: 64)

    init(foldsCase: Bool) { self.foldsCase = foldsCase }

    subscript(_ index: Int) -> VenueTopic { topics[index] }

    var count: Int { topics.count }

    /// Every symbol, each once, in the order in which they were met.
    var symbols: [String] {
        var seen: Set<String> = []
        return topics.map(\.symbol).filter { seen.insert($0).inserted }
    }

    func find(_ kind: StreamKind, _ symbol: String) -> Int? {
        var symbol = symbol
        return symbol.withUTF8 { find(kind, UnsafeRawBufferPointer($0)) }
    }

    func find(_ kind: StreamKind, _ symbol: UnsafeRawBufferPointer) -> Int? {
        let mask = slots.count - 1
        var slot = hash(kind, symbol) & mask
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if topics[index].kind == kind, matches(keys[index], symbol) { return index }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    mutating func enter(_ kind: StreamKind, _ symbol: String) -> Int? {
        var symbol = symbol
        return symbol.withUTF8 { enter(kind, UnsafeRawBufferPointer($0)) }
    }

    /// The index of a topic, entered if it is new; `nil` for an empty symbol or when the table is full.
    mutating func enter(_ kind: StreamKind, _ symbol: UnsafeRawBufferPointer) -> Int? {
        if let known = find(kind, symbol) { return known }
        guard symbol.count > 0, topics.count < VenueTopicTable.capacity,
            let text = String(validating: symbol, as: UTF8.self)
        else { return nil }
        let index = topics.count
        topics.append(VenueTopic(kind: kind, symbol: foldsCase ? text.uppercased() : text))
        keys.append(symbol.map(fold))
        if topics.count * 2 > slots.count {
            slots = [Int32](repeating: -1, count: slots.count * 2)
            for known in topics.indices { place(known) }
        } else {
            place(index)
        }
        return index
    }

    private mutating func place(_ index: Int) {
        let mask = slots.count - 1
        var slot = keys[index].withUnsafeBytes { hash(topics[index].kind, $0) } & mask
        while slots[slot] >= 0 { slot = (slot &+ 1) & mask }
        slots[slot] = Int32(index)
    }

    private func fold(_ byte: UInt8) -> UInt8 {
        foldsCase && byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte
    }

    private func matches(_ key: [UInt8], _ symbol: UnsafeRawBufferPointer) -> Bool {
        guard key.count == symbol.count else { return false }
        for index in key.indices where key[index] != fold(symbol[index]) { return false }
        return true
    }

    /// FNV-1a.
    ///
    /// Source: Fowler, Noll, Vo, 1991; offset and prime of the 64-bit form.
    private func hash(_ kind: StreamKind, _ symbol: UnsafeRawBufferPointer) -> Int {
        var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(kind.rawValue)
        for byte in symbol { hash = (hash ^ UInt64(fold(byte))) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash &>> 32)
    }
}
