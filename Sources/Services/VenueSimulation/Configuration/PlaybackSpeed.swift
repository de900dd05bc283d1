/// How fast a recording is played.
package enum PlaybackSpeed: Hashable, Sendable {
    /// So many times as fast as it was recorded, 1...1,000.
    case times(Int)
    /// As fast as the slowest reader takes it.
    case maximum
}

extension PlaybackSpeed: LosslessStringConvertible {
    /// Reads a number from 1 to 1,000, or `max`; `nil` for anything else.
    package init?(_ text: String) {
        if text == "max" {
            self = .maximum
        } else if let times = Int(text), (1...1_000).contains(times) {
            self = .times(times)
        } else {
            return nil
        }
    }

    /// As it is written in configuration.
    package var description: String {
        switch self {
        case .times(let times): "\(times)"
        case .maximum: "max"
        }
    }
}
