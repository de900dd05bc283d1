package import AccountStore
import Alerting
import Channels
package import Instruments
import Store
import Zones

/// A channel as somebody asks for it; what is `nil` is left to the standard.
package struct ChannelRequest: Sendable {
    /// How it tells.
    package var kind: String
    /// What rules call it.
    package var name: String
    /// What may be shown, as JSON.
    package var settings: String
    /// What may not, as JSON.
    package var secrets: String
    /// The language of texts.
    package var locale: String?
    /// The zone of times and quiet hours.
    package var timeZone: String?
    /// Firings told one by one within a minute.
    package var perMinute: Int?
    /// Firings told within an hour.
    package var perHour: Int?
    /// When nothing is told, as `HH:MM-HH:MM`.
    package var quiet: String?
    /// Accepts http, any port and private addresses.
    package var allowsPrivate = false

    /// Names the channel; the rest is standard.
    package init(kind: String, name: String, settings: String, secrets: String) {
        self.kind = kind
        self.name = name
        self.settings = settings
        self.secrets = secrets
    }

    /// The channel, not stored yet; one that wants a code is not verified yet.
    ///
    /// - Parameters:
    ///   - user: Whose it is.
    ///   - now: When it is made.
    ///   - standard: What holds where nothing is asked for.
    ///   - random: A source of keys.
    /// - Returns: The channel.
    /// - Throws: ``FieldFault`` that names the field, the value and what is accepted.
    package func channel(
        of user: UserID, at now: Timestamp, over standard: ChannelPreferences = ChannelPreferences(),
        using random: inout some RandomNumberGenerator
    ) throws(FieldFault) -> Channel {
        guard (1...64).contains(name.utf8.count) else {
            throw FieldFault("name", "\"\(name.prefix(70))\"", accepted: "1 to 64 bytes")
        }
        let known = try ChannelSettings(
            kind: kind, settings: settings, secrets: secrets, policy: allowsPrivate ? .anything : .strict
        ).kind
        return Channel(
            id: UniqueID(version7At: now.nanoseconds, using: &random), user: user, name: name,
            kind: known, settings: settings, secrets: ChannelSecrets(json: secrets),
            preferences: try preferences(over: standard), created: now, verified: known.wantsCode ? nil : now)
    }

    /// How its owner wants to be told.
    ///
    /// - Parameter preferences: What holds where nothing is asked for.
    /// - Returns: The same with what is asked for.
    /// - Throws: ``FieldFault`` that names the field, the value and what is accepted.
    package func preferences(over preferences: ChannelPreferences) throws(FieldFault) -> ChannelPreferences {
        var preferences = preferences
        if let locale {
            guard Language.best(for: [locale]).tag == locale.lowercased().prefix(while: { $0.isLetter })
            else {
                let tags = Language.all.map(\.tag).joined(separator: ", ")
                throw FieldFault("locale", locale, accepted: "one of \(tags)")
            }
            preferences.locale = locale
        }
        if let timeZone {
            guard ZoneDirectory.system.offsets(of: timeZone) != nil else {
                throw FieldFault(
                    "time_zone", timeZone, accepted: "a name such as Europe/Berlin or UTC")
            }
            preferences.timeZone = timeZone
        }
        preferences.perMinute = try bounded("per_minute", perMinute, preferences.perMinute)
        preferences.perHour = try bounded("per_hour", perHour, preferences.perHour)
        if let quiet {
            guard let hours = QuietHoursText.parse(quiet) else {
                throw FieldFault(
                    "quiet", quiet, accepted: "two different times as in 22:00-07:00")
            }
            preferences.quiet = hours
        }
        return preferences
    }

    private func bounded(_ field: String, _ value: Int?, _ standard: Int) throws(FieldFault) -> Int {
        guard let value else { return standard }
        guard (1...1_000_000).contains(value) else {
            throw FieldFault(field, "\(value)", accepted: "1...1000000")
        }
        return value
    }
}
