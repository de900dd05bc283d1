import Instruments
import MarketData

/// A row of `trade.detail`, as it was read.
struct HuobiTrade {
    var id: String
    var side: Side
    var price: DecimalNumber
    var size: DecimalNumber
    var venueTime: Timestamp
}

extension HuobiSession {
    /// `data` of a message or of a group of an answer.
    mutating func readTrades(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [HuobiTrade] = []
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "data") else { return try scanner.skip() }
            try scanner.array { scanner throws(ScanError) in trades.append(try readTrade(&scanner)) }
        }
        say(trades, of: index, isBackfill: isBackfill, at: time, into: &output)
    }

    /// `tradeId` (`trade-id` by REST), `ts, price, amount, direction`; older messages have only an `id`, of
    /// up to 27 digits, which no integer holds.
    func readTrade(_ scanner: inout JSONScanner) throws(ScanError) -> HuobiTrade {
        var tradeID: String?
        var rowID: String?
        var side: Side?
        var price: DecimalNumber?
        var size: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "tradeId") || scanner.equals(key, "trade-id") {
                tradeID = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "id") {
                rowID = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "direction") {
                let text = try scanner.text()
                side = scanner.equals(text, "buy") ? .buy : scanner.equals(text, "sell") ? .sell : nil
            } else if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "amount") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "ts") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        guard let id = tradeID ?? rowID, !id.isEmpty, let side, let price, let size, let venueTime else {
            throw .malformed
        }
        return HuobiTrade(id: id, side: side, price: price, size: size, venueTime: venueTime)
    }

    mutating func say(
        _ trades: [HuobiTrade], of index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        for row in trades {
            // Before the scales, which such a row must not make finer.
            guard output.accepts(row.price, row.size, of: index, id: row.id) else { continue }
            var trade = core.trade(row.id, row.side, row.price, row.size, index)
            (trade.venueTime, trade.receivedTime, trade.isBackfill) = (row.venueTime, time, isBackfill)
            output.events.append(.trade(index, trade))
        }
    }

    /// `bbo`: `bid, bidSize, ask, askSize, quoteTime`; `ticker` has `lastPrice` besides.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, _ stamp: Stamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var last: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bid") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bidSize") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "ask") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "askSize") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "lastPrice") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "quoteTime") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        for size in [bid.size, ask.size].compactMap(\.self) {
            // Grows the scale if it can; what it cannot hold is cut, as in the book.
            _ = try? core.units(size, .size, index)
        }
        (bid.size, ask.size) = (core.fitting(bid.size, index), core.fitting(ask.size, index))
        let ticker = try core.ticker(
            bid: bid, ask: ask, last: last, index, venueTime: venueTime ?? stamp.venue, at: stamp.received)
        output.events.append(.ticker(index, ticker))
    }

    /// `kline`: `id` (the start in seconds), `open, close, high, low, amount, count`; it never says that a
    /// candle is over.
    mutating func readCandle(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, _ interval: Substring, _ stamp: Stamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let length = HuobiTopic.length(of: interval) else {
            output.counters.unexpected &+= 1
            return
        }
        var start: Timestamp?
        var prices: (open: DecimalNumber?, high: DecimalNumber?, low: DecimalNumber?, close: DecimalNumber?)
        var volume: DecimalNumber?
        var count: Int64 = 0
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "id") {
                start = Timestamp(wholeSeconds: try scanner.integer())
            } else if scanner.equals(key, "open") {
                prices.open = try scanner.anyDecimal()
            } else if scanner.equals(key, "high") {
                prices.high = try scanner.anyDecimal()
            } else if scanner.equals(key, "low") {
                prices.low = try scanner.anyDecimal()
            } else if scanner.equals(key, "close") {
                prices.close = try scanner.anyDecimal()
            } else if scanner.equals(key, "amount") {
                volume = try scanner.anyDecimal()
            } else if scanner.equals(key, "count") {
                count = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        guard let start, let volume, count >= 0 else { throw .malformed }
        let candle = try core.candle(
            RawCandle(
                start: start, seconds: length.seconds, interval: length.name, open: prices.open,
                high: prices.high, low: prices.low, close: prices.close, volume: volume,
                count: UInt64(count), isClosed: false),
            index, venueTime: stamp.venue, at: stamp.received)
        output.events.append(.candle(index, candle))
    }
}
