/// What happened in a window, oldest first: entries come at the end and go at the beginning.
///
/// Bounded: past ``limit`` entries those of one `grain` of time are joined, so that what is older is exact to
/// a grain instead of to the nanosecond.
struct WindowQueue<Element: Hashable & Sendable>: Hashable, Sendable {
    /// Entries that are kept as they are.
    static var limit: Int { 16_384 }
    static var grains: Int64 { 4_096 }

    private var entries: [Element] = []
    /// Entries before it are gone.
    private var head = 0

    var all: ArraySlice<Element> { entries[head...] }
    var count: Int { entries.count - head }
    var first: Element? { all.first }

    /// The newest entry; there must be one when it is set.
    var last: Element? {
        get { all.last }
        set {
            guard let newValue, count > 0 else { return }
            entries[entries.count - 1] = newValue
        }
    }

    /// The second oldest.
    var second: Element? { count > 1 ? entries[head + 1] : nil }

    mutating func append(_ element: Element) { entries.append(element) }

    mutating func removeFirst() {
        head += 1
        guard head > 64, head * 2 > entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }

    mutating func removeLast() { entries.removeLast() }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        head = 0
    }

    /// Puts others in the place of all.
    mutating func replace(with elements: [Element]) { (entries, head) = (elements, 0) }
}

extension WindowQueue {
    static func == (left: Self, right: Self) -> Bool { left.all == right.all }

    func hash(into hasher: inout Hasher) { hasher.combine(all) }
}

extension WindowQueue {
    /// Joins neighbours of one grain when there are more than `limit`.
    mutating func bound(
        to limit: Int = Self.limit, grain: Int64, time: (Element) -> Int64,
        join: (_ older: Element, _ newer: Element) -> Element
    ) {
        if count > limit { replace(with: joined(grain, time, join)) }
    }

    /// Its entries with neighbours of one grain joined.
    func joined(
        _ grain: Int64, _ time: (Element) -> Int64, _ join: (_ older: Element, _ newer: Element) -> Element
    ) -> [Element] {
        var result: [Element] = []
        for entry in all {
            if let last = result.last, time(last).floored(by: grain) == time(entry).floored(by: grain) {
                result[result.count - 1] = join(last, entry)
            } else {
                result.append(entry)
            }
        }
        return result
    }
}
