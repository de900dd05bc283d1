package import Instruments
import MarketStore
package import Store

extension Session {
    /// Tells the owner of a rule what a notification of it looks like; the rule's state is left as it is.
    ///
    /// Inside a transaction only. Also of a rule that is disabled or done.
    ///
    /// - Returns: The number that the test has among the rule's firings.
    /// - Throws: ``StoreError``; ``RuleRefused`` as its ``StoreError/bodyError`` when there is no such rule.
    package func testFire(_ rule: StoredRule, at now: Timestamp) throws(StoreError) -> Int64 {
        guard let locked = try lockRules([rule.id], of: rule.user).first else {
            throw .body(RuleRefused(index: 0, .noSuchRule(rule.id.description)))
        }
        let words = "a test that its owner asked for: the condition did not come true"
        let row = FiringRow(.tested, of: locked, reason: words, at: now)
        guard try fire(row, of: locked) else {
            throw .unexpectedAnswer(statement: "fire(_:)", status: "no row")
        }
        return locked.epoch + 1
    }
}
