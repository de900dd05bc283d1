package import Alerting
package import Instruments

extension Notice {
    /// What a rule and one of its firings say; `previous` and `currency` are left to whoever knows them.
    ///
    /// - Parameters:
    ///   - id: The delivery's id.
    ///   - rule: The rule in the version that fired.
    ///   - epoch: Which firing, from 1.
    ///   - reason: The engine's sentence.
    ///   - price: The value that fired it.
    ///   - venueTime: When it happened by the venue.
    ///   - lateBy: Nanoseconds by which it was found too late; above 0 the notice is ``Kind/late``.
    package init(
        id: String, of rule: AlertRule, epoch: Int64, reason: String, price: DecimalNumber?,
        venueTime: Timestamp, lateBy: Int64
    ) {
        self.init(id: id, kind: lateBy > 0 ? .late : .fired, venueTime: venueTime)
        self.rule = rule.id
        self.epoch = epoch
        self.reason = reason
        self.price = price
        self.lateBy = max(lateBy, 0)
        instrument = rule.instrument
        condition = rule.condition
        level = rule.condition.level(passedBy: price)
        note = rule.note
        tags = rule.tags
        priority = rule.priority
    }
}
