/// A claimed delivery as far as it decides when and whether it is sent.
struct QueuedDelivery<Channel: Hashable, Content> {
    /// By which channel: what goes by one shares its failures and its limits, and no other channel's.
    var channel: Channel
    /// Where its connection leads; channels that share it share only how many there are at once.
    var host: String
    /// The claim is over then, nanoseconds: whoever has not begun until a while before lets it go.
    var leaseEnd: Int64
    /// What is to be sent.
    var content: Content
}

extension QueuedDelivery: Sendable where Channel: Sendable, Content: Sendable {}
