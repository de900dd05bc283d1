import Instruments
import MarketData

extension DeribitSession {
    /// Rows of `trades`: `trade_id, timestamp, price, amount, direction, instrument_name`.
    ///
    /// Amounts of inverse contracts are US dollars, all others units of the base asset.
    mutating func readTrades(
        _ scanner: inout JSONScanner, isBackfill: Bool, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var symbol: JSONText?
            var side: Side?
            var (price, size): (DecimalNumber?, DecimalNumber?)
            var id: String?
            var venueTime: Timestamp?
            var ended: DeribitLiquidation?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "instrument_name") {
                    symbol = try scanner.text()
                } else if scanner.equals(key, "direction") {
                    let text = try scanner.text()
                    side = scanner.equals(text, "buy") ? .buy : scanner.equals(text, "sell") ? .sell : nil
                } else if scanner.equals(key, "price") {
                    price = try scanner.rawDecimal()
                } else if scanner.equals(key, "amount") {
                    size = try scanner.rawDecimal()
                } else if scanner.equals(key, "trade_id") {
                    id = scanner.string(try scanner.scalarText())
                } else if scanner.equals(key, "timestamp") {
                    venueTime = Timestamp(milliseconds: try scanner.integer())
                } else if scanner.equals(key, "liquidation") {
                    ended = DeribitLiquidation(rawValue: scanner.string(try scanner.scalarText()) ?? "")
                } else {
                    try scanner.skip()
                }
            }
            guard let symbol, let side, let price, let size, let id, !id.isEmpty, let venueTime else {
                throw .malformed
            }
            guard let index = instrument(scanner.bytes(symbol)),
                core.wantsAny(of: DeribitSession.taping, index)
            else {
                output.counters.unexpected &+= 1
                return
            }
            // What was missed is fetched for the tape alone.
            if let ended, !isBackfill {
                for order in ended.sides(taker: side) {
                    core.say(
                        Liquidation(
                            id: id, side: order, price: price, size: size, venueTime: venueTime,
                            receivedTime: time),
                        of: index, into: &output)
                }
            }
            guard core.wants(.trade, index) else { return }
            // Before the scales, which a row without an execution must not make finer.
            guard output.accepts(price, size, of: index, id: id) else { return }
            let (scaledPrice, scaledSize) = try core.scale(price, size, index)
            let scales = core.scales(of: index)
            output.events.append(
                .trade(
                    index,
                    Trade(
                        id: id, side: side, price: scaledPrice, size: scaledSize, priceScale: scales.price,
                        sizeScale: scales.size, venueTime: venueTime, receivedTime: time,
                        isBackfill: isBackfill)))
        }
    }

    /// `data` of `ticker`: `timestamp, best_bid_price, best_bid_amount, best_ask_price, best_ask_amount,
    /// last_price, mark_price`, each of which may be null; a side without an order has a price of 0.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ channel: DeribitChannel, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: channel, in: scanner, for: DeribitSession.quoting, into: &output)
        else { return }
        var said = DerivativeTicker(receivedTime: time)
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var (last, mark): (DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "best_bid_price") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "best_bid_amount") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "best_ask_price") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "best_ask_amount") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "last_price") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "mark_price") {
                mark = try scanner.anyDecimal()
            } else if scanner.equals(key, "timestamp") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if try !said.readDeribit(&scanner, key) {
                try scanner.skip()
            }
        }
        guard let venueTime else { throw .malformed }
        if core.wants(.ticker, index) {
            let ticker = try core.ticker(
                bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)
            output.events.append(.ticker(index, ticker))
        }
        if let mark = mark?.normalized, mark.units > 0 {
            said.markPrice = mark
            if core.wants(.mark, index) {
                output.events.append(
                    .mark(index, MarkPrice(price: mark, venueTime: venueTime, receivedTime: time)))
            }
        }
        said.venueTime = venueTime
        say(said, of: index, into: &output)
    }

    /// `data` of `chart.trades`: `tick, open, high, low, close, volume, cost`; the candle of now, again and
    /// again.
    ///
    /// Volumes are in the base asset and have more places than sizes: they do not touch the book's scales.
    mutating func readCandle(
        _ scanner: inout JSONScanner, _ channel: DeribitChannel, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: channel, in: scanner, for: .candle, into: &output) else { return }
        var start: Timestamp?
        var prices: [DecimalNumber?] = [nil, nil, nil, nil]
        var volume: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "tick") {
                start = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "open") {
                prices[0] = try scanner.anyDecimal()
            } else if scanner.equals(key, "high") {
                prices[1] = try scanner.anyDecimal()
            } else if scanner.equals(key, "low") {
                prices[2] = try scanner.anyDecimal()
            } else if scanner.equals(key, "close") {
                prices[3] = try scanner.anyDecimal()
            } else if scanner.equals(key, "volume") {
                volume = try scanner.anyDecimal()
            } else {
                try scanner.skip()
            }
        }
        let known = prices.compactMap { $0?.normalized }
        guard let start, known.count == 4, let volume = volume?.normalized, volume.units >= 0,
            let scale = known.map(\.scale).max(), let interval = scanner.string(channel.interval)
        else { throw .malformed }
        let units = try known.map { number throws(ScanError) in try number.units(at: scale) }
        // The venue counts no trades, says no end and never that a candle is final.
        let length: Int64 = interval == "1D" ? 86_400 : (Int64(interval) ?? 1) &* 60
        output.events.append(
            .candle(
                index,
                VenueCandle(
                    interval: interval, start: start,
                    stop: start.adding(nanoseconds: length &* 1_000_000_000 &- 1_000_000),
                    open: Price(units[0]), high: Price(units[1]), low: Price(units[2]),
                    close: Price(units[3]), volume: Quantity(volume.units), tradeCount: 0, isClosed: false,
                    priceScale: scale, sizeScale: volume.scale, venueTime: start, receivedTime: time)))
    }
}

extension DecimalNumber {
    /// The units at a scale that is fine enough.
    fileprivate func units(at scale: Scale) throws(ScanError) -> Int64 {
        do throws(DecimalError) {
            return try rescaled(to: scale).units
        } catch {
            throw .overflow
        }
    }
}
