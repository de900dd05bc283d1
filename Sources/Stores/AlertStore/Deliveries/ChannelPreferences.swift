/// How and when the owner of a channel wants to be told.
///
/// What is about to be told has the settings of the account in it: a device speaks its owner's language and
/// zone, and a channel without quiet hours has the account's.
package struct ChannelPreferences: Hashable, Sendable {
    /// A stretch of the day in which nothing is told.
    package struct Quiet: Hashable, Sendable {
        /// The first quiet minute after midnight, 0..<1440.
        package var from: Int
        /// The first that is no longer quiet; at or before `from` it is one of the next day.
        package var to: Int
        /// The zone that they are of; `nil` for the channel's.
        package var timeZone: String?

        package init(from: Int, to: Int, timeZone: String? = nil) {
            self.from = from
            self.to = to
            self.timeZone = timeZone
        }
    }

    /// The language of texts, by BCP 47.
    package var locale = "en"
    /// The zone of times in texts, and of quiet hours.
    package var timeZone = "UTC"
    /// Firings that are told one by one within a minute; the others of it come in one digest.
    package var perMinute = 10
    /// Firings that are told within an hour; then nothing is until the hour is over.
    package var perHour = 120
    /// When nothing is told; what fires meanwhile is told together afterwards.
    package var quiet: Quiet?
    /// Whether a device makes a sound; its owner's setting, not stored with the channel.
    package var hasSound = true
    /// Whether an app's icon has the number of what was not seen; its owner's setting, as the sound.
    package var hasBadge = true

    package init() {}
}
