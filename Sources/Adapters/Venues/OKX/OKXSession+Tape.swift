import Instruments
import MarketData

/// A trade as a row says it, of v5, v3 or REST.
struct OKXTradeRow {
    var id = ""
    var side: Side?
    var price: DecimalNumber?
    var size: DecimalNumber?
    var venueTime: Timestamp?
}

extension OKXSession {
    /// v5 `tradeId, px, sz, side, ts`; v3 `trade_id, price, size` or `qty`, `side, timestamp`.
    mutating func readTrade(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        try say(
            try OKXSession.readTradeRow(&scanner), index, isBackfill: isBackfill, at: time, into: &output)
    }

    static func readTradeRow(_ scanner: inout JSONScanner) throws(ScanError) -> OKXTradeRow {
        var row = OKXTradeRow()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "tradeId") || scanner.equals(key, "trade_id") {
                row.id = scanner.string(try scanner.scalarText()) ?? ""
            } else if scanner.equals(key, "px") || scanner.equals(key, "price") {
                row.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "sz") || scanner.equals(key, "size") || scanner.equals(key, "qty") {
                row.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "ts") || scanner.equals(key, "timestamp") {
                row.venueTime = try scanner.venueTime()
            } else if scanner.equals(key, "side") {
                let side = try scanner.text()
                if scanner.equals(side, "buy") { row.side = .buy }
                if scanner.equals(side, "sell") { row.side = .sell }
            } else {
                try scanner.skip()
            }
        }
        return row
    }

    mutating func say(
        _ row: OKXTradeRow, _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let side = row.side, let price = row.price, let size = row.size, let venueTime = row.venueTime,
            !row.id.isEmpty
        else { throw .malformed }
        guard output.accepts(price, size, of: index, id: row.id) else { return }
        let (exactPrice, exactSize) = try core.scale(price, size, index)
        let scales = core.scales(of: index)
        output.events.append(
            .trade(
                index,
                Trade(
                    id: row.id, side: side, price: exactPrice, size: exactSize, priceScale: scales.price,
                    sizeScale: scales.size, venueTime: venueTime, receivedTime: time, isBackfill: isBackfill)
            ))
    }

    /// v5 `bidPx, bidSz, askPx, askSz, last, ts`; v3 `best_bid, best_bid_size, …, timestamp`.
    ///
    /// A side without orders has empty texts.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var last: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bidPx") || scanner.equals(key, "best_bid") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bidSz") || scanner.equals(key, "best_bid_size") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "askPx") || scanner.equals(key, "best_ask") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "askSz") || scanner.equals(key, "best_ask_size") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "last") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "ts") || scanner.equals(key, "timestamp") {
                venueTime = try scanner.venueTime()
            } else {
                try scanner.skip()
            }
        }
        let ticker = try core.ticker(
            bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)
        output.events.append(.ticker(index, ticker))
    }

    /// v5 `markPx, ts`; v3 `mark_price, timestamp`.
    mutating func readMark(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var price: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "markPx") || scanner.equals(key, "mark_price") {
                price = try scanner.anyDecimal()
            } else if scanner.equals(key, "ts") || scanner.equals(key, "timestamp") {
                venueTime = try scanner.venueTime()
            } else {
                try scanner.skip()
            }
        }
        guard let price = price?.normalized, price.units > 0, let venueTime else { throw .malformed }
        if core.wants(.mark, index) {
            output.events.append(
                .mark(index, MarkPrice(price: price, venueTime: venueTime, receivedTime: time)))
        }
        var said = DerivativeTicker(venueTime: venueTime, receivedTime: time)
        said.markPrice = price
        core.say(said, of: index, into: &output)
    }

    /// v5 `[ts, o, h, l, c, vol, volCcy(, volCcyQuote, confirm)]`; v3 `{"candle":[…],"instrument_id"}`.
    mutating func readCandle(
        _ scanner: inout JSONScanner, _ row: ReadCandle, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var row = row
        if try scanner.peek() == 0x7B {
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, "candle") else { return try scanner.skip() }
                try OKXSession.readCandleRow(&scanner, &row)
            }
        } else {
            try OKXSession.readCandleRow(&scanner, &row)
        }
        output.events.append(.candle(index, try core.candle(row, of: index, at: time)))
    }

    private static func readCandleRow(
        _ scanner: inout JSONScanner, _ row: inout ReadCandle
    ) throws(ScanError) {
        var start: Timestamp?
        var place = 0
        try scanner.array { scanner throws(ScanError) in
            switch place {
            case 0: start = try scanner.venueTime()
            case 1...4: row.prices.append(try scanner.rawDecimal())
            case 5: row.volume = try scanner.rawDecimal()
            case 8: row.isClosed = try scanner.integer() == 1
            default: try scanner.skip()
            }
            place += 1
        }
        guard let start else { throw .malformed }
        row.start = start
    }
}
