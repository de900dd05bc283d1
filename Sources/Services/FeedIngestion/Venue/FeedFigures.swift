import Instruments
import Wire

/// What a feed, or one part of it, says about itself.
struct FeedFigures: Sendable, Hashable {
    typealias State = Bitpal_V1_FeedState

    var state = State.connecting
    /// Why it is not connected; empty where there is nothing to say.
    var detail = ""
    /// That the venue wants to be left alone, until when and why; empty where it does not.
    var ban = ""
    var messages: UInt64 = 0
    var malformed: UInt64 = 0
    var resyncs: UInt64 = 0
    var reconnects: UInt64 = 0
    var booksLive = 0
    var booksTotal = 0
    /// Books that have not been live for longer than a resync should take, with their states.
    var unexplained: [String] = []
    var connectedSince = Timestamp.zero
    var lastReceived = Timestamp.zero
    /// Trades that wait for what was missed before them, and one for each tape of which a gap is fetched.
    var tradesHeld = 0

    /// Whether every connection that is wanted is up.
    var isConnected: Bool { state == .live || state == .silent }
}
