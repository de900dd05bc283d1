/// The prices that were in force in the last while: the one at its beginning, or its lowest or highest.
///
/// The window at an instant is the time since then and the price that was in force when it began, which is
/// the last one said until then; where nothing was said before, the first one that was.
struct PriceWindow: Hashable, Sendable {
    enum Wanted: UInt8, Hashable, Sendable {
        case first, lowest, highest
    }

    struct Entry: Hashable, Sendable {
        var price: ExactValue
        /// Of ``Wanted/first`` when it was said; of the others when another one followed, or never.
        var time: Int64
    }

    let wanted: Wanted
    private(set) var queue = WindowQueue<Entry>()

    init(_ wanted: Wanted) { self.wanted = wanted }

    /// The price; `nil` when none was ever said.
    var price: ExactValue? { queue.first?.price }

    /// A price is said; times do not go back.
    ///
    /// Each is entered and removed at most once.
    mutating func say(_ price: ExactValue, at time: Int64, within: Int64) {
        let start = time < .min + within ? .min : time - within
        switch wanted {
        case .first:
            // The first one ever is what later ones are compared with, even at its own instant.
            if queue.count > 1, queue.last?.time == time {
                queue.last = Entry(price: price, time: time)
            } else if queue.last?.price != price {
                queue.append(Entry(price: price, time: time))
            }
            while let second = queue.second, second.time <= start { queue.removeFirst() }
        case .lowest, .highest:
            if let last = queue.last { queue.last = Entry(price: last.price, time: time) }
            // One that is beaten before it is over is never asked for.
            while let last = queue.last, wanted == .lowest ? last.price >= price : last.price <= price {
                queue.removeLast()
            }
            queue.append(Entry(price: price, time: .max))
            while let first = queue.first, first.time <= start { queue.removeFirst() }
        }
        let grain = max(1, within / WindowQueue<Entry>.grains)
        queue.bound(grain: grain, time: \.time, join: join)
    }

    /// Forgets everything.
    mutating func clear() { queue.removeAll() }

    /// Of a grain: the last price that was in force in it, or the extreme one for as long as any.
    private func join(_ older: Entry, _ newer: Entry) -> Entry {
        wanted == .first ? newer : Entry(price: older.price, time: newer.time)
    }
}

extension PriceWindow {
    /// Entries that a state keeps as they are; above it they are kept to a 256th of the window.
    private static let keptLimit = 512
    private static let keptGrains: Int64 = 256

    /// What it remembers, for ``takeOver(_:)``.
    func kept(within: Int64) -> [Int64] {
        var queue = queue
        let grain = max(1, within / PriceWindow.keptGrains)
        queue.bound(to: PriceWindow.keptLimit, grain: grain, time: \.time, join: join)
        return [Int64(queue.count)]
            + queue.all.flatMap { WatchStateReader.parts(of: $0.price.units) + [$0.time] }
    }

    /// Goes on from there; false, and unchanged, when the numbers cannot be that.
    mutating func takeOver(_ state: inout WatchStateReader) -> Bool {
        guard let count = state.count(upTo: PriceWindow.keptLimit) else { return false }
        var entries: [Entry] = []
        for _ in 0..<count {
            guard let price = state.wide(), let time = state.next(),
                entries.last.map({ $0.time <= time }) ?? true
            else { return false }
            entries.append(Entry(price: ExactValue(units: price), time: time))
        }
        queue.replace(with: entries)
        return true
    }
}
