import AccountStore
import Alerting
import AlertStore
import Instruments
import Store

/// Decides whether a person is told now: not in quiet hours, and not too often.
///
/// Knows no clock: each call says the time. What was told lately comes from the database and goes back there,
/// so that all notifiers count together.
struct Pacing: Sendable {
    /// What is to be done with a firing.
    enum Decision: Hashable, Sendable {
        case deliver
        /// Tell it in one digest with others, then.
        case gather(at: Timestamp)
        /// Nothing is told until then; what was held is told together.
        case hold(Hold)
    }

    /// Why a firing is held back.
    struct Hold: Hashable, Sendable {
        var until: Timestamp
        /// The limit that was reached; `nil` for quiet hours.
        var limit: Limit?
        /// Its user was not told so yet.
        var isNews = false

        /// One sentence for a person.
        var reason: String {
            guard let limit else { return "held back: quiet hours until \(until.plain)" }
            return "quieted: \(limit.words) told within an hour; held back until \(until.plain)"
        }
    }

    /// So many messages within an hour.
    enum Limit: Hashable, Sendable {
        /// By one channel, as its owner wants it.
        case channel(Int)
        /// By all of a user's channels.
        case user(Int)

        var count: Int {
            switch self {
            case .channel(let count), .user(let count): count
            }
        }

        fileprivate var words: String {
            switch self {
            case .channel(let count): "\(count) by this channel"
            case .user(let count): "\(count) by all channels"
            }
        }
    }

    /// Nanoseconds.
    private static let minute: Int64 = 60_000_000_000
    /// Nanoseconds.
    private static let hour: Int64 = 3_600_000_000_000

    /// Messages that a user is told within an hour, by all channels.
    let perUser: Int
    /// What users were told.
    private(set) var users: [UserID: UserPace]
    /// What was told by channels.
    private(set) var channels: [UniqueID: ChannelPace]

    /// Goes on from what was told.
    init(perUser: Int, users: [UserPace] = [], channels: [ChannelPace] = []) {
        self.perUser = perUser
        self.users = Dictionary(users.map { ($0.user, $0) }) { _, last in last }
        self.channels = Dictionary(channels.map { ($0.channel, $0) }) { _, last in last }
    }

    /// Decides about a firing that has not been tried yet.
    ///
    /// - Parameters:
    ///   - channel: Where it is told.
    ///   - isHeld: It was held back before.
    ///   - zone: That of the channel's quiet hours.
    ///   - now: The time.
    /// - Returns: What is to be done with it.
    mutating func decide(
        _ channel: Channel, isHeld: Bool, zone: ZoneOffsets, at now: Timestamp
    ) -> Decision {
        if let end = Self.quietEnd(channel.preferences, zone, at: now) { return .hold(Hold(until: end)) }
        var user = users[channel.user] ?? UserPace(channel.user, from: now)
        var own = channels[channel.id] ?? ChannelPace(channel.id, from: now)
        defer {
            users[channel.user] = user
            channels[channel.id] = own
        }
        // A clock that was set back makes nobody wait for longer than a minute or an hour anew.
        own.minuteStart = min(own.minuteStart, now)
        (own.hourStart, user.hourStart) = (min(own.hourStart, now), min(user.hourStart, now))
        user.quietedUntil = min(user.quietedUntil, now.adding(nanoseconds: Self.hour))
        if now.nanoseconds(since: own.minuteStart) >= Self.minute {
            (own.minuteStart, own.toldInMinute, own.hasDigest) = (now, 0, false)
        }
        if now.nanoseconds(since: own.hourStart) >= Self.hour { (own.hourStart, own.toldInHour) = (now, 0) }
        if now.nanoseconds(since: user.hourStart) >= Self.hour {
            (user.hourStart, user.toldInHour) = (now, 0)
        }
        let isDigest = isHeld || own.toldInMinute >= channel.preferences.perMinute
        // Many firings, but one message more within the hour.
        let isCounted = isDigest && own.hasDigest
        if !isCounted, var hold = hold(channel, own, user) {
            hold.isNews = now >= user.quietedUntil
            if hold.isNews { user.quietedUntil = hold.until }
            return .hold(hold)
        }
        if !isCounted {
            own.toldInHour += 1
            user.toldInHour += 1
        }
        if isDigest {
            own.hasDigest = true
            return .gather(at: isHeld ? now : own.minuteStart.adding(nanoseconds: Self.minute))
        }
        own.toldInMinute += 1
        return .deliver
    }

    /// The limit that is reached and when its hour ends; the later one of two.
    private func hold(_ channel: Channel, _ own: ChannelPace, _ user: UserPace) -> Hold? {
        var hold: Hold?
        if own.toldInHour >= channel.preferences.perHour {
            let end = own.hourStart.adding(nanoseconds: Self.hour)
            hold = Hold(until: end, limit: .channel(channel.preferences.perHour))
        }
        let end = user.hourStart.adding(nanoseconds: Self.hour)
        if user.toldInHour >= perUser, hold.map({ end > $0.until }) ?? true {
            hold = Hold(until: end, limit: .user(perUser))
        }
        return hold
    }

    /// When the quiet hours end that a time is in; `nil` outside them.
    static func quietEnd(_ preferences: ChannelPreferences, _ zone: ZoneOffsets, at now: Timestamp)
        -> Timestamp?
    {
        guard let quiet = preferences.quiet else { return nil }
        let hours = ActiveHours(from: quiet.from, to: quiet.to == 0 ? 1_440 : quiet.to)
        guard hours.contains(localSeconds: zone.localSeconds(now)) else { return nil }
        // Minute by minute, since the zone may change its offset in between; at most a day and an hour.
        var time = now.nanoseconds - now.nanoseconds % minute
        for _ in 0..<1_500 {
            time += minute
            let next = Timestamp(nanoseconds: time)
            if !hours.contains(localSeconds: zone.localSeconds(next)) { return next }
        }
        return nil
    }
}
