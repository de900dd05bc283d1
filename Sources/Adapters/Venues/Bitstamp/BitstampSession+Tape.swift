import Instruments
import MarketData

extension BitstampSession {
    /// `data` of `live_trades_<pair>`: `id, price_str, amount_str, type, microtimestamp`.
    ///
    /// `type` is what the taker did, 0 to buy and 1 to sell. Prices and amounts come as numbers as well,
    /// which alone there were at first.
    mutating func readTrade(
        _ message: BitstampMessage, _ scanner: inout JSONScanner, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let symbol = message.symbol("live_trades_", in: scanner) else {
            output.counters.unexpected &+= 1
            return
        }
        let found = core.instrument(symbol)
        grow()
        guard let index = found, core.wants(.trade, index) else {
            output.counters.unexpected &+= 1
            return
        }
        guard let data = message.data else { throw .malformed }
        scanner.index = data
        let trade = try BitstampTrade(&scanner)
        guard output.accepts(trade.price, trade.size, of: index, id: trade.id) else { return }
        let (price, size) = try core.scale(trade.price, trade.size, index)
        let scales = core.scales(of: index)
        output.events.append(
            .trade(
                index,
                Trade(
                    id: trade.id, side: trade.side, price: price, size: size, priceScale: scales.price,
                    sizeScale: scales.size, venueTime: trade.venueTime, receivedTime: time)))
    }
}

/// A trade on the socket.
private struct BitstampTrade {
    let id: String
    let side: Side
    let price: DecimalNumber
    let size: DecimalNumber
    let venueTime: Timestamp

    init(_ scanner: inout JSONScanner) throws(ScanError) {
        var id: String?
        var side: Side?
        var (price, size): (DecimalNumber?, DecimalNumber?) = (nil, nil)
        var (barePrice, bareSize): (DecimalNumber?, DecimalNumber?) = (nil, nil)
        var micros: Int64?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "id") {
                let text = try scanner.scalarText()
                id = scanner.string(text)
            } else if scanner.equals(key, "type") {
                let type = try scanner.integer()
                side = type == 0 ? .buy : type == 1 ? .sell : nil
            } else if scanner.equals(key, "price_str") {
                price = try scanner.anyDecimal()
            } else if scanner.equals(key, "amount_str") {
                size = try scanner.anyDecimal()
            } else if scanner.equals(key, "price") {
                barePrice = try scanner.anyDecimal()
            } else if scanner.equals(key, "amount") {
                bareSize = try scanner.anyDecimal()
            } else if scanner.equals(key, "microtimestamp") {
                micros = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        guard let id, !id.isEmpty, let side, let price = price ?? barePrice, let size = size ?? bareSize,
            let micros, let venueTime = Timestamp(bitstamp: micros)
        else { throw .malformed }
        (self.id, self.side, self.price, self.size, self.venueTime) = (id, side, price, size, venueTime)
    }
}
