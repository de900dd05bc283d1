import Instruments
import MarketData

/// A trade of either interface.
struct CoinbaseTrade {
    private(set) var product: JSONText?
    let id: String
    /// What the taker did.
    let side: Side
    let price: DecimalNumber
    let size: DecimalNumber
    let venueTime: Timestamp

    /// Reads a `match` of the Exchange's, an element of its trades, or one of Advanced Trade's.
    ///
    /// All of them name the maker's side, the Exchange `buy` or `sell`, Advanced Trade `BUY` or `SELL`.
    ///
    /// Sources: Coinbase Developer Documentation, "Exchange WebSocket channels", "Match" (as in bbgo #2148).
    /// Of Advanced Trade no page says it. An answer of 2026-04-07, in the test data of nautilus_trader, has
    /// sales at 68923.67 where that is the best ask: takers bought. Other clients take the word for the
    /// taker's.
    init(_ scanner: inout JSONScanner) throws(ScanError) {
        var product: JSONText?
        var id: String?
        var side: Side?
        var price: DecimalNumber?
        var size: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "product_id") {
                product = try scanner.textIfAny()
            } else if scanner.equals(key, "trade_id") {
                let text = try scanner.scalarText()
                id = scanner.string(text)
            } else if scanner.equals(key, "side") {
                let text = try scanner.text()
                side = CoinbaseTrade.side(text, in: scanner)
            } else if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "size") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "time") {
                venueTime = try scanner.isoTime()
            } else {
                try scanner.skip()
            }
        }
        guard let id, !id.isEmpty, let side, let price, let size, let venueTime else { throw .malformed }
        self.product = product
        (self.id, self.side, self.price, self.size, self.venueTime) = (id, side, price, size, venueTime)
    }

    private static func side(_ text: JSONText, in scanner: JSONScanner) -> Side? {
        if scanner.equals(text, "sell") || scanner.equals(text, "SELL") { return .buy }
        if scanner.equals(text, "buy") || scanner.equals(text, "BUY") { return .sell }
        return nil
    }
}

/// A ticker of either interface.
struct CoinbaseTicker {
    var product: JSONText?
    var last: DecimalNumber?
    var bid: (price: DecimalNumber?, size: DecimalNumber?)
    var ask: (price: DecimalNumber?, size: DecimalNumber?)

    /// Reads the value of a key.
    ///
    /// - Returns: Whether it was one of these; otherwise the scanner has not moved.
    mutating func read(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "best_bid") {
            bid.price = try scanner.anyDecimal()
        } else if scanner.equals(key, "best_ask") {
            ask.price = try scanner.anyDecimal()
        } else if scanner.equals(key, "best_bid_size") || scanner.equals(key, "best_bid_quantity") {
            bid.size = try scanner.anyDecimal()
        } else if scanner.equals(key, "best_ask_size") || scanner.equals(key, "best_ask_quantity") {
            ask.size = try scanner.anyDecimal()
        } else if scanner.equals(key, "price") {
            last = try scanner.anyDecimal()
        } else if scanner.equals(key, "product_id") {
            product = try scanner.textIfAny()
        } else {
            return false
        }
        return true
    }
}

extension CoinbaseSession {
    /// Says a trade, unless it is a row without an execution.
    mutating func say(
        _ trade: CoinbaseTrade, of index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard output.accepts(trade.price, trade.size, of: index, id: trade.id) else { return }
        let (price, size) = try core.scale(trade.price, trade.size, index)
        let scales = core.scales(of: index)
        output.events.append(
            .trade(
                index,
                Trade(
                    id: trade.id, side: trade.side, price: price, size: size, priceScale: scales.price,
                    sizeScale: scales.size, venueTime: trade.venueTime, receivedTime: time,
                    isBackfill: isBackfill)))
    }

    /// Says a ticker; a price of 0 stands for a side without orders.
    mutating func say(
        _ ticker: CoinbaseTicker, of index: InstrumentIndex, _ envelope: CoinbaseEnvelope,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let bid = (ticker.bid.price?.units ?? 0) == 0 ? (nil, nil) : ticker.bid
        let ask = (ticker.ask.price?.units ?? 0) == 0 ? (nil, nil) : ticker.ask
        let said = try core.ticker(
            bid: bid, ask: ask, last: ticker.last, index, venueTime: envelope.venueTime,
            at: envelope.receivedTime)
        output.events.append(.ticker(index, said))
    }
}
