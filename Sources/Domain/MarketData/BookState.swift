/// Whether a book may be believed.
///
/// Only `live` is proven; the numbers are those of the public schema.
public enum BookState: UInt8, Sendable, Hashable, CaseIterable {
    /// No usable book yet; it is empty.
    case syncing = 1
    /// Proven by the venue's own rules up to the last message.
    case live = 2
    /// Something contradicts the book.
    case suspect = 3
    /// Was right once; the source has been silent for too long.
    case stale = 4

    /// The name in lower case.
    public var name: String {
        switch self {
        case .syncing: "syncing"
        case .live: "live"
        case .suspect: "suspect"
        case .stale: "stale"
        }
    }
}

/// Why a book is in its state; the numbers are those of the public schema.
public enum BookStateReason: UInt8, Sendable, Hashable, CaseIterable {
    /// The connection is not up yet.
    case connecting = 1
    /// Subscribed; the first image has not come.
    case snapshotPending
    /// The venue sent a new image in place of the old one.
    case snapshotReplaced
    /// The venue's sequence numbers do not meet.
    case sequenceGap
    /// The venue's checksum is not that of the book.
    case checksumMismatch
    /// A change of a level that is not there, or an insert of one that is.
    case unknownLevel
    /// The best bid is not below the best ask.
    case crossed
    /// A message of this instrument could not be read.
    case malformedMessage
    /// A number that does not fit 63 bits at the instrument's scale.
    case numberOutOfRange
    /// The connection to the venue is gone.
    case disconnected
    /// The connection is up and says nothing.
    case feedSilent
    /// A comparison with a fresh image found other levels.
    case auditMismatch
    /// A message of the bus was lost.
    case busGap
    /// The bus brings nothing from the producer.
    case busSilent
    /// Nobody wants the instrument any more.
    case unsubscribed
    /// All checks passed.
    case verified
    /// The venue's list of instruments does not have it.
    case unlisted

    /// The name in lower case with hyphens.
    public var name: String {
        switch self {
        case .connecting: "connecting"
        case .snapshotPending: "snapshot-pending"
        case .snapshotReplaced: "snapshot-replaced"
        case .sequenceGap: "sequence-gap"
        case .checksumMismatch: "checksum-mismatch"
        case .unknownLevel: "unknown-level"
        case .crossed: "crossed"
        case .malformedMessage: "malformed-message"
        case .numberOutOfRange: "number-out-of-range"
        case .disconnected: "disconnected"
        case .feedSilent: "feed-silent"
        case .auditMismatch: "audit-mismatch"
        case .busGap: "bus-gap"
        case .busSilent: "bus-silent"
        case .unsubscribed: "unsubscribed"
        case .verified: "verified"
        case .unlisted: "unlisted"
        }
    }
}
