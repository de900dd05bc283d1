package import Instruments

/// An aggregated provider, without I/O: what it can be asked, how often, and how its answers are read.
package struct ProviderDescription: Sendable {
    /// How a provider knows who asks.
    package enum KeyRule: Hashable, Sendable {
        /// It takes none.
        case none
        /// It answers without, and more with one in a header behind a prefix.
        case optional(header: String, prefix: String)
        /// It refuses everybody else.
        case required(header: String, prefix: String)
    }

    /// By what prices of chosen coins are asked for.
    package enum Naming: Hashable, Sendable {
        /// Keys that are told by its list.
        case keys
        /// Codes.
        case codes
        /// Not at all: its list has everything.
        case list
    }

    /// The name that it has as a venue.
    package let venue: Venue
    /// The address without a path.
    package let address: String
    package let key: KeyRule
    /// Requests of a month that its free plan or demo key allows; `nil` where it says none.
    package let monthly: Int?
    package let naming: Naming
    /// Coins of one question of prices.
    package let batch: Int
    /// Coins of one page of the list; 0 where it has none.
    package let pageSize: Int
    /// The longest answer that is read, in bytes.
    package let maximumBytes: Int
    /// The path and the query of a question; `nil` for what it does not answer.
    let path: @Sendable (ProviderQuestion) -> String?
    /// Reads an answer to a question.
    let reading: @Sendable (ProviderQuestion, [UInt8]) throws(ProviderError) -> [CoinQuote]

    /// What it answers at all.
    package var topics: Set<ProviderTopic> { pageSize > 0 ? [.prices, .coins] : [.prices] }

    /// Whether it answers nobody without a key.
    package var requiresKey: Bool {
        if case .required = key { true } else { false }
    }

    /// What to send.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - address: Whom, without a path; `nil` for the provider's own.
    ///   - secret: The key; `nil` for none.
    /// - Returns: `nil` for what it does not answer.
    package func request(
        _ question: ProviderQuestion, at address: String? = nil, with secret: String? = nil
    ) -> ProviderRequest? {
        guard let path = path(question) else { return nil }
        var headers: [String: String] = [:]
        switch key {
        case .optional(let header, let prefix), .required(let header, let prefix):
            if let secret { headers[header] = prefix + secret }
        case .none: break
        }
        return ProviderRequest(url: (address ?? self.address) + path, headers: headers)
    }

    /// Reads an answer with status 200.
    ///
    /// - Throws: ``ProviderError``.
    package func read(
        _ body: [UInt8], to question: ProviderQuestion
    ) throws(ProviderError) -> [CoinQuote] {
        try reading(question, body)
    }
}

/// The providers that Bitpal speaks to.
package enum ProviderCatalogue {
    /// A line a provider, in the usual order of preference; those that require a key are left out without.
    package static let standard: [ProviderDescription] = [
        CoinGecko.description,
        CoinPaprika.description,
        CoinLore.description,
        CoinDesk.description,
        CryptoCompare.description,
    ]

    /// What is known of a provider; `nil` for a name that is none.
    package static func description(of venue: Venue) -> ProviderDescription? {
        standard.first { $0.venue == venue }
    }

    /// Whether a venue's prices are aggregated, so that it never has a book or a tape.
    package static func isAggregated(_ venue: Venue) -> Bool { description(of: venue) != nil }

    /// The names, in the order of preference, joined by commas.
    package static var list: String { standard.map(\.venue.rawValue).joined(separator: ", ") }
}
