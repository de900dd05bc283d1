/// The two assets of a symbol in any venue's spelling.
struct SyntheticPair: Hashable, Sendable {
    let base: String
    let quote: String

    private static let quotes = ["FDUSD", "USDT", "USDC", "USD", "EUR", "GBP", "BTC", "ETH"]

    init(_ symbol: String) {
        let base = CoinList.base(symbol)
        let text = symbol.uppercased()
        let parts = text.split { "/-_".contains($0) }
        let rest = parts.count > 1 ? String(parts[1]) : text
        // A future that is named by its coin alone is in dollars.
        quote = Self.quotes.first { rest.hasSuffix($0) && $0 != base } ?? "USD"
        self.base = base
    }

    /// What the assets are; one that nobody knows costs so many of the other.
    func assets(dollars: @autoclosure () -> Double) -> (base: SyntheticAsset, quote: SyntheticAsset) {
        let quote = SyntheticAsset.named(quote, dollars: 1)
        return (SyntheticAsset.named(base, dollars: dollars() * quote.dollars), quote)
    }
}
