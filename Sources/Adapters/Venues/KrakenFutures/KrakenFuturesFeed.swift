/// The feeds that are subscribed to, and which of our channels each serves.
enum KrakenFuturesFeed: String, CaseIterable, Hashable, Sendable {
    case book
    /// Executions, of which each says whether it ended a position.
    case trade
    /// Best bid and ask with their sizes, the mark price and the state; `ticker_lite`, which has no more than
    /// two prices, is only read.
    case ticker

    var channels: ChannelSet {
        switch self {
        case .book: .book
        case .trade: [.trade, .liquidation]
        case .ticker: [.ticker, .mark, .derivative]
        }
    }

    /// A message about some products.
    ///
    /// - Parameters:
    ///   - event: `subscribe` or `unsubscribe`.
    ///   - symbols: The venue's own, which hold no quotes.
    /// - Returns: Its text.
    func text(_ event: String, _ symbols: [String]) -> String {
        let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"event\":\"\(event)\",\"feed\":\"\(rawValue)\",\"product_ids\":[\(list)]}"
    }
}

/// A feed of one instrument.
struct KrakenFuturesTopic: Hashable, Sendable {
    var feed: KrakenFuturesFeed
    var index: InstrumentIndex
}
