import Accounts
import Instruments
import Portfolio

/// Changes of settings; what is not named stays.
struct SettingsBody: Decodable {
    struct Notifications: Decodable {
        var alerts: Bool?
        var sounds: Bool?
        var badges: Bool?
    }

    struct QuietHours: Decodable {
        var from: String
        var to: String
    }

    private enum CodingKeys: String, CodingKey {
        case locale, theme, notifications, onboarding
        case timeZone = "time_zone"
        case baseCurrency = "base_currency"
        case quietHours = "quiet_hours"
    }

    var locale: String?
    var timeZone: String?
    var baseCurrency: String?
    var theme: String?
    var notifications: Notifications?
    /// `nil` within for `null`, which ends them.
    var quietHours: QuietHours??
    var onboarding: [String]?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        locale = try members.decodeIfPresent(String.self, forKey: .locale)
        timeZone = try members.decodeIfPresent(String.self, forKey: .timeZone)
        baseCurrency = try members.decodeIfPresent(String.self, forKey: .baseCurrency)
        theme = try members.decodeIfPresent(String.self, forKey: .theme)
        notifications = try members.decodeIfPresent(Notifications.self, forKey: .notifications)
        quietHours =
            members.contains(.quietHours)
            ? .some(try members.decodeIfPresent(QuietHours.self, forKey: .quietHours)) : nil
        onboarding = try members.decodeIfPresent([String].self, forKey: .onboarding)
    }

    /// Makes the changes.
    ///
    /// - Throws: `invalid-field`.
    func apply(to settings: inout UserSettings) throws(Problem) {
        try settings.apply(locale: locale, timeZone: timeZone)
        do throws(FieldFault) {
            if let baseCurrency { try settings.set(baseCurrency: baseCurrency) }
            if let onboarding { try settings.set(onboarding: onboarding) }
            if let hours = quietHours {
                settings.quietHours = try hours.map { hours throws(FieldFault) in
                    try UserSettings.QuietHours(from: hours.from, to: hours.to)
                }
            }
        } catch {
            throw Problem(inWordsOf: error)
        }
        if let baseCurrency, !Asset(rawValue: baseCurrency).isCurrency {
            throw .invalid("base_currency", baseCurrency, accepted: "a currency of ISO 4217")
        }
        if let theme {
            guard let theme = UserSettings.Theme(rawValue: theme) else {
                let accepted = UserSettings.Theme.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("theme", theme, accepted: accepted)
            }
            settings.theme = theme
        }
        if let alerts = notifications?.alerts { settings.notifications.alerts = alerts }
        if let sounds = notifications?.sounds { settings.notifications.sounds = sounds }
        if let badges = notifications?.badges { settings.notifications.badges = badges }
    }
}

/// Settings as the API shows them.
struct SettingsAnswer: Encodable {
    private enum CodingKeys: String, CodingKey {
        case locale, theme, notifications, onboarding
        case timeZone = "time_zone"
        case baseCurrency = "base_currency"
        case quietHours = "quiet_hours"
    }

    private let settings: UserSettings

    init(_ settings: UserSettings) { self.settings = settings }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(settings.locale, forKey: .locale)
        try members.encode(settings.timeZone, forKey: .timeZone)
        try members.encode(settings.baseCurrency, forKey: .baseCurrency)
        try members.encode(settings.theme.rawValue, forKey: .theme)
        let notifications = settings.notifications
        try members.encode(
            [
                "alerts": notifications.alerts, "sounds": notifications.sounds,
                "badges": notifications.badges,
            ], forKey: .notifications)
        if let texts = settings.quietHours?.texts {
            try members.encode(["from": texts.from, "to": texts.to], forKey: .quietHours)
        } else {
            try members.encodeNil(forKey: .quietHours)
        }
        try members.encode(settings.onboarding, forKey: .onboarding)
    }
}
