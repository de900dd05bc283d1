package import Accounts
import MarketStore
package import Store

extension Session {
    /// The settings of a user; `nil` when there is no such account.
    package func settings(of user: UserID) throws(StoreError) -> UserSettings? {
        try first(
            """
            SELECT locale, time_zone, base_currency, theme, alerts, sounds, badges, quiet_from, quiet_to,
                onboarding
            FROM accounts.setting WHERE user_id = \(user)
            """, UserSettings.init)
    }

    /// Replaces the settings of a user.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused/noSuchAccount`` as its ``StoreError/bodyError``.
    package func setSettings(_ settings: UserSettings, of user: UserID) throws(StoreError) {
        let wanted = settings.notifications
        let quietFrom = settings.quietHours.map { Int16(clamping: $0.from) }
        let quietTo = settings.quietHours.map { Int16(clamping: $0.to) }
        let updated = try execute(
            """
            UPDATE accounts.setting
            SET locale = \(settings.locale), time_zone = \(settings.timeZone),
                base_currency = \(settings.baseCurrency), theme = \(settings.theme.rawValue),
                alerts = \(wanted.alerts), sounds = \(wanted.sounds), badges = \(wanted.badges),
                quiet_from = \(quietFrom), quiet_to = \(quietTo), onboarding = \(settings.onboarding)
            WHERE user_id = \(user)
            """)
        guard updated == 1 else { throw .body(AccountRefused.noSuchAccount) }
    }
}

extension UserSettings {
    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        self.init()
        let texts = (try row.text(), try row.text(), try row.text())
        theme = try row.word(Theme.self)
        notifications.alerts = try row.bool()
        notifications.sounds = try row.bool()
        notifications.badges = try row.bool()
        let (from, to) = (try row.int16OrNil(), try row.int16OrNil())
        if let from, let to { quietHours = QuietHours(from: Int(from), to: Int(to)) }
        let steps = try row.textArray()
        do {
            try set(locale: texts.0)
            try set(timeZone: texts.1)
            try set(baseCurrency: texts.2)
            try set(onboarding: steps)
        } catch {
            throw row.refusal()
        }
    }
}
