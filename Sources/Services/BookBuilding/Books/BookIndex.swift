import Instruments
import MarketData

/// A book's place in a ``BookSet``.
struct BookIndex: RawRepresentable, Hashable, Sendable {
    /// 0, 1, 2 … in the order in which the books were met.
    let rawValue: Int
}

/// What came over the bus about one book.
enum BookMessage: Sendable {
    /// Changed levels.
    case delta(BookDelta, StreamPosition)
    /// A declared state, in sequence with the deltas.
    case change(BookStateChange, StreamPosition)
    /// A whole book.
    case snapshot(BookSnapshot, SnapshotOrigin)
}

/// Where a snapshot came from.
struct SnapshotOrigin: Hashable, Sendable {
    /// Whether it was published by this book-builder in this life.
    var isOwn = false
    /// Whether the broker kept it.
    var isRetained = false
}

/// What a ``BookSet`` wants done.
enum BookOutput: Hashable, Sendable {
    /// Publish the best bid and ask.
    case top(BookIndex, BookTop)
    /// Publish the whole book.
    case snapshot(BookIndex, BookSnapshot)
    /// Store the whole book as the last of its minute.
    case archive(BookIndex, BookSnapshot)
    /// Ask the broker for what it keeps of the book.
    case request(BookIndex)
}
