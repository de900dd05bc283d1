import Instruments
import MarketData

/// A public execution as the socket and REST tell it.
struct PoloniexTrade {
    var id: String
    var side: Side
    var price: DecimalNumber
    var size: DecimalNumber
    var venueTime: Timestamp

    /// `id, takerSide, price, quantity, ts`; `amount` is their product.
    static func read(_ scanner: inout JSONScanner) throws(ScanError) -> PoloniexTrade {
        var id: String?
        var side: Side?
        var (price, size): (DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "id") {
                id = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "takerSide") {
                // In small letters on the socket, in capitals by REST.
                switch scanner.string(try scanner.text())?.lowercased() {
                case "buy": side = .buy
                case "sell": side = .sell
                default: side = nil
                }
            } else if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "quantity") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "ts") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        guard let id, !id.isEmpty, let side, let price, let size, let venueTime else { throw .malformed }
        return PoloniexTrade(id: id, side: side, price: price, size: size, venueTime: venueTime)
    }
}

extension PoloniexSession {
    mutating func readTrade(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        try say(try PoloniexTrade.read(&scanner), of: index, isBackfill: false, at: time, into: &output)
    }

    /// Says a trade, unless it is no execution.
    mutating func say(
        _ trade: PoloniexTrade, of index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
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

    /// `ticker`: `close` is the newest price; the venue gives no best bid and ask there, but for those who
    /// have them `bid, bidQuantity, ask, askQuantity` as by REST.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var last: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bid") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bidQuantity") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "ask") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "askQuantity") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "close") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "ts"), try scanner.peek() != 0x6E {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        let ticker = try core.ticker(bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)
        output.events.append(.ticker(index, ticker))
    }
}
