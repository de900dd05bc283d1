/// One call of the database, on its way to a connection's thread.
struct Work: Sendable {
    let id: UInt64
    /// Runs on the connection's thread and returns what answers the caller.
    ///
    /// The answer is given after the worker has reported back: a caller that comes again at once finds it
    /// free.
    let run: @Sendable (ConnectionOwner) -> @Sendable () -> Void
    /// Answers the caller without running.
    let fail: @Sendable (StoreError) -> Void
}
