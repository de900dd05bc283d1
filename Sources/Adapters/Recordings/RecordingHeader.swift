public import Instruments

/// The first line of a recording: whose messages follow, and where they come from.
public struct RecordingHeader: Hashable, Sendable {
    /// The format's version, the only one that there is.
    public static let formatVersion: Int64 = 1

    /// Whose messages these are.
    public var venue: Venue
    /// When the first of them was received.
    public var started: Timestamp
    /// How many lines follow the header; 0 when the file was not finished or its author did not say.
    public var records: Int
    /// Where the recording comes from.
    public var source: String
    /// Under which terms it may be used.
    public var licence: String

    public init(venue: Venue, started: Timestamp, records: Int = 0, source: String, licence: String) {
        self.venue = venue
        self.started = started
        self.records = records
        self.source = source
        self.licence = licence
    }
}
