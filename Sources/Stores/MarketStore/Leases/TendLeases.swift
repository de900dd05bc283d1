package import Instruments
package import Store

/// Who tends leases, and for how long it takes them.
package struct LeaseTerm: Hashable, Sendable {
    /// Whose instances share the work, such as `book-builder`.
    package var service: String
    /// The instance: a name that no other process ever has, such as a UUID made at its start.
    package var instance: String
    /// How long a lease and a sign of life hold, 10 milliseconds to a day; tend three times as often.
    ///
    /// A dead instance's shards are free after it, and owned elsewhere one round later.
    package var duration: Duration
    /// Gives all leases back and is no longer a member.
    package var isLeaving = false
    /// The venues that this instance can take, where those are shared; else instruments are.
    package var venues: [Venue] = []

    /// Describes an instance; 8 seconds, tended every 2, move a dead one's shards within 10 seconds.
    package init(
        service: String, instance: String, duration: Duration = .seconds(8), venues: [Venue] = []
    ) {
        self.service = service
        self.instance = instance
        self.duration = duration
        self.venues = venues
    }

    var microseconds: Int64 {
        let bounded = min(max(duration, .milliseconds(10)), .seconds(86_400))
        return bounded.components.seconds * 1_000_000 + bounded.components.attoseconds / 1_000_000_000_000
    }
}

/// What one round of tending left an instance with.
package struct LeaseRound: Hashable, Sendable {
    /// Every instance that counts as alive, sorted.
    package var members: [String] = []
    /// What may be written from now on, until `duration` after the round **began**, unless the next round
    /// says otherwise.
    package var claims: LeaseClaims
    /// Those of the claims that are new, or were over and taken again; sorted.
    package var acquired: [Shard] = []
    /// What was given back because it belongs to another instance; sorted.
    package var released: [Shard] = []
    /// What is to be given back as soon as nothing is done under it any more; of the claims, sorted.
    package var leaving: [Shard] = []
}

extension Session {
    /// One round of a member's life: says that it lives, then keeps, gives back and takes leases.
    ///
    /// Inside a transaction only, and a short one: what is taken counts from now.
    ///
    /// - Parameters:
    ///   - term: Who tends.
    ///   - done: Of venues those under which nothing is done any more: others are not given back yet.
    ///   - releasing: Called with what is to be given back, before it is: whoever takes it may speak as soon
    ///     as the transaction ends, so the giver must be silent by then. It runs inside the transaction, so
    ///     it must be short and ask no database; it may be repeated, and is in vain when the transaction
    ///     fails.
    /// - Returns: What the instance is left with.
    /// - Throws: ``StoreError``; nothing has changed in PostgreSQL then.
    package func tendLeases(
        _ term: LeaseTerm, done: Set<Shard> = [], releasing: ([Shard]) -> Void = { _ in }
    ) throws(StoreError) -> LeaseRound {
        try beat(term)
        if !term.venues.isEmpty { return try tendVenues(term, done, releasing) }
        var leases = try leases(of: term.service)
        if leases.count < Shard.all.count {
            try execute(
                """
                INSERT INTO market.lease (service, shard) SELECT \(term.service), generate_series(0, 255)
                ON CONFLICT DO NOTHING
                """)
            leases = try self.leases(of: term.service)
        }
        let members = try members(of: term.service)
        let now = try clock()
        let plan = LeasePlan(
            for: term.instance, members: members, leases: leases, now: now, isLeaving: term.isLeaving)
        if !plan.release.isEmpty { releasing(plan.release.keys.sorted()) }
        return try carryOut(plan, term, alive: members.filter { $0.expires > now }.map(\.instance))
    }

