import Alerting
import Instruments

/// What a user may have.
package struct RuleLimits: Hashable, Sendable {
    /// Rules that are enabled and not done at the same time.
    package var enabled: Int
    /// Nanoseconds of the shortest cooldown of a recurring rule.
    package var leastCooldown: Int64
    /// Channels that one rule may name.
    package var channels: Int
    /// Rules that are switched off or done: who has as many makes no further one of them, and who has more,
    /// since what is on may always be switched off, makes no other either.
    package var disabled = 1_000
    /// Tags that one rule may have.
    package var tags = 16

    /// Describes limits; 50 rules with any cooldown and up to 16 channels unless said otherwise.
    package init(enabled: Int = 50, leastCooldown: Int64 = 0, channels: Int = 16) {
        (self.enabled, self.leastCooldown, self.channels) = (enabled, leastCooldown, channels)
    }

    /// Why a rule asks for more than it may; `nil` where it does not.
    ///
    /// What it had before stays: a limit may have been another one when it was made.
    func refusal(of rule: AlertRule, insteadOf old: AlertRule? = nil) -> RuleRefused.Reason? {
        if rule.repetition != old?.repetition, let fault = rule.cooldownFault(least: leastCooldown) {
            return .fault(fault)
        }
        let named = rule.channels.count
        if named > channels, rule.channels != old?.channels {
            return .fault(FieldFault("channels", "\(named) names", accepted: "at most \(channels)"))
        }
        guard rule.tags.count > tags, rule.tags != old?.tags else { return nil }
        return .quota(QuotaFault("tags", count: rule.tags.count, limit: tags, advice: "leave some out"))
    }
}
