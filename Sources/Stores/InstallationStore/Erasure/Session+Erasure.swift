package import AccountStore
import AlertStore
package import Instruments
import PortfolioStore
package import Store

extension Session {
    /// Erases a user with everything of every schema; running services notice when it is committed: rules are
    /// forgotten, valuations stop, live connections end.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; `AccountRefused` as its ``StoreError/bodyError``, as for the last
    ///   operator.
    package func eraseUser(_ user: UserID, at now: Timestamp) throws(StoreError) {
        try beginErasure(of: user)
        try eraseAlerts(of: user, at: now)
        try erasePortfolios(of: user)
        try endErasure(of: user)
    }
}
