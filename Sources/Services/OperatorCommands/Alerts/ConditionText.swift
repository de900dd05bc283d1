import Alerting
import Instruments

/// Rules in a few words.
enum ConditionText {
    static func repetition(_ repetition: Repetition) -> String {
        switch repetition {
        case .once: return "once"
        case .recurring(let cooldown, let hysteresis):
            let back = hysteresis.units == 0 ? "" : ", back \(hysteresis)"
            return "every \(time(cooldown))\(back)"
        }
    }

    private static func time(_ nanoseconds: Int64) -> String {
        let units: [(Int64, String)] = [
            (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "m"), (1_000_000_000, "s"),
        ]
        let unit = units.first { nanoseconds % $0.0 == 0 } ?? (1, "ns")
        return nanoseconds == 0 ? "0s" : "\(nanoseconds / unit.0)\(unit.1)"
    }
}
