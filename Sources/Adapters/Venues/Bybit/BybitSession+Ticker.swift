import Instruments
import MarketData

/// What a ticker has said of one instrument.
struct BybitQuote: Sendable {
    var bid: (price: DecimalNumber?, size: DecimalNumber?)
    var ask: (price: DecimalNumber?, size: DecimalNumber?)
    var last: DecimalNumber?
}

extension BybitSession {
    /// `data` of `tickers`: `bid1Price, bid1Size, ask1Price, ask1Size, lastPrice, markPrice`; in a `delta`
    /// what is not there has not changed.
    ///
    /// Spot has neither bid nor ask, and no mark price.
    /// Source: Bybit, "V5 API, WebSocket public stream, Ticker"; not confirmed.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ message: BybitMessage, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: message, in: scanner, for: BybitSession.quoting, into: &output)
        else { return }
        let known = message.isSnapshot ? BybitQuote() : extras[index.offset].quote
        // A change of what nobody has said says nothing of the rest.
        guard var quote = known else { return try scanner.skip() }
        var mark: DecimalNumber?
        var said = DerivativeTicker(venueTime: message.venueTime, receivedTime: time)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bid1Price") {
                quote.bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bid1Size") {
                quote.bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "ask1Price") {
                quote.ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "ask1Size") {
                quote.ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "lastPrice") {
                quote.last = try scanner.anyDecimal()
            } else if scanner.equals(key, "markPrice") {
                mark = try scanner.anyDecimal()
            } else if try !said.readBybit(&scanner, key) {
                try scanner.skip()
            }
        }
        extras[index.offset].quote = quote
        if core.wants(.ticker, index) {
            let ticker = try core.ticker(
                bid: quote.bid, ask: quote.ask, last: quote.last, index, venueTime: message.venueTime,
                at: time)
            output.events.append(.ticker(index, ticker))
        }
        if let mark = mark?.normalized, mark.units > 0 {
            said.markPrice = mark
            if core.wants(.mark, index) {
                output.events.append(
                    .mark(
                        index,
                        MarkPrice(price: mark, venueTime: message.venueTime ?? time, receivedTime: time)))
            }
        }
        guard let unit = openInterestUnit(on: message.connection) else { return }
        if said.openInterest != nil { said.openInterestUnit = unit }
        core.say(said, of: index, into: &output)
    }

    /// Rows of `kline`: `start, end, interval, open, close, high, low, volume, confirm, timestamp`.
    ///
    /// The venue counts no trades. The volume of inverse contracts is in US dollars, as their sizes are.
    mutating func readCandles(
        _ scanner: inout JSONScanner, _ message: BybitMessage, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: message, in: scanner, for: .candle, into: &output) else { return }
        let (body, events) = (scanner.index, output.events.count)
        try atFinalScale(index) { session throws(ScanError) in
            output.events.removeLast(output.events.count - events)
            scanner.index = body
            try scanner.array { scanner throws(ScanError) in
                let candle = try session.readCandle(&scanner, index, at: time)
                output.events.append(.candle(index, candle))
            }
        }
    }

    private func readCandle(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp
    ) throws(ScanError) -> VenueCandle {
        let (priceForm, sizeForm) = core.forms[index.offset]
        var interval: String?
        var (start, stop, said): (Timestamp?, Timestamp?, Timestamp?)
        var (open, high, low, close, volume): (Int64?, Int64?, Int64?, Int64?, Int64?)
        var isClosed: Bool?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "start") {
                start = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "end") {
                stop = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "interval") {
                interval = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "open") {
                open = try scanner.decimal(priceForm).units
            } else if scanner.equals(key, "high") {
                high = try scanner.decimal(priceForm).units
            } else if scanner.equals(key, "low") {
                low = try scanner.decimal(priceForm).units
            } else if scanner.equals(key, "close") {
                close = try scanner.decimal(priceForm).units
            } else if scanner.equals(key, "volume") {
                volume = try scanner.decimal(sizeForm).units
            } else if scanner.equals(key, "confirm") {
                isClosed = try scanner.bool()
            } else if scanner.equals(key, "timestamp") {
                said = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        guard let interval, let start, let stop, let open, let high, let low, let close, let volume,
            let isClosed
        else { throw .malformed }
        return VenueCandle(
            interval: interval, start: start, stop: stop, open: Price(open), high: Price(high),
            low: Price(low), close: Price(close), volume: Quantity(volume), tradeCount: 0,
            isClosed: isClosed, priceScale: priceForm.scale, sizeScale: sizeForm.scale,
            venueTime: said ?? start, receivedTime: time)
    }
}
