package import AccountStore
import Accounts
package import Store

extension Session {
    /// How a new channel tells: in the language and zone of its owner's account, where there is one.
    ///
    /// - Throws: ``StoreError``.
    package func standardManners(of user: UserID) throws(StoreError) -> ChannelManners {
        var manners = ChannelManners()
        if let settings = try settings(of: user) {
            (manners.locale, manners.timeZone) = (settings.locale, settings.timeZone)
        }
        return manners
    }
}
