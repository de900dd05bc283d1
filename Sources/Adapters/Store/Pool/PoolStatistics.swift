/// What a ``Database`` has done since it was made, and what it is doing.
package struct PoolStatistics: Sendable, Hashable {
    /// Threads with a connection, or about to have one.
    package var connections = 0
    /// Calls that are running.
    package var busy = 0
    /// Calls that wait for a connection.
    package var waiting = 0
    /// The most calls that ever waited at once.
    package var waitingHighest = 0
    /// Calls refused because the queue was full.
    package var refused = 0
    /// Calls that waited in vain.
    package var timedOut = 0
    /// Connections made.
    package var connects = 0
    /// Attempts to connect that failed.
    package var connectFailures = 0
    /// Connections that went away by themselves.
    package var connectionsLost = 0
    /// False from a failed attempt to connect until one succeeds.
    package var isReachable = true
    /// Transactions run again because the server asked for it.
    package var retries = 0
}
