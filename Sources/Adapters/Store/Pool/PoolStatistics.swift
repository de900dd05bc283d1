/// What a ``Database`` has done since it was made, and what it is doing.
public struct PoolStatistics: Sendable, Hashable {
    /// Threads with a connection, or about to have one.
    public var connections = 0
    /// Calls that are running.
    public var busy = 0
    /// Calls that wait for a connection.
    public var waiting = 0
    /// The most calls that ever waited at once.
    public var waitingHighest = 0
    /// Calls refused because the queue was full.
    public var refused = 0
    /// Calls that waited in vain.
    public var timedOut = 0
    /// Connections made.
    public var connects = 0
    /// Attempts to connect that failed.
    public var connectFailures = 0
    /// Connections that went away by themselves.
    public var connectionsLost = 0
    /// False from a failed attempt to connect until one succeeds.
    public var isReachable = true
    /// Transactions run again because the server asked for it.
    public var retries = 0
}
