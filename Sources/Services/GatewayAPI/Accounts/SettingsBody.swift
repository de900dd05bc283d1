import Accounts
import GatewayFrame
import Instruments
import Portfolio
import Shapes

/// Changes of settings; what is not named stays.
struct SettingsChange: WireInput {
    struct Notifications: WireInput {
        static let shape = InputShape("NotificationsChange", Self.init(alerts:sounds:badges:)) {
            InputField("alerts", .optional(.flag), Words.alerts)
            InputField("sounds", .optional(.flag), Words.sounds)
            InputField("badges", .optional(.flag), Words.badges)
        }

        var alerts: Bool?
        var sounds: Bool?
        var badges: Bool?
    }

    struct QuietHours: WireInput {
        static let shape = InputShape("NewQuietHours", Self.init(from:to:)) {
            InputField("from", .text.documented(.timeOfDay), example: "22:00")
            InputField("to", .text.documented(.timeOfDay), example: "07:00")
        }

        var from: String
        var to: String
    }

    static let shape = InputShape(
        "SettingsChange", about: "What is to change.",
        Self.init(locale:timeZone:baseCurrency:theme:notifications:quietHours:onboarding:)
    ) {
        InputField("locale", .optional(.text.documented(.words(UserSettings.locales))))
        InputField("time_zone", .optional(.text.documented(.zone)))
        InputField("base_currency", .optional(.text.documented(.currency)), Words.currency)
        InputField("theme", .optional(.choice(UserSettings.Theme.self)), example: "dark")
        InputField("notifications", .optional(.object(Notifications.self)))
        InputField("quiet_hours", .clearable(.object(QuietHours.self)), Words.quietHours, example: .null)
        InputField(
            "onboarding", .optional(InputKind.list(.text).documented(.onboarding)), Words.onboarding)
    }

    var locale: String?
    var timeZone: String?
    var baseCurrency: String?
    var theme: UserSettings.Theme?
    var notifications: Notifications?
    /// `nil` within for `null`, which ends them.
    var quietHours: QuietHours??
    var onboarding: [String]?

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
        if let theme { settings.theme = theme }
        if let alerts = notifications?.alerts { settings.notifications.alerts = alerts }
        if let sounds = notifications?.sounds { settings.notifications.sounds = sounds }
        if let badges = notifications?.badges { settings.notifications.badges = badges }
    }
}

/// Settings as the API shows them.
struct SettingsAnswer: WireBody {
    struct Notifications: WireBody {
        static let shape = BodyShape<Notifications>("Notifications") {
            Field("alerts", \.choice.alerts, Words.alerts, example: true)
            Field("badges", \.choice.badges, Words.badges, example: true)
            Field("sounds", \.choice.sounds, Words.sounds, example: false)
        }

        var choice: UserSettings.Notifications
    }

    struct QuietHours: WireBody {
        static let shape = BodyShape<QuietHours>("QuietHours") {
            Field("from", \.hours.texts.from, as: .timeOfDay, example: "22:00")
            Field("to", \.hours.texts.to, as: .timeOfDay, example: "07:00")
        }

        var hours: UserSettings.QuietHours
    }

    static let shape = BodyShape<SettingsAnswer>(
        "Settings", "How a user wants to see things, and when to be left alone."
    ) {
        Field("base_currency", \.settings.baseCurrency, Words.currency, as: .currency, example: "EUR")
        Field("locale", \.settings.locale, as: .words(UserSettings.locales), example: "de")
        Field("notifications", { body in Notifications(choice: body.settings.notifications) })
        Field("onboarding", \.settings.onboarding, Words.onboarding, as: .onboarding, example: ["welcome"])
        Field(
            "quiet_hours", { body in body.settings.quietHours.map(QuietHours.init(hours:)) },
            Words.quietHours, example: ["from": "22:00", "to": "07:00"])
        Field(
            "theme", \.settings.theme.rawValue, as: .words(UserSettings.Theme.allCases.map(\.rawValue)),
            example: "dark")
        Field("time_zone", \.settings.timeZone, as: .zone, example: "Europe/Berlin")
    }

    private let settings: UserSettings

    init(_ settings: UserSettings) { self.settings = settings }
}

/// What is said of settings, as they are and as they are to be.
private enum Words {
    static let currency = "What new portfolios are valued in where they name nothing else."
    static let alerts =
        "Whether alerts are shown by the page and told by devices; other channels tell them anyway."
    static let sounds = "Whether devices tell them with a sound."
    static let badges = "Whether an icon has the number of those that were not seen."
    static let quietHours = """
        Two different times of the day in time_zone. No channel tells anything then that has no quiet hours \
        of its own; what fired comes together afterwards.
        """
    static let onboarding = "Steps of the introduction that are done, each once."
}

extension Schema {
    fileprivate static let timeOfDay = Schema.text(pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$")
    fileprivate static let currency = Schema.text(pattern: "^[A-Z]{3}$")
    fileprivate static let onboarding = Schema.array(.text(pattern: "^[A-Za-z0-9_-]{1,40}$"), 0...32)
    /// The name of a zone of the IANA database.
    static let zone = Schema.text(length: 1...64)
}
