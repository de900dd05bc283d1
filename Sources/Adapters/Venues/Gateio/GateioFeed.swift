/// The channels of the venue, without the market before the point.
enum GateioFeed: String, CaseIterable, Hashable, Sendable {
    case book = "order_book_update"
    case trade = "trades"
    case ticker = "book_ticker"
    case candle = "candlesticks"
    /// Of futures: mark prices and the state. Of spot it is only read.
    case tickers
    /// Of futures alone.
    case liquidations = "public_liquidates"

    /// What it brings.
    var channels: ChannelSet {
        switch self {
        case .book: .book
        case .trade: .trade
        case .ticker: .ticker
        case .candle: .candle
        case .tickers: [.mark, .derivative]
        case .liquidations: .liquidation
        }
    }

    /// Whether a message may name several symbols; of the others its payload is about one.
    var takesMany: Bool { self != .book && self != .candle }

    /// What a subscription to these symbols, which hold no quotes, has as its payload.
    func payload(_ symbols: [String], _ market: GateioMarket) -> String {
        switch self {
        case .book:
            // As deep as the channel goes at this pace.
            "[\"\(symbols[0])\",\"100ms\"\(market == .futures ? ",\"\(GateioSession.depth)\"" : "")]"
        case .candle: "[\"1m\",\"\(symbols[0])\"]"
        default: "[" + symbols.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        }
    }
}

/// A channel of one instrument.
struct GateioTopic: Hashable, Sendable {
    var feed: GateioFeed
    var index: InstrumentIndex
}

/// A message that was sent and waits for its answer.
struct GateioRequest: Sendable {
    var feed: GateioFeed
    var indices: [InstrumentIndex]
}
