import Instruments
import JSON

/// A provider's list of coins, made of what the simulator serves: CoinGecko's routes, with their shapes.
///
/// Source: CoinGecko, "Public API v3, /coins/markets and /coins/categories/list", read 2026-11.
struct CoinList: Sendable {
    /// Codes, best rank first.
    private let codes: [String]

    /// The names of the coins that the built-in market and the usual recordings trade.
    private static let names = [
        "BTC": "Bitcoin", "ETH": "Ethereum", "USDT": "Tether", "BNB": "BNB", "SOL": "Solana", "XRP": "XRP",
        "ADA": "Cardano", "DOGE": "Dogecoin", "DOT": "Polkadot", "LTC": "Litecoin", "LINK": "Chainlink",
        "BCH": "Bitcoin Cash", "TRX": "TRON", "EOS": "EOS", "XLM": "Stellar", "UNI": "Uniswap",
        "AVAX": "Avalanche", "SUI": "Sui", "HBAR": "Hedera", "TON": "Toncoin", "SHIB": "Shiba Inu",
        "AAVE": "Aave", "XMR": "Monero", "NEAR": "NEAR Protocol", "ETC": "Ethereum Classic", "APT": "Aptos",
        "ICP": "Internet Computer", "ATOM": "Cosmos Hub", "FIL": "Filecoin", "ARB": "Arbitrum",
        "OP": "Optimism", "ALGO": "Algorand", "PEPE": "Pepe", "INJ": "Injective",
    ]
    private static let ranks = [
        "BTC", "ETH", "USDT", "BNB", "SOL", "XRP", "ADA", "DOGE", "DOT", "TRX", "LTC", "LINK", "BCH", "XLM",
        "UNI", "AVAX", "SUI", "HBAR", "TON", "SHIB", "XMR", "AAVE", "PEPE", "NEAR", "ETC", "APT", "ICP",
        "ATOM", "FIL", "ARB", "ALGO", "OP", "INJ", "EOS",
    ]

    /// Whether it has a name besides its code.
    static func isNamed(_ code: String) -> Bool { names[code] != nil }

    /// Key, name and coins of each category, in common words.
    private static let categories: [(id: String, name: String, codes: Set<String>)] = [
        (
            "layer-1", "Layer 1 (L1)",
            [
                "BTC", "ETH", "BNB", "SOL", "ADA", "DOT", "TRX", "LTC", "BCH", "EOS", "AVAX", "SUI", "NEAR",
                "APT", "TON", "HBAR", "ICP", "ATOM", "ALGO", "INJ", "ETC",
            ]
        ),
        ("smart-contract-platform", "Smart Contract Platform", ["ETH", "BNB", "SOL", "ADA", "DOT", "TRX"]),
        ("proof-of-work-pow", "Proof of Work (PoW)", ["BTC", "DOGE", "LTC", "BCH"]),
        ("stablecoins", "Stablecoins", ["USDT"]), ("meme-token", "Meme", ["DOGE", "SHIB", "PEPE"]),
        ("payment-solutions", "Payment Solutions", ["XRP", "XLM", "BCH"]),
        ("decentralized-finance-defi", "Decentralized Finance (DeFi)", ["LINK", "UNI", "AAVE", "INJ"]),
    ]
    private static let quotes = ["USDT", "USDC", "BUSD", "USD", "EUR", "GBP", "BTC", "ETH", "BNB"]

    /// Takes the base assets out of symbols in the venues' spelling.
    init(symbols: some Sequence<String>) {
        let bases = Set(symbols.map(CoinList.base)).union(["BTC", "ETH"])
        let known = CoinList.ranks.filter(bases.contains)
        codes = known + bases.subtracting(known).sorted()
    }

    /// The base asset of a symbol such as `XBTUSD`, `BTC/USD` or `btcusdt`, by its common code.
    static func base(_ symbol: String) -> String {
        let text = symbol.uppercased()
        let code: String
        if let slash = text.firstIndex(where: { "/-_".contains($0) }) {
            code = String(text[..<slash])
        } else if let quote = quotes.first(where: { text.hasSuffix($0) && text.count > $0.count }) {
            code = String(text.dropLast(quote.count))
        } else {
            // Futures of BitMEX are named by three letters and their month.
            code = String(text.prefix(3))
        }
        return ["XBT": "BTC", "XDG": "DOGE"][code] ?? code
    }

    /// The answer to a request behind `/coingecko`.
    func answer(_ address: RequestAddress) -> RESTAnswer {
        switch address.path {
        case "/api/v3/coins/markets": return markets(address)
        case "/api/v3/coins/categories/list": return categoryList
        default: return RESTAnswer(status: 404, #"{"error":"not found"}"#)
        }
    }

    private var categoryList: RESTAnswer {
        let rows = JSONWriter.rows { writer in
            for category in CoinList.categories {
                writer.object { writer in
                    writer.text("category_id", category.id)
                    writer.text("name", category.name)
                }
            }
        }
        return RESTAnswer(status: 200, body: rows)
    }

    private func markets(_ address: RequestAddress) -> RESTAnswer {
        let only = address["category"]
        let category = CoinList.categories.first { $0.id == only }
        guard only == nil || category != nil else {
            return RESTAnswer(status: 404, #"{"error":"category not found"}"#)
        }
        let ranked = codes.enumerated().filter { category?.codes.contains($0.element) ?? true }
        let size = Int(min(max(address.integer("per_page") ?? 100, 1), 250))
        let page = Int(min(max(address.integer("page") ?? 1, 1), 1_000))
        let rows = JSONWriter.rows { writer in
            for (place, code) in ranked.dropFirst((page - 1) * size).prefix(size) {
                let name = CoinList.names[code] ?? code
                writer.object { writer in
                    writer.text("id", name.lowercased().split(separator: " ").joined(separator: "-"))
                    writer.text("symbol", code.lowercased())
                    writer.text("name", name)
                    writer.pair("market_cap_rank", place + 1)
                    if let figures = CoinSupply.figures(of: code) {
                        writer.pair("market_cap", figures.dollars)
                        writer.pair("circulating_supply", figures.coins)
                    }
                }
            }
        }
        return RESTAnswer(status: 200, body: rows)
    }
}
