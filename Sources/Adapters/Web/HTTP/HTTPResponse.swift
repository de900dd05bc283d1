/// What a server answered; every status is a response, also 404 and 429.
package struct HTTPResponse: Sendable, Hashable {
    /// 100...999.
    package let status: Int
    /// The body, decompressed, at most as long as the request allowed.
    package let body: [UInt8]
    private let head: ResponseHead

    init(head: ResponseHead, body: [UInt8]) {
        status = head.status
        self.head = head
        self.body = body
    }

    /// The first value of a header, or `nil`; names match in any case.
    package func header(_ name: String) -> String? { head.value(of: name.lowercased()) }

    /// How long the server asks to wait (`Retry-After` in seconds, at most a week), or `nil`.
    package var retryAfter: Duration? { head.retryAfter }
}
