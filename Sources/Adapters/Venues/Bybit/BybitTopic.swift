/// What a message is about, by its topic.
struct BybitTopic {
    enum Kind: Hashable {
        /// A book of V5, `orderbook.200.BTCUSDT`.
        case book
        /// A book of V2, `orderBookL2_25.BTCUSD` or `orderBook_200.100ms.BTCUSD`.
        case oldBook
        /// `publicTrade.BTCUSDT`, in V2 `trade.BTCUSD`.
        case trades
        /// `tickers.BTCUSDT`.
        case ticker
        /// `kline.1.BTCUSDT`.
        case candle
        /// `allLiquidation.BTCUSDT`.
        case liquidation
    }

    var kind: Kind
    /// Levels a side; 0 for what is no book.
    var depth = 0
    /// Where the symbol lies.
    var symbol: JSONText

    /// Reads a topic; `nil` for one that is not read.
    init?(_ text: JSONText, in scanner: JSONScanner) {
        let bytes = scanner.bytes(text)
        guard let first = bytes.firstIndex(of: 0x2E), let last = bytes.lastIndex(of: 0x2E),
            last + 1 < bytes.count
        else { return nil }
        symbol = JSONText(
            start: text.start + last + 1, count: text.count - last - 1, hasEscapes: text.hasEscapes)
        let name = JSONText(start: text.start, count: first, hasEscapes: false)
        if scanner.equals(name, "orderbook"), first < last {
            kind = .book
            depth = BybitTopic.number(bytes[(first + 1)..<last])
            // Books of another making, such as `orderbook.rpi.BTCUSDT`, have a word there.
            guard depth > 0 else { return nil }
        } else if scanner.equals(name, "publicTrade") || scanner.equals(name, "trade") {
            kind = .trades
        } else if scanner.equals(name, "tickers") {
            kind = .ticker
        } else if scanner.equals(name, "kline") {
            kind = .candle
        } else if scanner.equals(name, "allLiquidation") {
            kind = .liquidation
        } else if scanner.equals(name, "orderBookL2_25") || scanner.equals(name, "orderBook_200") {
            kind = .oldBook
            depth = scanner.equals(name, "orderBook_200") ? 200 : 25
        } else {
            return nil
        }
    }

    /// The digits as a number; 0 where there is anything else.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int {
        guard digits.count <= 6 else { return 0 }
        var number = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return 0 }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }
}
