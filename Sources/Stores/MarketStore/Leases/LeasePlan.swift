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

    /// Decides.
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
        let owners = Rendezvous.assignment(among: alive)
        for lease in leases {
            let isMine = owners[lease.shard] == instance
            if lease.owner == instance, !lease.isFree(at: now) {
                if isMine { renew[lease.shard] = lease.epoch } else { release[lease.shard] = lease.epoch }
            } else if isMine, lease.isFree(at: now) {
                acquire.append(lease.shard)
            }
        }
        acquire.sort()
    }
}
