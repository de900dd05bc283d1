import Instruments

/// Which instance should hold which venue: all of them evenly, and as few as possible elsewhere than now.
///
/// Every instance decides by the same rule over the same rows, as with ``Rendezvous``; but that leaves the
/// division of a few, unequal parts to chance, and here chance is not good enough. A venue moves only where
/// that makes the greater of two loads smaller by a tenth or more, so that a few instruments more or less
/// move none.
package struct VenueShares: Hashable, Sendable {
    /// What is shared, each with its weight, at least 1: how much work it is.
    package var weights: [Shard: Int]
    /// The venues that each instance which lives can take.
    package var able: [String: Set<Shard>]
    /// Who holds what now, under a lease that is not over.
    package var held: [Shard: String]

    package init(weights: [Shard: Int], able: [String: Set<Shard>], held: [Shard: String]) {
        (self.weights, self.able, self.held) = (weights, able, held)
    }

    /// Who should hold each venue; those that nobody can take are missing.
    package var assignment: [Shard: String] {
        var owners: [Shard: String] = [:]
        var loads = able.mapValues { _ in 0 }
        let shards = weights.keys.sorted()
        for shard in shards {
            guard let holder = held[shard], able[holder]?.contains(shard) == true else { continue }
            owners[shard] = holder
            loads[holder, default: 0] += weight(shard)
        }
        // The heaviest first: what is light evens out what they left uneven.
        let free = shards.filter { owners[$0] == nil }
            .sorted { (weight($1), $0) < (weight($0), $1) }
        for shard in free {
            guard let owner = lightest(for: shard, loads) else { continue }
            owners[shard] = owner
            loads[owner, default: 0] += weight(shard)
        }
        while let (shard, to) = bestMove(owners, loads), let from = owners[shard] {
            owners[shard] = to
            loads[from, default: 0] -= weight(shard)
            loads[to, default: 0] += weight(shard)
        }
        return owners
    }

    private func weight(_ shard: Shard) -> Int { max(1, weights[shard] ?? 1) }

    /// Of those that can take it the one with the least to do; of equals the first by name.
    private func lightest(for shard: Shard, _ loads: [String: Int]) -> String? {
        loads.filter { able[$0.key]?.contains(shard) == true }
            .min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }

    /// The move that makes the greater of two loads smallest; `nil` where none is worth a hand-over.
    private func bestMove(_ owners: [Shard: String], _ loads: [String: Int]) -> (Shard, String)? {
        var best: (gain: Int, shard: Shard, to: String)?
        for shard in owners.keys.sorted() {
            guard let from = owners[shard], let to = lightest(for: shard, loads), to != from else { continue }
            let (before, weight) = (loads[from] ?? 0, weight(shard))
            let after = max(before - weight, (loads[to] ?? 0) + weight)
            // Each such move makes a greater load smaller: there is no end without one.
            guard after * 10 <= before * 9, before - after > best?.gain ?? 0 else { continue }
            best = (before - after, shard, to)
        }
        return best.map { ($0.shard, $0.to) }
    }
}
