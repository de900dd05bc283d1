/// Rendezvous hashing: each instance has a weight for each shard, and the heaviest is the one that should
/// own it.
///
/// When an instance goes, only its shards move; when one comes, it takes its share and nothing else moves.
///
/// Source: Thaler and Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM Transactions
/// on Networking 6(1), 1998.
package enum Rendezvous {
    /// The weight of an instance for a shard: the finalizer of ``StableHash`` over the hash of the
    /// instance's name, crossed with a number of the shard.
    package static func weight(of instance: String, for shard: Shard) -> UInt64 {
        weight(StableHash.of(instance), shard)
    }

    /// The instance that should own a shard, `nil` when there is none; of equals the first by name.
    package static func owner(of shard: Shard, among instances: some Sequence<String>) -> String? {
        owner(of: shard, among: instances.map { ($0, StableHash.of($0)) })
    }

    /// The shards that each of some instances should own; of no instances, nothing.
    package static func assignment(among instances: Set<String>) -> [Shard: String] {
        // tidy: unordered-iteration Of equals the names decide.
        let hashed = instances.map { ($0, StableHash.of($0)) }
        var owners: [Shard: String] = [:]
        for shard in Shard.all { owners[shard] = owner(of: shard, among: hashed) }
        return owners
    }

    private static func owner(of shard: Shard, among instances: [(name: String, hash: UInt64)]) -> String? {
        var best: (name: String, weight: UInt64)?
        for instance in instances {
            let weight = weight(instance.hash, shard)
            if let best, (best.weight, instance.name) > (weight, best.name) { continue }
            best = (instance.name, weight)
        }
        return best?.name
    }

    /// The constant is the step of SplitMix64: multiples of it differ in all bits.
    private static func weight(_ hash: UInt64, _ shard: Shard) -> UInt64 {
        StableHash.mix(hash ^ ((UInt64(shard.rawValue) + 1) &* 0x9E37_79B9_7F4A_7C15))
    }
}
