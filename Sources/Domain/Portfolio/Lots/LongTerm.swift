package import Instruments

/// From when on what was held counts as long.
package enum LongTerm: Hashable, Sendable, LosslessStringConvertible {
    /// Held more than so many days of 24 hours.
    case days(Int)
    /// No time is long: gains are taxed alike however old they are, as in Japan and Ireland.
    case never

    /// More than 365 days.
    package static let standard = LongTerm.days(365)

    /// Days that are accepted: two hundred years are enough.
    package static let accepted = 0...73_000

    /// Reads `365` or `never`; `nil` for anything else.
    package init?(_ text: String) {
        if text == "never" {
            self = .never
        } else if let days = Int(text), LongTerm.accepted.contains(days) {
            self = .days(days)
        } else {
            return nil
        }
    }

    /// `365` or `never`.
    package var description: String {
        switch self {
        case .days(let days): "\(days)"
        case .never: "never"
        }
    }

    /// Whether what was acquired at one time is held long at another.
    package func isReached(from acquired: Timestamp, to time: Timestamp) -> Bool {
        switch self {
        case .days(let days): time.nanoseconds(since: acquired) > Int64(days) * 86_400_000_000_000
        case .never: false
        }
    }

    /// `long` or `short`.
    package func word(from acquired: Timestamp, to time: Timestamp) -> String {
        isReached(from: acquired, to: time) ? "long" : "short"
    }
}
