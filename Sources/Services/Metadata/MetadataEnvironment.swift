package import Instruments
package import Web

/// What metadata needs of the outside.
package struct MetadataEnvironment: Sendable {
    /// Why nothing was answered.
    package typealias Failure = WebError

    /// What a server said.
    package struct Answer: Sendable {
        /// The HTTP status.
        package var status: Int
        package var body: [UInt8]
        /// How long the server asks to wait.
        package var retryAfter: Duration?

        package init(status: Int, body: [UInt8], retryAfter: Duration? = nil) {
            self.status = status
            self.body = body
            self.retryAfter = retryAfter
        }
    }

    /// The time of day.
    package var now: @Sendable () -> Timestamp
    /// Waits; throws when it is cancelled.
    package var pause: @Sendable (Duration) async throws -> Void
    /// GETs an address.
    package var fetch: @Sendable (String) async throws(Failure) -> Answer

    package init(
        now: @escaping @Sendable () -> Timestamp, pause: @escaping @Sendable (Duration) async throws -> Void,
        fetch: @escaping @Sendable (String) async throws(Failure) -> Answer
    ) {
        self.now = now
        self.pause = pause
        self.fetch = fetch
    }

    /// This machine, and libcurl.
    ///
    /// - Parameter now: The time of day.
    /// - Returns: The outside as it is.
    package static func real(now: @escaping @Sendable () -> Timestamp) -> MetadataEnvironment {
        let client = HTTPClient()
        return MetadataEnvironment(
            now: now, pause: { try await Task.sleep(for: $0) },
            fetch: { url throws(WebError) in
                let response = try await client.get(
                    url, timeout: .seconds(20), maximumBytes: MarketsPage.maximumBytes)
                return Answer(
                    status: response.status, body: response.body, retryAfter: response.retryAfter)
            })
    }
}
