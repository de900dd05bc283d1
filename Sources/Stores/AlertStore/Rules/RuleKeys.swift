package import Alerting
package import Instruments
import Store

extension AlertRule {
    /// The rule under the key that it will be stored with: a UUID is kept, any other name is replaced.
    package func withKey(_ id: RuleID) -> AlertRule {
        guard UniqueID(self.id.description) == nil else { return self }
        var rule = self
        rule.id = id
        return rule
    }

    /// A key that nobody has.
    package static func newID(at now: Timestamp, using generator: inout some RandomNumberGenerator) -> RuleID
    {
        let key = UniqueID(version7At: now.nanoseconds, using: &generator)
        return RuleID(uuid: key.high, key.low)
    }
}
