import Instruments

/// The two assets of a symbol, as far as its form tells.
struct SymbolParts: Hashable, Sendable {
    let base: String
    /// Empty where it cannot be told.
    let quote: String

    /// Longer ones before those that they end with.
    private static let quotes = [
        "FDUSD", "USDT", "USDC", "BUSD", "TUSD", "GUSD", "USD", "DAI", "BTC", "ETH", "BNB", "BCH", "LTC",
        "EUR", "TRY", "GBP", "SGD", "JPY", "KRW",
    ]
    /// Assets whose last letter and USD look like one of those quotes.
    private static let bases: Set<String> = [
        "APT", "ARB", "BAT", "BNB", "DOT", "FET", "GRT", "LPT", "MNT", "OMG", "SHIB", "STG",
    ]

    /// Splits at a separator, or where none stands at the longest known quote at the end.
    ///
    /// - Parameters:
    ///   - symbol: In either case, of which upper case is made; what follows the pair is left out.
    ///   - separator: What stands between the two.
    init(_ symbol: String, separator: Character? = nil) {
        let text = symbol.uppercased()
        if let separator {
            let parts = text.split(separator: separator).map(String.init)
            (base, quote) = (parts.first ?? text, parts.count > 1 ? parts[1] : "")
            return
        }
        let pair = String(text.prefix { $0 != "_" })
        let isDollars = pair.hasSuffix("USD") && SymbolParts.bases.contains(String(pair.dropLast(3)))
        let known =
            isDollars ? "USD" : SymbolParts.quotes.first { pair.hasSuffix($0) && pair.count > $0.count }
        (base, quote) = (String(pair.dropLast(known?.count ?? 0)), known ?? "")
    }
}
