/// How and when the owner of a channel wants to be told.
public struct ChannelManners: Hashable, Sendable {
    /// A stretch of the day in which nothing is told.
    public struct Quiet: Hashable, Sendable {
        /// The first quiet minute after midnight, 0..<1440.
        public var from: Int
        /// The first that is no longer quiet; at or before `from` it is one of the next day.
        public var to: Int

        /// Joins the two.
        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
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

    /// The defaults.
    public init() {}
}
