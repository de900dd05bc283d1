import Instruments

/// Something that a playback wants done.
enum PlaybackAction: Hashable, Sendable {
    /// Send a text to some clients.
    case send([Int], [UInt8])
    /// Close a client's connection, so that it begins anew.
    case close(Int)
    /// Answer a REST request.
    case answer(Int, RESTAnswer)
}

/// When a playback has something to do next.
enum Pace: Hashable, Sendable {
    /// At once: the limit of a step was reached.
    case again
    /// At this time, or as soon as a client says something; `nil` only then.
    case wait(until: Timestamp?)
}

/// Counts of one playback over its life.
struct PlaybackCounters: Hashable, Sendable {
    /// Recorded messages that were due, delivered or not.
    var played: UInt64 = 0
    /// Messages handed to clients, of all kinds.
    var sent: UInt64 = 0
    /// REST requests answered.
    var answered: UInt64 = 0
    /// Whole books made from the book at the playback position.
    var imagesMade: UInt64 = 0
}
