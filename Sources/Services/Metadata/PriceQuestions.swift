import Instruments
import MarketStore
import Providers

/// Which question a provider is asked for the coins that are wanted, and whom its answers mean.
///
/// Chosen coins are asked for in batches, one after the other; where a provider has keys of its own, its list
/// is read until those are known.
struct PriceQuestions: Sendable {
    /// Pages of a list that are read for keys at most.
    static let pages = 20

    private(set) var wanted: [WantedCoin] = []
    /// Keys by code, as providers told them.
    private var keys: [Venue: [Asset: String]] = [:]
    /// Pages that were read.
    private var read: [Venue: Int] = [:]
    /// Where the next batch begins.
    private var cursor: [Venue: Int] = [:]

    /// Sets what is wanted; the list's own provider has told its keys.
    mutating func want(_ wishes: [AggregatedWish], listedBy provider: Venue) {
        let before = Set(wanted)
        var coins: [WantedCoin] = []
        for wish in wishes {
            let coin = WantedCoin(symbol: wish.asset, name: wish.name)
            keys[provider, default: [:]][coin.symbol] = wish.providerID
            if !coins.contains(coin) { coins.append(coin) }
        }
        wanted = coins
        // New coins may stand on any page.
        if !Set(coins).isSubset(of: before) { read = [:] }
    }

    /// The next question; `nil` where the provider knows none of the coins.
    func next(for provider: ProviderDescription) -> ProviderQuestion? {
        guard !wanted.isEmpty else { return nil }
        switch provider.naming {
        case .list: return .list(page: 1)
        case .codes: return .codes(batch(of: wanted.map(\.symbol), provider))
        case .keys:
            let known = keys[provider.venue] ?? [:]
            let pages = read[provider.venue] ?? 0
            let isUnknown = wanted.contains { known[$0.symbol] == nil }
            if provider.pageSize > 0, pages < Self.pages, isUnknown {
                return .list(page: pages + 1)
            }
            let keys = wanted.compactMap { known[$0.symbol] }
            return keys.isEmpty ? nil : .keys(batch(of: keys, provider))
        }
    }

    private func batch<Name>(of names: [Name], _ provider: ProviderDescription) -> [Name] {
        let start = (cursor[provider.venue] ?? 0) % max(names.count, 1)
        return Array(names[start...].prefix(provider.batch))
    }

    /// Takes an answer.
    ///
    /// - Parameters:
    ///   - quotes: The answer.
    ///   - question: What was asked.
    ///   - provider: Who answered.
    /// - Returns: The quotes of wanted coins, and whether all have been asked for.
    mutating func take(
        _ quotes: [CoinQuote], to question: ProviderQuestion, of provider: ProviderDescription
    ) -> (quotes: [Asset: CoinQuote], isRound: Bool) {
        let venue = provider.venue
        switch question {
        case .list(let page):
            let found = quotes.quotes(of: wanted)
            for (coin, quote) in found { keys[venue, default: [:]][coin] = quote.id }
            read[venue] = quotes.isEmpty ? Self.pages : page
            let isRound = provider.naming == .list || next(for: provider).map(Self.isList) != true
            return (found, isRound)
        case .keys:
            let codes = Dictionary((keys[venue] ?? [:]).map { ($1, $0) }) { first, _ in first }
            let pairs = quotes.compactMap { quote in codes[quote.id].map { ($0, quote) } }
            return (Dictionary(pairs) { first, _ in first }, advance(question, provider))
        case .codes: return (quotes.quotes(of: wanted), advance(question, provider))
        }
    }

    static func isList(_ question: ProviderQuestion) -> Bool {
        if case .list = question { true } else { false }
    }

    /// Goes on to the next batch.
    ///
    /// - Returns: Whether the next one is the first again.
    mutating func advance(_ question: ProviderQuestion, _ provider: ProviderDescription) -> Bool {
        if Self.isList(question) { return true }
        let known = keys[provider.venue] ?? [:]
        let total =
            provider.naming == .codes
            ? wanted.count : wanted.filter { known[$0.symbol] != nil }.count
        let next = (cursor[provider.venue] ?? 0) + provider.batch
        cursor[provider.venue] = next < total ? next : 0
        return next >= total
    }
}
