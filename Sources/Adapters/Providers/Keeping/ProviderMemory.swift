package import Instruments

/// What providers said, within bounds: the newest quotes of coins, and answers about the past.
///
/// A coin that nobody asks for leaves before one that somebody looks at. Also when every provider is away,
/// what they said last stays for a day.
package struct ProviderMemory: Sendable {
    /// A quote, who said it and when it was heard.
    package struct Kept: Hashable, Sendable {
        package var quote: CoinQuote
        package var provider: Venue
        package var heard: Timestamp

        package init(quote: CoinQuote, provider: Venue, heard: Timestamp) {
            (self.quote, self.provider, self.heard) = (quote, provider, heard)
        }
    }

    /// An answer to a question of the past, as it came.
    package struct Past: Hashable, Sendable {
        package var body: [UInt8]
        package var heard: Timestamp

        package init(body: [UInt8], heard: Timestamp) {
            self.body = body
            self.heard = heard
        }
    }

    /// Bytes that quotes may take.
    package static let priceBytes = 25 << 20
    /// Bytes that answers about the past may take.
    package static let historyBytes = 15 << 20

    private var quotes: BoundedCache<Asset, Kept>
    private var history: BoundedCache<String, Past>

    package init(priceBytes: Int = Self.priceBytes, historyBytes: Int = Self.historyBytes) {
        quotes = BoundedCache(capacity: priceBytes)
        history = BoundedCache(capacity: historyBytes)
    }

    /// Bytes that are taken.
    package var bytes: (prices: Int, history: Int) { (quotes.cost, history.cost) }

    /// Coins that are known.
    package var count: Int { quotes.count }

    /// Keeps what a provider said; a quote without a price is nothing, nor is one that was heard before the
    /// one that is known.
    package mutating func keep(_ quote: CoinQuote, of coin: Asset, by provider: Venue, heard: Timestamp) {
        guard quote.price != nil else { return }
        if let known = quotes.peek(coin), known.heard > heard { return }
        let kept = Kept(quote: quote, provider: provider, heard: heard)
        quotes.store(kept, cost: Self.cost(of: quote), for: coin)
    }

    /// Notes that a provider says the same of coins as before.
    package mutating func confirm(_ coins: [Asset], by provider: Venue, heard: Timestamp) {
        for coin in coins {
            guard var kept = quotes.peek(coin), kept.provider == provider else { continue }
            kept.heard = max(kept.heard, heard)
            quotes.store(kept, cost: Self.cost(of: kept.quote), for: coin)
        }
    }

    /// What is known of a coin that somebody asks for, with how far it may be believed; `nil` for nothing,
    /// and for what is older than a day.
    package mutating func quote(of coin: Asset, at now: Timestamp) -> (kept: Kept, age: QuoteAge)? {
        guard let kept = quotes.use(coin) else { return nil }
        let age = QuoteAge(heard: kept.heard, at: now)
        guard age != .gone else {
            quotes.remove(coin)
            return nil
        }
        return (kept, age)
    }

    /// Keeps an answer about the past.
    package mutating func keep(_ past: Past, of address: String) {
        history.store(past, cost: past.body.count + address.utf8.count + 64, for: address)
    }

    /// An answer about the past that is not older than so many nanoseconds.
    package mutating func past(of address: String, within age: Int64, at now: Timestamp) -> Past? {
        guard let past = history.use(address), now.nanoseconds(since: past.heard) <= age else { return nil }
        return past
    }

    /// About what a quote takes: its fields and texts, the key and the links of the cache.
    static func cost(of quote: CoinQuote) -> Int {
        MemoryLayout<Kept>.stride + 96 + quote.id.utf8.count + quote.name.utf8.count
            + (quote.slug?.utf8.count ?? 0) + 2 * quote.symbol.rawValue.utf8.count
    }
}
