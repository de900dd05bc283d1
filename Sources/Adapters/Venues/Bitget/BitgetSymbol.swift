import Instruments

/// A symbol of Bitget's, of which spot and futures have the same: the product, a colon, and the symbol, as
/// `SPOT:BTCUSDT` and `USDT-FUTURES:BTCUSDT`; of v1 `sp:BTCUSDT` and `mc:BTCUSDT`.
struct BitgetSymbol {
    /// The venue's `instType`.
    let product: String
    /// The venue's `instId`.
    let id: String

    static let spot = "SPOT"
    /// The products of futures.
    static let futures = ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"]

    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        // What has no product is looked for among spot.
        product = parts.count == 2 ? parts[0] : BitgetSymbol.spot
        id = parts.count == 2 ? parts[1] : text
    }

    init(product: String, id: String) { (self.product, self.id) = (product, id) }

    var text: String { "\(product):\(id)" }

    var isSpot: Bool { product == BitgetSymbol.spot || product == "sp" }

    /// The path of the product's market data.
    var route: String { isSpot ? "/api/v2/spot/market/" : "/api/v2/mix/market/" }

    /// The parameters that name it.
    var query: String {
        let symbol = "symbol=\(URLText.escape(id))"
        return isSpot ? symbol : "\(symbol)&productType=\(URLText.escape(product))"
    }
}

/// The topics that are read.
enum BitgetTopic {
    case book(BookChannel)
    case trade, ticker
    /// Of an interval and its length in seconds.
    case candle(String, Int64)

    private static let books: [(name: String, depth: Int, sendsWholes: Bool)] = [
        ("books", 500, false), ("books1", 1, true), ("books5", 5, true), ("books15", 15, true),
    ]

    init?(_ message: ArgMessage, in scanner: borrowing JSONScanner) {
        guard let channel = scanner.string(message.channel) else { return nil }
        switch channel {
        case "trade": self = .trade
        case "ticker": self = .ticker
        default:
            if let stream = BookChannel(channel, of: BitgetTopic.books) {
                self = .book(stream)
                return
            }
            let interval = String(channel.dropFirst(6))
            guard channel.hasPrefix("candle"), let seconds = ReadCandle.seconds(of: interval) else {
                return nil
            }
            self = .candle(interval, seconds)
        }
    }

    /// The channel that is subscribed to; mark prices come with the ticker.
    var channel: ChannelSet {
        switch self {
        case .book: .book
        case .trade: .trade
        case .ticker: .ticker
        case .candle: .candle
        }
    }
}
