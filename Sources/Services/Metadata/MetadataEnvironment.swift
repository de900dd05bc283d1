package import Instruments
package import Providers
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
        /// By what the server knows next time whether anything changed.
        package var validators = AnswerValidators()

        package init(
            status: Int, body: [UInt8], retryAfter: Duration? = nil,
            validators: AnswerValidators = AnswerValidators()
        ) {
            self.status = status
            self.body = body
            self.retryAfter = retryAfter
            self.validators = validators
        }
    }

    /// The time of day.
    package var now: @Sendable () -> Timestamp
    /// Waits; throws when it is cancelled.
    package var pause: @Sendable (Duration) async throws -> Void
    /// GETs an answer of at most so many bytes.
    package var fetch: @Sendable (ProviderRequest, Int) async throws(Failure) -> Answer

    package init(
        now: @escaping @Sendable () -> Timestamp, pause: @escaping @Sendable (Duration) async throws -> Void,
        fetch: @escaping @Sendable (ProviderRequest, Int) async throws(Failure) -> Answer
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
            fetch: { request, limit throws(WebError) in
                let headers = request.headers.sorted { $0.key < $1.key }.map { (name: $0, value: $1) }
                let response = try await client.get(
                    request.url, headers: headers, timeout: .seconds(20), maximumBytes: limit)
                let validators = AnswerValidators(
                    tag: response.header("ETag"), modified: response.header("Last-Modified"))
                return Answer(
                    status: response.status, body: response.body, retryAfter: response.retryAfter,
                    validators: validators)
            })
    }
}
