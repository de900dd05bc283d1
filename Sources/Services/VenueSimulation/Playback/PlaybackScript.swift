import Instruments
import Venues

/// What a playback knows of its recording before it begins.
struct PlaybackScript: Sendable {
    var dialect: any Dialect
    /// Every topic that the recording has messages of.
    var topics: VenueTopicTable
    /// Kraken v1's channel numbers by topic.
    var channelIDs: [Int: Int64] = [:]
    /// Symbols whose whole book is a recorded REST answer.
    var restImages: Set<String> = []
    /// The venue's list of instruments, as recorded.
    var instruments: [UInt8]?
    /// Recorded answers that the dialect gives again, by the address that they came from.
    var answers: [RequestAddress: [UInt8]] = [:]
    /// Decimal places, for a list made by us.
    var listed: [ListedInstrument] = []
    /// How the truth of the books is read.
    var configuration: VenueConfiguration
    /// Whether to hold for topics that nobody subscribed to yet.
    ///
    /// A market without an end loses nothing by going on.
    var holdsForSubscribers = true
    /// Whether the venue traded before this began.
    var hasPast = true
    /// What was traded before this began, where somebody knows.
    var past: SyntheticPast?
    /// Messages with trades that are kept of each symbol, for the routes that give them again.
    var tapeLimit = 200_000
    /// When the recording begins.
    var started: Timestamp
}
