package import Instruments

/// An instance of a service that says that it lives.
package struct Member: Hashable, Sendable {
    /// Its name, which no other process ever had.
    package var instance: String
    /// Until when it counts as alive, by the database's clock.
    package var expires: Timestamp
    /// What it can take where venues are shared.
    var venues: [String]

    package init(instance: String, expires: Timestamp, venues: [String] = []) {
        self.instance = instance
        self.expires = expires
        self.venues = venues
    }
}

/// The right to write a shard, as it is stored.
package struct Lease: Hashable, Sendable {
    /// Of what.
    package var shard: Shard
    /// Who holds it, or held it last; `nil` when it was given back.
    package var owner: String?
    /// Rises with every taking; 0 before the first one.
    package var epoch: Int64
    /// Until when it holds, by the database's clock.
    package var expires: Timestamp

    package init(shard: Shard, owner: String?, epoch: Int64, expires: Timestamp) {
        self.shard = shard
        self.owner = owner
        self.epoch = epoch
        self.expires = expires
    }

    /// Whether nobody may write by it now.
    package func isFree(at now: Timestamp) -> Bool { owner == nil || expires <= now }
}

/// What an instance believes that it may write; the database knows better and is asked at every write.
package struct LeaseClaims: Hashable, Sendable {
    /// Whose instances share the work, such as `book-builder`.
    package let service: String
    package let instance: String
    /// The epoch of each shard that it holds.
    package internal(set) var epochs: [Shard: Int64]
    /// The numbers of venues, where those are shared.
    package internal(set) var venues: [Venue: Shard]

    /// Claims nothing yet, or what a test says.
    package init(
        service: String, instance: String, epochs: [Shard: Int64] = [:], venues: [Venue: Shard] = [:]
    ) {
        self.service = service
        self.instance = instance
        self.epochs = epochs
        self.venues = venues
    }

    /// The epoch under which it holds a venue; `nil` where it does not.
    package func epoch(of venue: Venue) -> Int64? { venues[venue].flatMap { epochs[$0] } }

    /// Whether an instrument is among them.
    package func covers(_ instrument: InstrumentID) -> Bool { epochs[Shard(of: instrument)] != nil }
}