    private func tendVenues(
        _ term: LeaseTerm, _ done: Set<Shard>, _ releasing: ([Shard]) -> Void
    ) throws(StoreError) -> LeaseRound {
        let shared = try share(term.venues, of: term.service)
        let leases = try leases(of: term.service)
        let members = try members(of: term.service)
        let now = try clock()
        var plan = LeasePlan(
            for: term.instance, members: members, weights: shared.weights,
            able: { shared.shards(of: $0.venues) }, leases: leases, now: now, isLeaving: term.isLeaving)
        let leaving = term.isLeaving ? [] : plan.keep(except: done)
        if !plan.release.isEmpty { releasing(plan.release.keys.sorted()) }
        var round = try carryOut(plan, term, alive: members.filter { $0.expires > now }.map(\.instance))
        round.claims.venues = shared.numbers
        round.leaving = leaving.filter { round.claims.epochs[$0] != nil }
        return round
    }

    /// The sign of life of an instance whose service shares no shards: only that it lives, or, where it is
    /// leaving, that there is nothing more to be seen of it.
    ///
    /// - Throws: ``StoreError``; nothing has changed then.
    package func sayAlive(_ term: LeaseTerm) throws(StoreError) {
        if term.isLeaving {
            try execute(
                """
                DELETE FROM market.member WHERE service = \(term.service) AND instance = \(term.instance)
                """)
        } else {
            try beat(term)
        }
    }

    private func carryOut(
        _ plan: LeasePlan, _ term: LeaseTerm, alive: [String]
    ) throws(StoreError) -> LeaseRound {
        var round = LeaseRound(claims: LeaseClaims(service: term.service, instance: term.instance))
        round.members = alive
        if !plan.release.isEmpty {
            round.released = try prolong(plan.release, term, isRelease: true).map(\.shard).sorted()
        }
        if !plan.renew.isEmpty {
            for (shard, epoch) in try prolong(plan.renew, term, isRelease: false) {
                round.claims.epochs[shard] = epoch
            }
        }
        if !plan.acquire.isEmpty {
            for (shard, epoch) in try acquire(plan.acquire, term) {
                round.claims.epochs[shard] = epoch
                round.acquired.append(shard)
            }
        }
        round.acquired.sort()
        return round
    }

    /// Makes sure that shards may be written, and keeps it so until the transaction ends.
    ///
    /// Call it before the first row is written. Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``StoreError/body(_:)`` with ``MarketStoreError/leaseLost(_:)`` when one of
    ///   them is not claimed, or the claim is over, or somebody else's: the whole write is refused.
    package func check(_ shards: Set<Shard>, of claims: LeaseClaims) throws(StoreError) {
        let sorted = shards.sorted()
        let held = Set(try hold(sorted, of: claims))
        let lost = sorted.filter { !held.contains($0) }
        guard lost.isEmpty else { throw .body(MarketStoreError.leaseLost(lost)) }
    }
}

extension Database {
    /// One round of a member's life in one transaction, as ``Session/tendLeases(_:releasing:)`` does.
    ///
    /// - Parameters:
    ///   - term: Who tends.
    ///   - done: Of venues those under which nothing is done any more.
    ///   - releasing: Called with what is to be given back before anybody can take it, as there; an effect
    ///     outside the database, which a transaction may have because it only narrows what is done outside.
    /// - Returns: What the instance is left with.
    /// - Throws: ``StoreError``; what was claimed holds on until its time is over, but for what `releasing`
    ///   was called with, which may have been given back where the outcome is unknown.
    package func tendLeases(
        _ term: LeaseTerm, done: Set<Shard> = [],
        releasing: @escaping @Sendable ([Shard]) -> Void = { _ in }
    ) async throws(StoreError) -> LeaseRound {
        try await transaction { session in
            try session.tendLeases(term, done: done, releasing: releasing)
        }
    }

    /// Runs a transaction that begins with ``Session/check(_:of:)``; one that is refused is counted in
    /// `market.lease`.
    ///
    /// - Throws: ``StoreError``.
    package func fenced<Value: Sendable>(
        _ claims: LeaseClaims, _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) {
            return try await transaction(.standard, body)
        } catch {
            if case .leaseLost(let shards)? = error.bodyError as? MarketStoreError {
                // Only a count: what the caller must learn is that the write was refused.
                _ = try? await transaction { session in
                    try session.countRefusal(of: shards, service: claims.service)
                }
            }
            throw error
        }
    }
}
