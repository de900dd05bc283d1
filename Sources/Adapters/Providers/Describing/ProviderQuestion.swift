package import Instruments

/// What can be asked of an aggregated provider.
package enum ProviderQuestion: Hashable, Sendable {
    /// Prices of coins by the provider's keys, at most its ``ProviderDescription/batch``.
    case keys([String])
    /// Prices of coins by their codes, at most its ``ProviderDescription/batch``.
    case codes([Asset])
    /// A page of its list, the greatest coins first, from 1.
    case list(page: Int)
}

/// A kind of ``ProviderQuestion``.
package enum ProviderTopic: Hashable, Sendable, CaseIterable {
    /// Prices of chosen coins.
    case prices
    /// Names, ranks, supplies and prices of all.
    case coins
}

/// What is sent to a provider.
package struct ProviderRequest: Hashable, Sendable {
    package var url: String
    package var headers: [String: String]

    package init(url: String, headers: [String: String] = [:]) {
        self.url = url
        self.headers = headers
    }
}

/// Why an answer has no quotes.
package enum ProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not what the provider documents.
    case malformed
    /// The provider refuses, in its words, with a status of success.
    case refused(String)

    /// One clause for a person.
    package var description: String {
        switch self {
        case .malformed: "the answer is not what the provider documents"
        case .refused(let text): "the provider refuses: \(text)"
        }
    }
}
