/// Values by key within a cost, of which those leave first that nobody used for the longest time.
///
/// Storing is no use: what a provider tells of again and again, and nobody asks for, leaves before what
/// somebody looks at.
///
/// - Complexity: Every operation takes a constant time; values form a ring in the order of their use.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node {
        var key: Key
        var value: Value
        var cost: Int
        var before: Int
        var after: Int
    }

    /// The most that all values may cost together.
    package let capacity: Int
    /// What they cost now.
    package private(set) var cost = 0
    private var places: [Key: Int] = [:]
    private var nodes: [Node?] = []
    private var free: [Int] = []
    /// The one that was used last, and the one that was not used for the longest time; −1 for none.
    private var (newest, oldest) = (-1, -1)

    /// An empty one.
    ///
    /// - Precondition: `capacity` is not negative.
    package init(capacity: Int) {
        precondition(capacity >= 0, "a cache has room for nothing or more")
        self.capacity = capacity
    }

    /// How many values there are.
    package var count: Int { places.count }

    /// The value of a key, which counts as used.
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        unlink(place)
        link(place)
        return nodes[place]?.value
    }

    /// The value of a key, which does not count as used.
    package func peek(_ key: Key) -> Value? { places[key].flatMap { nodes[$0]?.value } }

    /// Stores a value; a known key keeps its place in the order of use, a new one begins as used now.
    ///
    /// What costs more than there is room for is not kept, and ends what was under its key.
    package mutating func store(_ value: Value, cost price: Int, for key: Key) {
        guard price <= capacity else { return remove(key) }
        if let place = places[key], let old = nodes[place] {
            cost += price - old.cost
            nodes[place]?.value = value
            nodes[place]?.cost = price
        } else {
            let node = Node(key: key, value: value, cost: price, before: -1, after: -1)
            let place = free.popLast() ?? nodes.count
            if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
            places[key] = place
            cost += price
            link(place)
        }
        while cost > capacity, let last = oldest >= 0 ? nodes[oldest] : nil { remove(last.key) }
    }

    /// Ends a value.
    package mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key), let node = nodes[place] else { return }
        unlink(place)
        cost -= node.cost
        nodes[place] = nil
        free.append(place)
    }

    /// As the one that was used last.
    private mutating func link(_ place: Int) {
        nodes[place]?.before = -1
        nodes[place]?.after = newest
        if newest >= 0 { nodes[newest]?.before = place }
        newest = place
        if oldest < 0 { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        guard let node = nodes[place] else { return }
        if node.before >= 0 { nodes[node.before]?.after = node.after } else { newest = node.after }
        if node.after >= 0 { nodes[node.after]?.before = node.before } else { oldest = node.before }
    }
}
