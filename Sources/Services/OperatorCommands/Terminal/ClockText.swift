import Instruments

/// Times as people read them.
enum ClockText {
    /// The time of the day in UTC as `HH:mm:ss`.
    static func time(_ time: Timestamp) -> String {
        let text = time.iso8601(fractionDigits: 0)
        return String(text.dropFirst(11).dropLast())
    }

    /// How long ago something was: `now`, `12 s`, `3 min`, `5 h`, `2 d`.
    static func age(nanoseconds: Int64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        return switch seconds {
        case ..<1: "now"
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
