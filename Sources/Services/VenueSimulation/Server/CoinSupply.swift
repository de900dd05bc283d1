/// How much of the built-in market's coins is in circulation, in millions, about as it was in 2026.
enum CoinSupply {
    private static let millions: [String: Int64] = [
        "BTC": 20, "ETH": 121, "USDT": 185_000, "BNB": 138, "SOL": 560, "XRP": 60_000, "ADA": 36_000,
        "DOGE": 152_000, "DOT": 1_630, "TRX": 94_700, "LTC": 77, "LINK": 700, "BCH": 20, "XLM": 32_000,
        "UNI": 630, "AVAX": 430, "SUI": 3_700, "HBAR": 42_500, "TON": 2_500, "SHIB": 589_000_000, "XMR": 18,
        "AAVE": 15, "PEPE": 420_690_000, "NEAR": 1_280, "ETC": 154, "APT": 720, "ICP": 540, "ATOM": 480,
        "FIL": 700, "ARB": 5_500, "ALGO": 8_800, "OP": 1_900, "INJ": 100,
    ]

    /// Coins in circulation and what they are worth in dollars at their usual price; `nil` for a coin that is
    /// not in the list.
    static func figures(of code: String) -> (coins: Int64, dollars: Int64)? {
        guard let millions = millions[code], let asset = SyntheticAsset.byCode[code] else { return nil }
        return (millions * 1_000_000, Int64(asset.dollars * Double(millions) * 1_000_000))
    }
}
