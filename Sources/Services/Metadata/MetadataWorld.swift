public import Instruments
public import Web

/// What metadata needs of the outside.
public struct MetadataWorld: Sendable {
    /// What a server said.
    public struct Answer: Sendable {
        /// The HTTP status.
        public var status: Int
        /// Its body.
        public var body: [UInt8]
        /// How long the server asks to wait.
        public var retryAfter: Duration?

        /// Describes an answer.
        public init(status: Int, body: [UInt8], retryAfter: Duration? = nil) {
            self.status = status
            self.body = body
            self.retryAfter = retryAfter
        }
    }

    /// The time of day.
    public var now: @Sendable () -> Timestamp
    /// Waits; throws when it is cancelled.
    public var pause: @Sendable (Duration) async throws -> Void
    /// GETs an address.
    public var fetch: @Sendable (String) async throws(WebError) -> Answer

    /// Describes the outside.
    public init(
        now: @escaping @Sendable () -> Timestamp, pause: @escaping @Sendable (Duration) async throws -> Void,
        fetch: @escaping @Sendable (String) async throws(WebError) -> Answer
    ) {
        self.now = now
        self.pause = pause
        self.fetch = fetch
    }

    /// This machine, and libcurl.
    ///
    /// - Parameter now: The time of day.
    /// - Returns: The outside as it is.
    public static func real(now: @escaping @Sendable () -> Timestamp) -> MetadataWorld {
        let client = HTTPClient()
        return MetadataWorld(
            now: now, pause: { try await Task.sleep(for: $0) },
            fetch: { url throws(WebError) in
                let response = try await client.get(
                    url, timeout: .seconds(20), maximumBytes: MarketsPage.maximumBytes)
                return Answer(
                    status: response.status, body: response.body, retryAfter: response.retryAfter)
            })
    }
}
