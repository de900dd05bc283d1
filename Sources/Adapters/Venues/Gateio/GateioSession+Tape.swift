import Instruments
import MarketData

/// A public execution as the socket and REST tell it.
struct GateioTrade {
    var id: String
    var side: Side
    var price: DecimalNumber
    var size: DecimalNumber
    var venueTime: Timestamp

    /// Reads the fields of a trade: those of spot are `id, create_time_ms, side, amount, price`.
    ///
    /// Those of futures are `id, create_time_ms, size, price`, where a size below zero is a taker's sale.
    /// Once only `create_time` was there, in seconds.
    static func read(_ scanner: inout JSONScanner) throws(ScanError) -> GateioTrade {
        var id: String?
        var side: Side?
        var (price, size): (DecimalNumber?, DecimalNumber?)
        var (seconds, venueTime): (Timestamp?, Timestamp?)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "id") {
                id = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "create_time") {
                seconds = try scanner.gateioTime()
            } else if scanner.equals(key, "create_time_ms") {
                venueTime = try scanner.gateioTime()
            } else if scanner.equals(key, "side") {
                let text = try scanner.text()
                side = scanner.equals(text, "buy") ? .buy : scanner.equals(text, "sell") ? .sell : nil
            } else if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "amount") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "size") {
                let number = try scanner.rawDecimal()
                guard number.units != .min else { throw .overflow }
                side = number.units < 0 ? .sell : .buy
                size = DecimalNumber(units: abs(number.units), scale: number.scale)
            } else {
                try scanner.skip()
            }
        }
        guard let id, !id.isEmpty, let side, let price, let size, let time = venueTime ?? seconds else {
            throw .malformed
        }
        return GateioTrade(id: id, side: side, price: price, size: size, venueTime: time)
    }
}

extension GateioSession {
    mutating func readTrade(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let keys: [StaticString] = ["currency_pair", "contract"]
        guard let index = try instrument(&scanner, .trade, keys, into: &output) else { return }
        try say(try GateioTrade.read(&scanner), of: index, isBackfill: false, at: time, into: &output)
    }

    /// Says a trade, unless it is no execution.
    mutating func say(
        _ trade: GateioTrade, of index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
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

    /// `book_ticker`: `t, u, s, b, B, a, A`; `tickers` of spot: `last, lowest_ask, highest_bid`, of futures
    /// `mark_price`; an empty side is an empty text.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ envelope: GateioEnvelope, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let keys: [StaticString] = ["s", "currency_pair", "contract"]
        let channels = GateioFeed.tickers.channels.union(.ticker)
        guard let index = try instrument(&scanner, channels, keys, into: &output) else { return }
        var quote = GateioQuote(state: DerivativeTicker(receivedTime: time))
        try scanner.object { scanner, key throws(ScanError) in
            try quote.read(&scanner, key)
        }
        if core.wants(.ticker, index), quote.bid.price != nil || quote.ask.price != nil {
            var ticker = try core.ticker(
                bid: quote.bid, ask: quote.ask, last: quote.last, index,
                venueTime: quote.venueTime ?? envelope.seconds, at: time)
            ticker.updateID = quote.updateID
            output.events.append(.ticker(index, ticker))
        }
        let venueTime = envelope.milliseconds ?? envelope.seconds
        if let mark = quote.mark?.normalized, mark.units > 0, let venueTime {
            quote.state.markPrice = mark
            if core.wants(.mark, index) {
                output.events.append(
                    .mark(index, MarkPrice(price: mark, venueTime: venueTime, receivedTime: time)))
            }
        }
        quote.state.venueTime = venueTime
        core.say(quote.state, of: index, into: &output)
    }
}

/// The numbers of `book_ticker` and `tickers` as they are met.
private struct GateioQuote {
    var bid: (price: DecimalNumber?, size: DecimalNumber?)
    var ask: (price: DecimalNumber?, size: DecimalNumber?)
    var last: DecimalNumber?
    var mark: DecimalNumber?
    /// But for the mark price.
    var state: DerivativeTicker
    var venueTime: Timestamp?
    var updateID: Int64?

    mutating func read(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) {
        switch scanner.single(key) {
        case 0x62: bid.price = try scanner.anyDecimal()  // b
        case 0x42: bid.size = try scanner.anyDecimal()  // B
        case 0x61: ask.price = try scanner.anyDecimal()  // a
        case 0x41: ask.size = try scanner.anyDecimal()  // A
        case 0x74: venueTime = try scanner.gateioTime()  // t
        case 0x75: updateID = try scanner.integer()  // u
        default:
            if scanner.equals(key, "highest_bid") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "lowest_ask") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "last") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "mark_price") {
                mark = try scanner.anyDecimal()
            } else if try !state.readGateio(&scanner, key) {
                try scanner.skip()
            }
        }
    }
}
