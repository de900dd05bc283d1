/// What a listener saw.
package enum ListenEvent: Sendable, Hashable {
    /// Connected, again or for the first time, or too slow a reader: what happened before may have been
    /// missed, so read the table now.
    case listening
    /// Somebody notified.
    case notification(channel: String, payload: String)
    /// The connection is gone; it is being made again.
    case lost
}

/// Events of ``Database/listen(to:)``; ends when the database closes.
///
/// At most 256 wait. What does not fit is replaced by one ``ListenEvent/listening``, because a notification
/// is only a hint and the table is the truth.
package struct ListenEvents: AsyncSequence, Sendable {
    /// What it delivers.
    package typealias Element = ListenEvent
    package typealias Failure = Never
    /// The iterator of the underlying stream.
    package typealias AsyncIterator = AsyncStream<ListenEvent>.AsyncIterator

    /// Events that wait.
    static let capacity = 256

    let stream: AsyncStream<ListenEvent>

    /// Starts reading; one reader only.
    package func makeAsyncIterator() -> AsyncIterator { stream.makeAsyncIterator() }
}
