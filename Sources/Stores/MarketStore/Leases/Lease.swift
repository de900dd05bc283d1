public import Instruments

/// An instance of a service that says that it lives.
public struct Member: Hashable, Sendable {
    /// Its name, which no other process ever had.
    public var instance: String
    /// Until when it counts as alive, by the database's clock.
    public var expires: Timestamp

    /// Describes an instance.
    public init(instance: String, expires: Timestamp) {
        self.instance = instance
        self.expires = expires
    }
}

/// The right to write a shard, as it is stored.
public struct Lease: Hashable, Sendable {
    /// Of what.
    public var shard: Shard
    /// Who holds it, or held it last; `nil` when it was given back.
    public var owner: String?
    /// Rises with every taking; 0 before the first one.
    public var epoch: Int64
    /// Until when it holds, by the database's clock.
    public var expires: Timestamp

    /// Describes a lease.
    public init(shard: Shard, owner: String?, epoch: Int64, expires: Timestamp) {
        self.shard = shard
        self.owner = owner
        self.epoch = epoch
        self.expires = expires
    }

    /// Whether nobody may write by it now.
    public func isFree(at now: Timestamp) -> Bool { owner == nil || expires <= now }
}

/// What an instance believes that it may write; the database knows better and is asked at every write.
public struct LeaseClaims: Hashable, Sendable {
    /// Whose instances share the work, such as `book-builder`.
    public let service: String
    /// The instance.
    public let instance: String
    /// The epoch of each shard that it holds.
    public internal(set) var epochs: [Shard: Int64]

    /// Claims nothing yet, or what a test says.
    public init(service: String, instance: String, epochs: [Shard: Int64] = [:]) {
        self.service = service
        self.instance = instance
        self.epochs = epochs
    }

    /// Whether an instrument is among them.
    public func covers(_ instrument: InstrumentID) -> Bool { epochs[Shard(of: instrument)] != nil }
}
