package import Instruments

/// Where holdings are by who could withhold them: an exchange, or nobody but their owner.
package enum WalletVenue {
    /// Wallets whose keys their owner has.
    package static let selfCustody = "self custody"

    /// The venue of a wallet.
    ///
    /// - Parameters:
    ///   - wallet: Its name.
    ///   - isExchange: Whether its owner says that it is an account at an exchange; `nil` when nobody says.
    /// - Returns: The exchange that the name contains; of an account at another one its own name; else
    ///   ``selfCustody``.
    package static func name(of wallet: String, isExchange: Bool?) -> String {
        if isExchange == false { return selfCustody }
        let words = words(of: wallet)
        let known = exchanges.first { exchange in
            let wanted = Self.words(of: exchange)
            return words.indices.contains { words[$0...].starts(with: wanted) }
        }
        return known ?? (isExchange == true ? wallet : selfCustody)
    }

    private static func words(of name: String) -> [String] {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Exchanges and brokers whose names people give to wallets.
    private static let exchanges = [
        "Binance", "BitMEX", "Bitfinex", "Bitget", "Bitpanda", "Bitstamp", "Bittrex", "Bitvavo", "BlockFi",
        "Bybit", "Celsius", "Coinbase", "Crypto.com", "Deribit", "FTX", "Gate.io", "Gemini", "HTX", "Huobi",
        "Kraken", "KuCoin", "MEXC", "Nexo", "OKX", "OKEx", "Phemex", "Poloniex", "Revolut", "Robinhood",
        "Upbit", "bitFlyer", "eToro",
    ]
}

extension Asset {
    /// What kind of thing it is: `currency`, `stablecoin` or `coin`.
    package var category: String {
        isCurrency ? "currency" : Asset.stablecoins.contains(rawValue) ? "stablecoin" : "coin"
    }

    /// Coins that promise to be worth one unit of a currency.
    private static let stablecoins: Set<String> = [
        "BUSD", "DAI", "EURC", "EURI", "EURT", "FDUSD", "FRAX", "GUSD", "LUSD", "PYUSD", "RLUSD", "SUSD",
        "TUSD", "USD1", "USDC", "USDD", "USDE", "USDG", "USDP", "USDS", "USDT", "UST", "USTC",
    ]
}
