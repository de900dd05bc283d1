package import Instruments

/// How far an aggregated price may be believed, by when it was heard.
package enum QuoteAge: Hashable, Sendable {
    /// Of now.
    case fresh
    /// So many minutes old, still accepted.
    case aged(minutes: Int64)
    /// So many minutes old, more than five, since nobody answers.
    case offline(minutes: Int64)
    /// Older than a day: nothing to be shown.
    case gone

    /// The age of what was heard at a time.
    package init(heard: Timestamp, at now: Timestamp) {
        let seconds = max(now.nanoseconds(since: heard), 0) / 1_000_000_000
        self =
            switch seconds {
            case ...60: .fresh
            case ...300: .aged(minutes: seconds / 60)
            case ...86_400: .offline(minutes: seconds / 60)
            default: .gone
            }
    }

    /// Why the price is not of now; empty where it is.
    package var reason: String {
        switch self {
        case .fresh: ""
        case .aged(let minutes): "\(minutes) min old"
        case .offline(let minutes): "no provider answers; \(minutes) min old"
        case .gone: "no provider has answered for a day"
        }
    }
}
