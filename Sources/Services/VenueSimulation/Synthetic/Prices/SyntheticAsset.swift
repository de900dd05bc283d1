/// A coin or currency of the synthetic market: what it usually costs and how it moves.
struct SyntheticAsset: Hashable, Sendable {
    let code: String
    /// What its price is drawn back to.
    let dollars: Double
    /// How much of the whole market's move it makes.
    let beta: Double
    /// Deviation of its own moves over a year.
    let volatility: Double

    private init(_ code: String, _ dollars: Double, beta: Double, own volatility: Double) {
        self.code = code
        self.dollars = dollars
        self.beta = beta
        self.volatility = volatility
    }

    /// An asset; one that is not in the list costs as much as is said of it and moves as most do.
    static func named(_ code: String, dollars: @autoclosure () -> Double) -> SyntheticAsset {
        byCode[code] ?? SyntheticAsset(code, dollars(), beta: 1.2, own: 0.6)
    }

    static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }

    /// A line an asset.
    static let all: [SyntheticAsset] = [
        SyntheticAsset("BTC", 60_000, beta: 1, own: 0.1),
        SyntheticAsset("ETH", 3_000, beta: 1.2, own: 0.28),
        SyntheticAsset("BNB", 600, beta: 0.85, own: 0.3),
        SyntheticAsset("SOL", 140, beta: 1.4, own: 0.45),
        SyntheticAsset("XRP", 1.1, beta: 1.05, own: 0.5),
        SyntheticAsset("DOGE", 0.15, beta: 1.35, own: 0.55),
        SyntheticAsset("ADA", 0.5, beta: 1.3, own: 0.45),
        SyntheticAsset("TRX", 0.2, beta: 0.6, own: 0.35),
        SyntheticAsset("LINK", 14, beta: 1.35, own: 0.45),
        SyntheticAsset("AVAX", 28, beta: 1.4, own: 0.5),
        SyntheticAsset("XLM", 0.2, beta: 1.1, own: 0.5),
        SyntheticAsset("SUI", 2.4, beta: 1.45, own: 0.65),
        SyntheticAsset("BCH", 400, beta: 1.1, own: 0.4),
        SyntheticAsset("HBAR", 0.14, beta: 1.3, own: 0.6),
        SyntheticAsset("LTC", 85, beta: 1, own: 0.35),
        SyntheticAsset("TON", 4.2, beta: 1.05, own: 0.5),
        SyntheticAsset("SHIB", 0.000_016, beta: 1.35, own: 0.55),
        SyntheticAsset("DOT", 6, beta: 1.3, own: 0.4),
        SyntheticAsset("UNI", 8, beta: 1.35, own: 0.55),
        SyntheticAsset("AAVE", 160, beta: 1.35, own: 0.5),
        SyntheticAsset("XMR", 170, beta: 0.6, own: 0.4),
        SyntheticAsset("NEAR", 4.5, beta: 1.45, own: 0.5),
        SyntheticAsset("ETC", 24, beta: 1.2, own: 0.4),
        SyntheticAsset("APT", 8, beta: 1.45, own: 0.55),
        SyntheticAsset("ICP", 9, beta: 1.35, own: 0.55),
        SyntheticAsset("ATOM", 6.5, beta: 1.25, own: 0.4),
        SyntheticAsset("FIL", 4.5, beta: 1.35, own: 0.5),
        SyntheticAsset("ARB", 0.7, beta: 1.45, own: 0.5),
        SyntheticAsset("OP", 1.5, beta: 1.45, own: 0.5),
        SyntheticAsset("ALGO", 0.2, beta: 1.25, own: 0.5),
        SyntheticAsset("PEPE", 0.000_009, beta: 1.5, own: 0.9),
        SyntheticAsset("INJ", 20, beta: 1.45, own: 0.6),
        // Currencies and what stands for the dollar.
        SyntheticAsset("USD", 1, beta: 0, own: 0),
        SyntheticAsset("USDT", 1, beta: 0, own: 0),
        SyntheticAsset("USDC", 1, beta: 0, own: 0),
        SyntheticAsset("FDUSD", 1, beta: 0, own: 0),
        SyntheticAsset("EUR", 1.15, beta: 0, own: 0.07),
        SyntheticAsset("GBP", 1.32, beta: 0, own: 0.08),
    ]
}
