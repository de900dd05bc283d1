public import Accounts
public import Store

extension Session {
    /// The settings of a user; `nil` when there is no such account.
    public func settings(of user: UserID) throws(StoreError) -> UserSettings? {
        try first(FindSettings(user: user))
    }

    /// Replaces the settings of a user.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused/noSuchAccount`` as its ``StoreError/bodyError``.
    public func setSettings(_ settings: UserSettings, of user: UserID) throws(StoreError) {
        guard try execute(UpdateSettings(user: user, settings: settings)) == 1 else {
            throw .body(AccountRefused.noSuchAccount)
        }
    }
}

struct InsertSettings: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.setting
            (user_id, locale, time_zone, base_currency, theme, alerts, sounds, badges, onboarding)
        VALUES ($1, $2, $3, $4, $5, true, true, true, '{}')
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        let settings = UserSettings()
        parameters.append(user)
        parameters.append(settings.locale)
        parameters.append(settings.timeZone)
        parameters.append(settings.baseCurrency)
        parameters.append(settings.theme.rawValue)
    }
}

struct FindSettings: Statement {
    static let sql = """
        SELECT locale, time_zone, base_currency, theme, alerts, sounds, badges, quiet_from, quiet_to,
            onboarding
        FROM accounts.setting WHERE user_id = $1
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> UserSettings {
        var settings = UserSettings()
        let texts = (try row.text(), try row.text(), try row.text())
        settings.theme = try row.word(UserSettings.Theme.self)
        settings.notifications.alerts = try row.bool()
        settings.notifications.sounds = try row.bool()
        settings.notifications.badges = try row.bool()
        let (from, to) = (try row.int16OrNil(), try row.int16OrNil())
        if let from, let to { settings.quietHours = UserSettings.QuietHours(from: Int(from), to: Int(to)) }
        let steps = try row.textArray()
        do {
            try settings.set(locale: texts.0)
            try settings.set(timeZone: texts.1)
            try settings.set(baseCurrency: texts.2)
            try settings.set(onboarding: steps)
        } catch {
            throw row.refusal()
        }
        return settings
    }
}

struct UpdateSettings: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE accounts.setting
        SET locale = $2, time_zone = $3, base_currency = $4, theme = $5, alerts = $6, sounds = $7,
            badges = $8, quiet_from = $9, quiet_to = $10, onboarding = $11
        WHERE user_id = $1
        """
    let user: UserID
    let settings: UserSettings

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(settings.locale)
        parameters.append(settings.timeZone)
        parameters.append(settings.baseCurrency)
        parameters.append(settings.theme.rawValue)
        parameters.append(settings.notifications.alerts)
        parameters.append(settings.notifications.sounds)
        parameters.append(settings.notifications.badges)
        parameters.append(settings.quietHours.map { Int16(clamping: $0.from) })
        parameters.append(settings.quietHours.map { Int16(clamping: $0.to) })
        parameters.append(settings.onboarding)
    }
}
