package import Instruments

/// Recordings that cannot be served together.
package enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Two recordings would answer at the same addresses.
    case sameVenueTwice(Venue, first: String, second: String)
    /// A recording of a venue that the simulator has no dialect of.
    case notSimulated(Venue, path: String)
    /// A recording without a single message of public data.
    case nothingToPlay(path: String)

    /// One line that says what to do.
    package var description: String {
        switch self {
        case .sameVenueTwice(let venue, let first, let second):
            "\(first) and \(second) are both of \(venue): play one of them at a time"
        case .notSimulated(let venue, let path):
            "\(path): nothing here speaks as \(venue): take another recording"
        case .nothingToPlay(let path):
            "\(path): no book, trade or ticker to play: take another recording"
        }
    }
}
