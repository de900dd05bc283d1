package import AccountStore
import Accounts
package import Store

extension Session {
    /// How a new channel tells: in the language and zone of its owner's account, where there is one.
    ///
    /// - Throws: ``StoreError``.
    package func standardPreferences(of user: UserID) throws(StoreError) -> ChannelPreferences {
        var preferences = ChannelPreferences()
        if let settings = try settings(of: user) {
            (preferences.locale, preferences.timeZone) = (settings.locale, settings.timeZone)
        }
        return preferences
    }
}
