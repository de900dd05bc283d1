public import AccountStore
public import Instruments
public import Store

/// How much a user was told lately, by all channels and whichever notifier.
public struct UserPace: Hashable, Sendable {
    /// Who.
    public var user: UserID
    /// When the hour began that is counted.
    public var hourStart: Timestamp
    /// Messages about firings since then, not negative.
    public var toldInHour = 0
    /// Until then the user knows that more is not told.
    public var quietedUntil = Timestamp.zero

    /// Nothing was told before the hour that begins then.
    public init(_ user: UserID, from hourStart: Timestamp) {
        self.user = user
        self.hourStart = hourStart
    }
}

/// How much was told by a channel lately, by whichever notifier.
public struct ChannelPace: Hashable, Sendable {
    /// Which.
    public var channel: UniqueID
    /// When the minute began that is counted.
    public var minuteStart: Timestamp
    /// Firings told by themselves since then, not negative.
    public var toldInMinute = 0
    /// A digest of this minute is counted.
    public var hasDigest = false
    /// When the hour began that is counted.
    public var hourStart: Timestamp
    /// Messages about firings since then, not negative.
    public var toldInHour = 0

    /// Nothing was told before.
    public init(_ channel: UniqueID, from start: Timestamp) {
        self.channel = channel
        minuteStart = start
        hourStart = start
    }
}
