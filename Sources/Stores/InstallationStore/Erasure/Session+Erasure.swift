package import AccountStore
import Accounts
import AlertStore
package import Instruments
import PortfolioStore
package import Store

extension Session {
    /// Erases a user with everything of every schema; running services notice when it is committed: rules are
    /// forgotten, valuations stop, live connections end.
    ///
    /// Inside a transaction only. The audit log keeps what was done, and no longer by whom: the erasure
    /// itself is its last line about them.
    ///
    /// - Parameters:
    ///   - user: Who goes.
    ///   - now: The time.
    ///   - actor: Who erases, maybe the user.
    /// - Throws: ``StoreError``; `AccountRefused` as its ``StoreError/bodyError``, as for the last
    ///   operator.
    package func eraseUser(
        _ user: UserID, at now: Timestamp, by actor: AuditActor
    ) throws(StoreError) {
        try beginErasure(of: user)
        try eraseAlerts(of: user, at: now)
        try erasePortfolios(of: user)
        let pseudonym = try endErasure(of: user)
        try audit(
            AuditChange(.accountErase, account: pseudonym), by: actor.erased(user, as: pseudonym),
            ofErased: pseudonym)
    }
}
