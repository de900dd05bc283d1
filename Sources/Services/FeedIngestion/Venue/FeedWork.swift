import Instruments
import Venues

/// Work of a feed that takes time, done by tasks of its group.
enum FeedWork: Sendable {
    /// Keep a connection open.
    case open(connection: Int, url: String)
    /// Ask the venue, on behalf of the connections of an epoch.
    case request(VenueRequest, epoch: Int)
    /// Compare the books that are due with the venue's.
    case audit
}

/// How one connection of a feed is.
struct FeedLink {
    /// Tells connections of one number apart: what comes late from an earlier one is ignored.
    var generation: Int
    /// Whether the session believes that it is open.
    var isUp = false
    /// What is to be sent on it.
    var outgoing: SendQueue
    var openedAt = Timestamp.zero
    var lastReceived = Timestamp.zero
}
