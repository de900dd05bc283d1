/// A claimed delivery as far as it decides when and whether it is sent.
struct Letter<Content> {
    /// Where to, as far as receivers are told apart: what goes to one shares its limits.
    var destination: String
    /// The claim is over then, nanoseconds: whoever has not begun until a while before lets it go.
    var leaseEnd: Int64
    /// What is to be sent.
    var content: Content
}

extension Letter: Sendable where Content: Sendable {}
