/// What a notification is about, by its channel.
struct DeribitChannel {
    enum Kind: Hashable {
        /// `book.BTC-PERPETUAL.100ms` with changes, `book.BTC-PERPETUAL.none.20.100ms` with whole images.
        case book
        /// `trades.BTC-PERPETUAL.100ms`, or of a kind and a currency, `trades.future.BTC.100ms`.
        case trades
        /// `ticker.BTC-PERPETUAL.100ms`.
        case ticker
        /// `chart.trades.BTC-PERPETUAL.1`.
        case candle
    }

    var kind: Kind
    /// Where the symbol lies; of trades each row has its own.
    var symbol: JSONText
    /// How often and how deep, the words behind the symbol.
    var interval: JSONText

    /// Reads a channel; `nil` for one that is not read.
    init?(_ text: JSONText, in scanner: JSONScanner) {
        let bytes = scanner.bytes(text)
        func part(_ start: Int, _ end: Int) -> JSONText {
            JSONText(start: text.start + start, count: end - start, hasEscapes: text.hasEscapes)
        }
        func dot(from start: Int) -> Int? { bytes[start...].firstIndex(of: 0x2E) }
        guard var first = dot(from: 0) else { return nil }
        let name = part(0, first)
        if scanner.equals(name, "book") {
            kind = .book
        } else if scanner.equals(name, "trades") {
            kind = .trades
        } else if scanner.equals(name, "ticker") {
            kind = .ticker
        } else if scanner.equals(name, "chart"), let second = dot(from: first + 1) {
            kind = .candle
            first = second
        } else {
            return nil
        }
        guard let end = dot(from: first + 1), end + 1 < bytes.count else { return nil }
        symbol = part(first + 1, end)
        interval = part(end + 1, bytes.count)
    }
}
