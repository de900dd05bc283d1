package import Instruments

extension AlertRule {
    /// Whether it fires again no sooner than an installation lets any rule.
    package func cools(for least: Int64) -> Bool {
        guard case .recurring(let cooldown, _) = repetition else { return true }
        return cooldown >= least
    }

    /// Why its cooldown is refused where rules have at least so many nanoseconds; `nil` where it is not.
    package func cooldownFault(least: Int64) -> FieldFault? {
        guard case .recurring(let cooldown, _) = repetition, cooldown < least else { return nil }
        return FieldFault(
            "repeat.cooldown", "\"\(RuleDuration.text(cooldown))\"",
            accepted: "\(RuleDuration.text(least)) or more")
    }
}
