import GatewayFrame
import Instruments
import MarketStore
import Shapes

/// Which coins somebody wants to see.
struct CoinFilter: Sendable {
    private static let text = Parameter.text(
        "q", "Only coins whose key, code or name begins with this.", example: "bit")
    private static let category = Parameter.text("category", "Only of this category.")
    private static let exchange = Parameter.text("exchange", "Only what this venue trades.", example: .venue)
    private static let volume = Parameter<Amount?>(
        "min_volume", "Only what was traded for so many US dollars in 24 hours, or more.", .decimal,
        example: "100000"
    ) { (query) throws(Problem) in
        guard let text = try query.text("min_volume", atMost: 40) else { return nil }
        guard let amount = try? Amount(parsing: text), !amount.isNegative else {
            throw .invalid("min_volume", text, accepted: "dollars, 0 or more, such as 100000")
        }
        return amount
    }

    /// What it is read of.
    static let parameters: [any QueryParameter] = [text] + withoutText
    /// The same without a text that is typed.
    static let withoutText: [any QueryParameter] = [category, exchange, volume]

    /// In lower case.
    private var beginning: String?
    /// In lower case.
    private var category: String?
    private var exchange: String?
    /// Dollars of 24 hours; a coin of which nobody says them has less than any.
    var volume: Amount?

    /// Reads `?category=Meme&exchange=kraken&min_volume=100000`.
    ///
    /// - Throws: `invalid-field`.
    init(_ query: RequestQuery) throws(Problem) {
        beginning = try query[Self.text]?.lowercased()
        category = try query[Self.category]?.lowercased()
        exchange = try query[Self.exchange]
        volume = try query[Self.volume]
    }

    /// Whether a coin is one of them, whatever was traded of it.
    func isOfKind(_ coin: CoinBody) -> Bool {
        if let beginning {
            let names = [coin.row.providerID, coin.row.asset.rawValue, coin.row.name]
            guard names.contains(where: { $0.lowercased().hasPrefix(beginning) }) else { return false }
        }
        if let category {
            guard coin.row.categories.contains(where: { $0.lowercased() == category }) else { return false }
        }
        return isThere(coin)
    }

    /// Whether it is traded where somebody looks, of whatever category.
    func isThere(_ coin: CoinBody) -> Bool { exchange.map { coin.exchanges.contains($0) } ?? true }

    /// Whether enough was traded of it.
    func isTraded(_ coin: CoinBody) -> Bool {
        guard let volume, !volume.isZero else { return true }
        return coin.volume.map { $0 >= volume } ?? false
    }
}
