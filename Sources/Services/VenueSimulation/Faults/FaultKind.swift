/// Something that can go wrong on the way from a venue to its client.
package enum FaultKind: String, Hashable, Sendable, CaseIterable {
    /// A message never comes.
    case drop
    /// A message comes twice.
    case duplicate
    /// A message comes after one to three that were said later.
    case reorder
    /// One bit of a message is another.
    case corrupt
    /// A message ends too early.
    case truncate
    /// Nothing comes for two to eight seconds, then all of it.
    case stall
    /// The connection stays open, and nothing comes nor is heard any more.
    case halfOpen = "half-open"
    /// The connection is closed.
    case disconnect
    /// A message comes in small pieces, and what follows waits for it.
    case slowDrip = "slow-drip"
    /// A request, or the opening of a connection, is refused because there were too many.
    case tooManyRequests = "429"
    /// The same, because the venue has too much to do.
    case overloaded = "503"
    /// A message has its bids as asks and its asks as bids.
    case crossedBook = "crossed-book"
    /// The venue's clock goes wrong by up to an hour, from this message on.
    case clockSkew = "clock-skew"
    /// A whole book comes late: after up to 20 later messages, or after up to two seconds by REST.
    case lateSnapshot = "late-snapshot"

    /// How often it happens when nobody says, in a million.
    package var usualRate: Int {
        switch self {
        case .drop, .duplicate, .reorder, .corrupt, .truncate, .crossedBook: 1_000
        case .stall, .halfOpen, .disconnect, .slowDrip, .clockSkew: 100
        case .tooManyRequests, .overloaded, .lateSnapshot: 100_000
        }
    }

    /// Every word, for messages to people.
    package static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
