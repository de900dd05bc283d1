import Instruments
import Wire

/// What one venue's feed says of itself.
struct VenueFeedState: Sendable {
    /// Who says it.
    var producer: String
    var isLive = false
    /// Why not, for a person.
    var reason = "the feed has not said anything yet"
    /// How many instruments it follows at most; `nil` where it does not say so.
    let subscriptionsLimit: Int?
    /// When it last said something.
    var heard: Timestamp

    /// A feed that says nothing for so many nanoseconds cannot be believed.
    static let patience: Int64 = 5_000_000_000

    init(_ status: Bitpal_V1_FeedStatus, by producer: String, at now: Timestamp) {
        self.producer = producer
        heard = now
        isLive = status.state == .live
        subscriptionsLimit = status.subscriptionsLimit == 0 ? nil : Int(clamping: status.subscriptionsLimit)
        let word =
            switch status.state {
            case .connecting: "is connecting"
            case .disconnected: "is disconnected"
            case .silent: "is silent"
            default: "is in no known state"
            }
        reason = isLive ? "" : "the feed \(word)" + (status.detail.isEmpty ? "" : ": \(status.detail)")
    }
}
