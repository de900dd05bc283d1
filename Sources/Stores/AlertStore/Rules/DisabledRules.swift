import AccountStore
import Instruments
import MarketStore
import Store

extension Session {
    /// Refuses further rules of a user who has deleted so many that are still kept.
    ///
    /// Behind the user's lock.
    func checkDeleted(_ limits: RuleLimits, of user: UserID) throws(StoreError) {
        let count =
            try first(
                """
                SELECT count(*) FROM alerts.rule
                WHERE \(owner: "user_id", is: user) AND deleted_at IS NOT NULL
                """
            ) { Int(try $0.int64()) } ?? 0
        let fault = QuotaFault.ofDeleted(
            "rules", count: count, whereKept: limits.enabled + limits.disabled)
        if let fault { throw .body(RuleRefused(index: 0, .quota(fault))) }
    }

    /// Refuses further rules of a user who has as many as may be that are switched off or done.
    ///
    /// Behind the user's lock: of two at once the later one counts the earlier one.
    func checkRest(_ limits: RuleLimits, of user: UserID, adding count: Int) throws(StoreError) {
        let present =
            try first(
                """
                SELECT count(*) FROM alerts.rule
                WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL
                    AND (NOT enabled OR done_at IS NOT NULL)
                """
            ) { Int(try $0.int64()) } ?? 0
        guard present + count > limits.disabled else { return }
        let fault = QuotaFault(
            "disabled rules", count: present + count, limit: limits.disabled, advice: "delete some first")
        throw .body(RuleRefused(index: max(limits.disabled - present, 0), .quota(fault)))
    }
}
