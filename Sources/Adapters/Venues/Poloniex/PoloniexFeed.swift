/// The channels of the venue that are subscribed to, and which of ours each serves.
enum PoloniexFeed: String, CaseIterable, Hashable, Sendable {
    case book = "book_lv2"
    case trade = "trades"
    case ticker
    case candle = "candles_minute_1"

    var channel: ChannelSet {
        switch self {
        case .book: .book
        case .trade: .trade
        case .ticker: .ticker
        case .candle: .candle
        }
    }

    /// A message about some symbols, which hold no quotes.
    func text(_ event: String, _ symbols: [String]) -> String {
        let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"event\":\"\(event)\",\"channel\":[\"\(rawValue)\"],\"symbols\":[\(list)]}"
    }
}

/// A channel of one instrument.
struct PoloniexTopic: Hashable, Sendable {
    var feed: PoloniexFeed
    var index: InstrumentIndex
}
