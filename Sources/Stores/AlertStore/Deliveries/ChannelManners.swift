/// How and when the owner of a channel wants to be told.
///
/// What is about to be told has the settings of the account in it: a device speaks its owner's language and
/// zone, and a channel without quiet hours has the account's.
public struct ChannelManners: Hashable, Sendable {
    /// A stretch of the day in which nothing is told.
    public struct Quiet: Hashable, Sendable {
        /// The first quiet minute after midnight, 0..<1440.
        public var from: Int
        /// The first that is no longer quiet; at or before `from` it is one of the next day.
        public var to: Int
        /// The zone that they are of; `nil` for the channel's.
        public var timeZone: String?

        /// Joins the two.
        public init(from: Int, to: Int, timeZone: String? = nil) {
            self.from = from
            self.to = to
            self.timeZone = timeZone
        }
    }

    /// The language of texts, by BCP 47.
    public var locale = "en"
    /// The zone of times in texts, and of quiet hours.
    public var timeZone = "UTC"
    /// Firings that are told one by one within a minute; the others of it come in one digest.
    public var perMinute = 10
    /// Firings that are told within an hour; then nothing is until the hour is over.
    public var perHour = 120
    /// When nothing is told; what fires meanwhile is told together afterwards.
    public var quiet: Quiet?
    /// Whether a device makes a sound; its owner's setting, not stored with the channel.
    public var hasSound = true
    /// Whether an app's icon has the number of what was not seen; its owner's setting, as the sound.
    public var hasBadge = true

    /// The defaults.
    public init() {}
}
