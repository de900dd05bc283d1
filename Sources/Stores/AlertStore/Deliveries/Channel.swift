package import AccountStore
package import Channels
package import Instruments
import MarketStore
package import Store

/// Keys, tokens and passwords as JSON, which no description ever shows.
package struct ChannelSecrets: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The JSON.
    ///
    /// For the one who sends.
    package let json: String

    package init(json: String) { self.json = json }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    /// Without children, so that no dump shows it.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a user is told.
package struct Channel: Hashable, Sendable {
    package var id: UniqueID
    package var user: UserID
    /// Unique for the user, 1...64 bytes; what rules call it.
    package var name: String
    /// How it tells.
    package var kind: ChannelKind
    /// What may be shown, as JSON.
    package var settings: String
    /// What may not.
    package var secrets: ChannelSecrets
    /// How and when its owner wants to be told.
    package var preferences: ChannelPreferences
    package var created: Timestamp
    /// Since when something may be sent; `nil` for not yet.
    package var verified: Timestamp?
    /// Since when nothing is sent any more.
    package var disabled: Timestamp?

    /// Whether something may be sent.
    package var isUsable: Bool { verified != nil && disabled == nil }

    package init(
        id: UniqueID, user: UserID, name: String, kind: ChannelKind, settings: String = "{}",
        secrets: ChannelSecrets = ChannelSecrets(json: "{}"),
        preferences: ChannelPreferences = ChannelPreferences(),
        created: Timestamp, verified: Timestamp? = nil, disabled: Timestamp? = nil
    ) {
        self.id = id
        self.user = user
        self.name = name
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
        self.preferences = preferences
        self.created = created
        self.verified = verified
        self.disabled = disabled
    }
}

extension ChannelKind {
    /// A kind that this program knows: another version of it may have stored a newer one.
    static let knownRows: SQL = "channel.kind IN (\(SQL(words: allCases.map(\.rawValue))))"

    /// ``isDevice`` of a row.
    static let deviceRows: SQL =
        "channel.kind IN (\(SQL(words: allCases.filter(\.isDevice).map(\.rawValue))))"
}

extension Channel {
    static let columns: SQL = """
        channel.channel_id, channel.user_id, channel.name, channel.kind, channel.settings::text, \
        channel.secrets::text, channel.locale, channel.time_zone, channel.per_minute, channel.per_hour, \
        channel.quiet_from, channel.quiet_to, channel.created_at, channel.verified_at, channel.disabled_at
        """

    /// With what the owner's settings say of it.
    static let toldColumns: SQL = """
        channel.channel_id, channel.user_id, channel.name, channel.kind, channel.settings::text,
        channel.secrets::text,
        CASE WHEN \(ChannelKind.deviceRows) THEN coalesce(setting.locale, channel.locale)
            ELSE channel.locale END,
        CASE WHEN \(ChannelKind.deviceRows) THEN coalesce(setting.time_zone, channel.time_zone)
            ELSE channel.time_zone END,
        channel.per_minute, channel.per_hour, coalesce(channel.quiet_from, setting.quiet_from),
        coalesce(channel.quiet_to, setting.quiet_to), channel.created_at, channel.verified_at,
        channel.disabled_at,
        CASE WHEN channel.quiet_from IS NULL THEN setting.time_zone END,
        coalesce(setting.sounds, true), coalesce(setting.badges, true)
        """

    /// Reads ``toldColumns``.
    init(told row: inout RowReader) throws(StoreError) {
        try self.init(&row)
        let zone = try row.textOrNil()
        preferences.quiet?.timeZone = zone
        preferences.hasSound = try row.bool()
        preferences.hasBadge = try row.bool()
    }

    /// Reads ``columns``.
    init(_ row: inout RowReader) throws(StoreError) {
        let id = try row.uniqueID()
        let user = try row.user()
        let name = try row.text()
        let kind = try row.word(ChannelKind.self)
        let (settings, secrets) = (try row.text(), ChannelSecrets(json: try row.text()))
        var preferences = ChannelPreferences()
        (preferences.locale, preferences.timeZone) = (try row.text(), try row.text())
        (preferences.perMinute, preferences.perHour) = (Int(try row.int32()), Int(try row.int32()))
        let (from, to) = (try row.int16OrNil(), try row.int16OrNil())
        if let from, let to { preferences.quiet = ChannelPreferences.Quiet(from: Int(from), to: Int(to)) }
        self.init(
            id: id, user: user, name: name, kind: kind, settings: settings, secrets: secrets,
            preferences: preferences, created: try row.time(), verified: try row.timeOrNil(),
            disabled: try row.timeOrNil())
    }
}
