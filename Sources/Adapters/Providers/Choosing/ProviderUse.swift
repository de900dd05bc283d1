import Instruments

/// How one provider may be used.
package struct ProviderUse: Sendable {
    package let provider: ProviderDescription
    /// The address without a path; the provider's own unless somebody else stands in.
    package var address: String
    /// `nil` for none.
    package var key: String?
    /// Requests of a minute, 1...600.
    package var perMinute: Int
    /// Requests of a calendar month; `nil` without an end.
    package var perMonth: Int?

    /// At the provider's own address, at most ten requests a minute.
    package init(_ provider: ProviderDescription, key: String? = nil) {
        self.provider = provider
        self.key = key
        address = provider.address
        perMinute = 10
        perMonth = provider.monthly
    }

    /// Whether it would answer at all.
    package var isUsable: Bool { !provider.requiresKey || key != nil }

    /// What is sent for a question.
    package func request(_ question: ProviderQuestion) -> ProviderRequest? {
        provider.request(question, at: address, with: key)
    }

    var policy: RateLimit.Policy {
        RateLimit.Policy(burst: 1, interval: 60_000_000_000 / Int64(min(max(perMinute, 1), 600)))
    }
}

/// Why there is no answer to a request.
package enum ProviderFailure: Hashable, Sendable {
    /// Another status than 200 and 304, and how many nanoseconds it asks to wait.
    case refused(status: Int, retryAfter: Int64?)
    /// No answer came.
    case unanswered
    /// Not what it documents.
    case malformed
}
