import Instruments

/// What a symbol is, as its form tells: `BTC-USDT`, `BTC-USDT-SWAP`, `BTC-USD-261225`,
/// `BTC-USD-261225-60000-C`.
enum OKXKind: String {
    case spot = "SPOT"
    case swap = "SWAP"
    case futures = "FUTURES"
    case option = "OPTION"

    init(symbol: String) {
        let parts = symbol.split(separator: "-")
        if parts.count == 5 {
            self = .option
        } else if parts.count == 3 {
            self = parts[2] == "SWAP" ? .swap : .futures
        } else {
            self = .spot
        }
    }

    var kind: InstrumentKind {
        switch self {
        case .spot: .spot
        case .swap: .perpetual
        case .futures: .future
        case .option: .option
        }
    }

    /// The pair that a symbol begins with.
    static func family(_ symbol: String) -> String {
        symbol.split(separator: "-").prefix(2).joined(separator: "-")
    }
}

/// The topics that are read.
enum OKXTopic {
    case book(BookChannel)
    case trade, ticker, mark
    case funding, openInterest, indexPrice, liquidation
    /// Of an interval and its length in seconds.
    case candle(String, Int64)

    /// Of v5, then of v3.
    private static let books: [(name: String, depth: Int, sendsWholes: Bool)] = [
        ("books", 400, false), ("books-l2-tbt", 400, false), ("books50-l2-tbt", 50, false),
        ("books-elp", 400, false), ("books5", 5, true),
        ("depth", 200, false), ("depth_l2_tbt", 400, false), ("depth5", 5, true),
    ]

    /// By the channel of v5, or the table of v3.
    init?(_ message: ArgMessage, in scanner: borrowing JSONScanner) {
        guard let name = scanner.string(message.channel.count > 0 ? message.channel : message.table) else {
            return nil
        }
        // v3 says which product before the channel: `swap/depth_l2_tbt`.
        let channel = name.split(separator: "/").last.map(String.init) ?? ""
        switch channel {
        case "trades", "trades-all", "trade": self = .trade
        case "tickers", "ticker": self = .ticker
        case "mark-price", "mark_price": self = .mark
        case "funding-rate": self = .funding
        case "open-interest": self = .openInterest
        case "index-tickers": self = .indexPrice
        case "liquidation-orders": self = .liquidation
        default:
            if let stream = BookChannel(channel, of: OKXTopic.books) {
                self = .book(stream)
                return
            }
            guard channel.hasPrefix("candle") else { return nil }
            let interval = String(channel.dropFirst(6))
            guard let seconds = ReadCandle.seconds(of: interval) else { return nil }
            // v3 counts in seconds.
            self = .candle(interval == "60s" ? "1m" : interval, seconds)
        }
    }

    /// What is subscribed to.
    var channel: ChannelSet {
        switch self {
        case .book: .book
        case .trade: .trade
        case .ticker: .ticker
        case .mark: .mark
        case .candle: .candle
        case .funding: .okxFunding
        case .openInterest: .okxOpenInterest
        case .indexPrice: .okxIndexPrice
        case .liquidation: .liquidation
        }
    }

    /// Which of our channels it serves.
    var channels: ChannelSet {
        switch self {
        case .mark: [.mark, .derivative]
        case .funding, .openInterest, .indexPrice: .derivative
        default: channel
        }
    }
}
