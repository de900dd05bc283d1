package import Instruments

/// What an aggregated provider says of a coin: never more than a mean over markets that nobody proved.
///
/// Money is in US dollars. What a provider leaves out, or says as nothing, is `nil`.
package struct CoinQuote: Hashable, Sendable {
    /// The provider's own key, such as `bitcoin`, `btc-bitcoin` or `90`.
    package var id: String
    /// Its code in upper case, as venues have it.
    package var symbol: Asset
    /// Such as `Bitcoin`; empty where an answer has codes only.
    package var name: String
    /// A name in an address, where the provider has one besides its key.
    package var slug: String?
    /// By market value, from 1.
    package var rank: Int32?
    /// Above zero.
    package var price: Amount?
    /// The price 24 hours ago.
    package var open: Amount?
    /// The highest price of 24 hours.
    package var high: Amount?
    /// The lowest price of 24 hours.
    package var low: Amount?
    /// Percent of the price 24 hours ago.
    package var change: Amount?
    /// What was traded in 24 hours, in US dollars.
    package var quoteVolume: Amount?
    /// The same in the coin.
    package var baseVolume: Amount?
    package var marketCap: Amount?
    package var circulatingSupply: Amount?
    package var totalSupply: Amount?
    package var maximumSupply: Amount?
    package var allTimeHigh: Amount?
    package var allTimeHighTime: Timestamp?
    /// When the provider first had it.
    package var firstSeen: Timestamp?
    /// When the provider says that it was so.
    package var updated: Timestamp?

    package init(id: String, symbol: Asset, name: String = "") {
        self.id = id
        self.symbol = symbol
        self.name = name
    }
}

/// A coin whose price is wanted, by whatever a provider may know it.
package struct WantedCoin: Hashable, Sendable {
    package var symbol: Asset
    /// Such as `Bitcoin`.
    package var name: String

    package init(symbol: Asset, name: String) {
        self.symbol = symbol
        self.name = name
    }

    /// Whether a quote is of this coin.
    ///
    /// Small coins borrow the codes of great ones, so a code alone is proof only where a provider has
    /// nothing else.
    package func isMeant(by quote: CoinQuote) -> Bool {
        guard quote.symbol == symbol else { return false }
        guard !quote.name.isEmpty, !name.isEmpty else { return quote.name.isEmpty }
        let wanted = Self.squeezed(name)
        return wanted == Self.squeezed(quote.name) || wanted == quote.slug.map(Self.squeezed)
            || wanted == Self.squeezed(quote.id)
    }

    /// Letters and digits only, in lower case.
    static func squeezed(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension [CoinQuote] {
    /// The quotes of the coins that are wanted; of several with one code the one with the best rank.
    package func quotes(of wanted: some Sequence<WantedCoin>) -> [Asset: CoinQuote] {
        let bySymbol = Dictionary(grouping: self, by: \.symbol)
        var found: [Asset: CoinQuote] = [:]
        for coin in wanted {
            let same = (bySymbol[coin.symbol] ?? []).filter(coin.isMeant)
            found[coin.symbol] = same.min { ($0.rank ?? .max) < ($1.rank ?? .max) }
        }
        return found
    }
}
