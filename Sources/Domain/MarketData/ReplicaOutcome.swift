/// What became of a message that a ``BookReplica`` was given.
public enum ReplicaOutcome: Hashable, Sendable {
    /// The book or its state changed.
    case applied
    /// Kept until what is missing before it comes, or a snapshot.
    case buffered
    /// Older than the book.
    case ignored
    /// Kept, and the book is lost: ask for a snapshot now.
    ///
    /// Said once per loss.
    case needsSnapshot
}
