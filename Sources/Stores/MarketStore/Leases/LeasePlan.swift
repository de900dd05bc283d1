package import Instruments

/// What an instance should do about leases now, from what the database says of all of them.
///
/// It keeps what it holds and should own, gives the rest back to whom it belongs, and takes what is free and
/// belongs to it. Every instance decides by the same rule over the same rows, so they agree without talking;
/// where they see different rows for a moment, the database lets one of them have the lease.
package struct LeasePlan: Hashable, Sendable {
    /// Held and to be kept, with their epochs.
    package private(set) var renew: [Shard: Int64] = [:]
    /// Held and to be given back, with their epochs.
    package private(set) var release: [Shard: Int64] = [:]
    /// Free and to be taken, sorted.
    package private(set) var acquire: [Shard] = []

    /// Leaves the others be that are about to be given back: they are held until it is said that nothing
    /// is done under them any more.
    ///
    /// - Returns: What is kept for that reason, sorted.
    package mutating func keep(except done: Set<Shard>) -> [Shard] {
        let kept = release.keys.filter { !done.contains($0) }.sorted()
        for shard in kept { renew[shard] = release.removeValue(forKey: shard) }
        return kept
    }

    /// Decides where instruments are shared.
    ///
    /// - Parameters:
    ///   - instance: Who asks; it counts as alive unless it is leaving.
    ///   - members: Every instance of the service, alive or not.
    ///   - leases: Every lease of the service.
    ///   - now: By the database's clock.
    ///   - isLeaving: Gives everything back.
    package init(
        for instance: String, members: [Member], leases: [Lease], now: Timestamp, isLeaving: Bool = false
    ) {
        var alive = Set(members.filter { $0.expires > now }.map(\.instance))
        if isLeaving { alive.remove(instance) } else { alive.insert(instance) }
        self.init(
            for: instance, owners: Rendezvous.assignment(among: alive), leases: leases, now: now)
    }

    /// Decides where venues are shared.
    ///
    /// - Parameters:
    ///   - instance: Who asks.
    ///   - members: Every instance of the service, alive or not.
    ///   - weights: What is shared, and how much work each is.
    ///   - able: The venues that a member can take.
    ///   - leases: Every lease of the service.
    ///   - now: By the database's clock.
    ///   - isLeaving: Gives everything back.
    package init(
        for instance: String, members: [Member], weights: [Shard: Int], able: (Member) -> Set<Shard>,
        leases: [Lease], now: Timestamp, isLeaving: Bool = false
    ) {
        var takers: [String: Set<Shard>] = [:]
        for member in members where member.expires > now { takers[member.instance] = able(member) }
        if isLeaving { takers[instance] = nil }
        var held: [Shard: String] = [:]
        for lease in leases where !lease.isFree(at: now) { held[lease.shard] = lease.owner }
        let shares = VenueShares(weights: weights, able: takers, held: held)
        self.init(for: instance, owners: shares.assignment, leases: leases, now: now, revives: true)
    }

    /// Where it `revives`, a lease of its own that is over and that nobody has taken goes on under its
    /// epoch: an instance that was alone, and late, has not to begin anew.
    private init(
        for instance: String, owners: [Shard: String], leases: [Lease], now: Timestamp,
        revives: Bool = false
    ) {
        for lease in leases {
            let isMine = owners[lease.shard] == instance
            if lease.owner == instance, !lease.isFree(at: now) || revives && isMine {
                if isMine { renew[lease.shard] = lease.epoch } else { release[lease.shard] = lease.epoch }
            } else if isMine, lease.isFree(at: now) {
                acquire.append(lease.shard)
            }
        }
        acquire.sort()
    }
}
