import Instruments
import MarketData

/// A public execution as the socket and REST tell it.
struct KrakenFuturesTrade {
    var id: String
    var side: Side
    var price: DecimalNumber
    var size: DecimalNumber
    var venueTime: Timestamp
    /// Whether it ended a position of its taker.
    var isLiquidation = false
}

extension KrakenFuturesSession {
    /// `trade`, and `trade_snapshot` with the hundred newest under `trades`, newest first.
    mutating func readTrades(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        var list: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "trades") { list = scanner.index }
            try scanner.skip()
        }
        guard let list else {
            scanner.index = body
            let trade = try KrakenFuturesTrade.read(&scanner)
            return try say([trade], of: index, isBackfill: false, at: time, into: &output)
        }
        scanner.index = list
        var trades: [KrakenFuturesTrade] = []
        try scanner.array { scanner throws(ScanError) in
            trades.append(try KrakenFuturesTrade.read(&scanner))
        }
        try say(trades, of: index, isBackfill: true, at: time, into: &output)
    }

    /// Says trades in their order, but for rows that are no executions.
    mutating func say(
        _ trades: [KrakenFuturesTrade], of index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        for trade in trades {
            // The snapshot tells again what a connection before it has told.
            if trade.isLiquidation, !isBackfill {
                core.say(
                    Liquidation(
                        id: trade.id, side: trade.side, price: trade.price.normalized,
                        size: trade.size.normalized, venueTime: trade.venueTime, receivedTime: time),
                    of: index, into: &output)
            }
            guard core.wants(.trade, index) else { continue }
            guard output.accepts(trade.price, trade.size, of: index, id: trade.id) else { continue }
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
    }

    /// `ticker`: `bid, bid_size, ask, ask_size, last, markPrice, time`; `ticker_lite`: `bid` and `ask` alone.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var (last, mark): (DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        var said = DerivativeTicker(receivedTime: time)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bid") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "ask") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bid_size") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "ask_size") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "last") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "markPrice") {
                mark = try scanner.anyDecimal()
            } else if scanner.equals(key, "time"), try scanner.peek() != 0x6E {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if try !said.readKraken(&scanner, key) {
                try scanner.skip()
            }
        }
        if core.wants(.ticker, index) {
            let ticker = try core.ticker(
                bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)
            output.events.append(.ticker(index, ticker))
        }
        if core.wants(.mark, index), let mark = mark?.normalized, mark.units > 0, let venueTime {
            output.events.append(
                .mark(index, MarkPrice(price: mark, venueTime: venueTime, receivedTime: time)))
        }
        if let mark = mark?.normalized, mark.units > 0 { said.markPrice = mark }
        if said.openInterest != nil { said.openInterestUnit = .contracts }
        said.venueTime = venueTime
        core.say(said, of: index, into: &output)
    }
}

extension KrakenFuturesTrade {
    /// `uid, side, time, qty, price` on the socket; by REST `size` for the quantity and the time as text.
    static func read(_ scanner: inout JSONScanner) throws(ScanError) -> KrakenFuturesTrade {
        var id: String?
        var side: Side?
        var (price, size): (DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        var isLiquidation = false
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "uid") {
                id = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "side") {
                let text = try scanner.text()
                side = scanner.equals(text, "buy") ? .buy : scanner.equals(text, "sell") ? .sell : nil
            } else if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "qty") || scanner.equals(key, "size") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "type") {
                let type = try scanner.scalarText()
                isLiquidation = scanner.equals(type, "liquidation")
            } else if scanner.equals(key, "time") {
                if try scanner.peek() == 0x22 {
                    venueTime = Timestamp(iso8601: scanner.bytes(try scanner.text()))
                } else {
                    venueTime = Timestamp(milliseconds: try scanner.integer())
                }
            } else {
                try scanner.skip()
            }
        }
        guard let id, !id.isEmpty, let side, let price, let size, let venueTime else { throw .malformed }
        return KrakenFuturesTrade(
            id: id, side: side, price: price, size: size, venueTime: venueTime, isLiquidation: isLiquidation)
    }
}

extension DerivativeTicker {
    /// Reads `index, openInterest, relative_funding_rate, relative_funding_rate_prediction,
    /// next_funding_rate_time`; `funding_rate` is in another unit, what a contract pays.
    ///
    /// Source: Kraken, "Futures WebSocket, Ticker", read 2026-11. Open interest counts as sizes do.
    ///
    /// - Returns: Whether the key was one of these.
    fileprivate mutating func readKraken(
        _ scanner: inout JSONScanner, _ key: JSONText
    ) throws(ScanError) -> Bool {
        if scanner.equals(key, "index") {
            indexPrice = try scanner.priceFigure()
        } else if scanner.equals(key, "openInterest") {
            openInterest = try scanner.figure()
        } else if scanner.equals(key, "relative_funding_rate") {
            fundingRate = try scanner.figure()
        } else if scanner.equals(key, "relative_funding_rate_prediction") {
            predictedFundingRate = try scanner.figure()
        } else if scanner.equals(key, "next_funding_rate_time") {
            nextFundingTime = try scanner.moment()
        } else {
            return false
        }
        return true
    }
}
