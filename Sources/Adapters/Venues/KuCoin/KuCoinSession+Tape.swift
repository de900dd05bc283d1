import Instruments
import MarketData

extension KuCoinSession {
    /// `{"tradeId","side","price","size","time"(ns),…}`; the side is the taker's.
    mutating func readMatch(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var id: String?
        var side: Side?
        var price: DecimalNumber?
        var size: DecimalNumber?
        var nanoseconds: Int64?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "tradeId") {
                let text = try scanner.scalarText()
                id = scanner.string(text)
            } else if scanner.equals(key, "side") {
                let text = try scanner.text()
                side = scanner.equals(text, "buy") ? .buy : scanner.equals(text, "sell") ? .sell : nil
            } else if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "size") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "time") {
                nanoseconds = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        guard let id, !id.isEmpty, let side, let price, let size, let nanoseconds else { throw .malformed }
        guard output.accepts(price, size, of: index, id: id) else { return }
        let (scaledPrice, scaledSize) = try core.scale(price, size, index)
        let scales = core.scales(of: index)
        output.events.append(
            .trade(
                index,
                Trade(
                    id: id, side: side, price: scaledPrice, size: scaledSize, priceScale: scales.price,
                    sizeScale: scales.size, venueTime: Timestamp(nanoseconds: nanoseconds),
                    receivedTime: time)))
    }

    /// `{"bestBid","bestBidSize","bestAsk","bestAskSize","price","time"(ms),…}`.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var last: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bestBid") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bestBidSize") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "bestAsk") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bestAskSize") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "price") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "time") || scanner.equals(key, "Time") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        let ticker = try core.ticker(bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)
        output.events.append(.ticker(index, ticker))
    }
}
