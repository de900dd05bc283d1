package import Instruments
import MarketStore
package import Store

extension Session {
    /// Notifications that a user may ask for to see what they look like, at most.
    package static let testFiringsPerHour = 120

    /// Tells the owner of a rule what a notification of it looks like; the rule's state is left as it is.
    ///
    /// Inside a transaction only. Also of a rule that is disabled or done.
    ///
    /// At most ``testFiringsPerHour`` of a user: each is kept as what a rule did, and goes to every channel.
    ///
    /// - Returns: The number that the test has among the rule's firings.
    /// - Throws: ``StoreError``; ``RuleRefused`` as its ``StoreError/bodyError`` when there is no such rule,
    ///   or enough was tested.
    package func testFire(_ rule: StoredRule, at now: Timestamp) throws(StoreError) -> Int64 {
        guard let locked = try lockRules([rule.id], of: rule.user).first else {
            throw .body(RuleRefused(index: 0, .noSuchRule(rule.id.description)))
        }
        let tested =
            try first(
                """
                SELECT count(*) FROM alerts.firing
                WHERE \(owner: "user_id", is: rule.user) AND kind = 'tested'
                    AND fired_at > clock_timestamp() - interval '1 hour'
                """
            ) { Int(try $0.int64()) } ?? 0
        guard tested < Self.testFiringsPerHour else {
            let fault = QuotaFault(
                "test notifications within an hour", count: tested + 1, limit: Self.testFiringsPerHour,
                advice: "try again later")
            throw .body(RuleRefused(index: 0, .quota(fault)))
        }
        let words = "a test that its owner asked for: the condition did not come true"
        let row = FiringRow(.tested, of: locked, reason: words, at: now)
        guard try fire(row, of: locked) else {
            throw .unexpectedAnswer(statement: "fire(_:)", status: "no row")
        }
        return locked.epoch + 1
    }
}
