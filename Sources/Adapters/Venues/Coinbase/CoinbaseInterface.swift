/// Which of Coinbase's public interfaces to follow; what comes is read by its own form in any case.
package enum CoinbaseInterface: String, Sendable, Hashable, CaseIterable {
    /// Advanced Trade, whose messages are numbered.
    case advanced
    /// Coinbase Exchange, once Coinbase Pro and GDAX.
    case exchange

    static let option = VenueOption(
        name: "interface", words: allCases.map(\.rawValue), standard: advanced.rawValue,
        summary: "Which of Coinbase's public interfaces is followed.")

    /// The public address of the Exchange's WebSocket interface.
    static let exchangeWebSocketURL = "wss://ws-feed.exchange.coinbase.com"
    /// The public address of the Exchange's REST interface.
    static let exchangeRESTURL = "https://api.exchange.coinbase.com"

    /// The names of the channels of books, trades, tickers and candles.
    var channels: [(name: String, channel: ChannelSet)] {
        switch self {
        case .advanced:
            [("level2", .book), ("market_trades", .trade), ("ticker", .ticker), ("candles", .candle)]
        // Batches of 50 ms; the channel without them wants a key since 2023.
        case .exchange: [("level2_batch", .book), ("matches", .trade), ("ticker", .ticker)]
        }
    }

    /// A message that subscribes to one channel, or unsubscribes.
    ///
    /// Symbols are the venue's own and hold no quotes.
    func text(_ operation: String, _ channel: String, _ symbols: [String]) -> String {
        let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
        let name = self == .advanced ? "\"channel\":\"\(channel)\"" : "\"channels\":[\"\(channel)\"]"
        return "{\"type\":\"\(operation)\",\"product_ids\":[\(list)],\(name)}"
    }
}

extension VenueConfiguration {
    /// Coinbase's interface; of no meaning elsewhere.
    var coinbaseInterface: CoinbaseInterface {
        self[CoinbaseInterface.option].flatMap { CoinbaseInterface(rawValue: $0) } ?? .advanced
    }

    /// Where to connect: the interface's own address, unless another is named.
    var coinbaseWebSocketURL: String {
        let isNamed = webSocketURL != description.webSocketURL
        return coinbaseInterface == .exchange && !isNamed
            ? CoinbaseInterface.exchangeWebSocketURL : webSocketURL
    }

    /// What paths of REST follow on: the interface's own address, unless another is named.
    var coinbaseRoute: String {
        switch coinbaseInterface {
        case .advanced: restURL + "/api/v3/brokerage/market"
        case .exchange: restURL == description.restURL ? CoinbaseInterface.exchangeRESTURL : restURL
        }
    }
}
