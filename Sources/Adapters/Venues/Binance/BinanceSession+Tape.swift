import Instruments
import MarketData

extension BinanceSession {
    /// `bookTicker`: `u, s, b, B, a, A`, on futures `T` and `E` as well.
    mutating func readTicker(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        if let (index, ticker) = tickerInOrder(&scanner, at: time) {
            output.events.append(.ticker(index, ticker))
            return
        }
        scanner.index = body
        guard let index = try symbol(&scanner, from: body, for: .ticker, into: &output) else { return }
        try atFinalScale(index) { session throws(ScanError) in
            scanner.index = body
            let (priceForm, sizeForm) = session.core.forms[index.offset]
            var ticker = Ticker(
                priceScale: priceForm.scale, sizeScale: sizeForm.scale, receivedTime: time)
            var eventTime: Timestamp?
            try scanner.object { scanner, key throws(ScanError) in
                switch scanner.single(key) {
                case 0x62:  // b
                    ticker.bidPrice = Price(try scanner.decimal(priceForm).units)
                case 0x42:  // B
                    ticker.bidSize = Quantity(try scanner.decimal(sizeForm).units)
                case 0x61:  // a
                    ticker.askPrice = Price(try scanner.decimal(priceForm).units)
                case 0x41:  // A
                    ticker.askSize = Quantity(try scanner.decimal(sizeForm).units)
                case 0x75: ticker.updateID = try scanner.integer()  // u
                case 0x54: ticker.venueTime = Timestamp(milliseconds: try scanner.integer())  // T
                case 0x45: eventTime = Timestamp(milliseconds: try scanner.integer())  // E
                default: try scanner.skip()
                }
            }
            ticker.venueTime = ticker.venueTime ?? eventTime
            output.events.append(.ticker(index, ticker))
        }
    }

    /// A `bookTicker` whose keys come as the venue writes them; `nil` for any other, and for a finer number.
    @inline(__always)
    private mutating func tickerInOrder(
        _ scanner: inout JSONScanner, at time: Timestamp
    ) -> (InstrumentIndex, Ticker)? {
        do throws(ScanError) {
            guard scanner.takeExactly("{\"e\":\"bookTicker\",\"u\":") || scanner.takeExactly("{\"u\":")
            else { return nil }
            let updateID = try scanner.integer()
            guard scanner.takeExactly(",\"s\":") else { return nil }
            let symbol = try scanner.text()
            guard let index = instrument(scanner.bytes(symbol)), core.wants(.ticker, index) else {
                return nil
            }
            let forms = core.forms[index.offset]
            guard scanner.takeExactly(",\"b\":") else { return nil }
            let bidPrice = try scanner.decimal(forms.price).units
            guard scanner.takeExactly(",\"B\":") else { return nil }
            let bidSize = try scanner.decimal(forms.size).units
            guard scanner.takeExactly(",\"a\":") else { return nil }
            let askPrice = try scanner.decimal(forms.price).units
            guard scanner.takeExactly(",\"A\":") else { return nil }
            let askSize = try scanner.decimal(forms.size).units
            var venueTime: Timestamp?
            if scanner.takeExactly(",\"T\":") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
                guard venueTime != nil, scanner.takeExactly(",\"E\":") else { return nil }
                _ = try scanner.integer()
            }
            guard scanner.takeExactly("}") else { return nil }
            let ticker = Ticker(
                bidPrice: Price(bidPrice), bidSize: Quantity(bidSize), askPrice: Price(askPrice),
                askSize: Quantity(askSize), priceScale: forms.price.scale, sizeScale: forms.size.scale,
                venueTime: venueTime, receivedTime: time, updateID: updateID)
            return (index, ticker)
        } catch {
            return nil
        }
    }

    /// `aggTrade` (id `a`) and `trade` (id `t`): `p, q, T, m`; `m` says that the buyer was the maker.
    mutating func readTrade(
        _ scanner: inout JSONScanner, isAggregate: Bool, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        guard let index = try symbol(&scanner, from: body, for: .trade, into: &output) else { return }
        try atFinalScale(index) { session throws(ScanError) in
            scanner.index = body
            let trade = try session.readTradeFields(
                &scanner, index, isAggregate: isAggregate, isBackfill: false, at: time)
            session.say(trade, of: index, into: &output)
        }
    }

    /// Says a trade, unless it is a row without an execution.
    ///
    /// The stream of single trades of USD-M futures has rows of price and size 0 with `X` "NA".
    @inline(__always)
    func say(_ trade: Trade, of index: InstrumentIndex, into output: inout VenueOutput) {
        let price = trade.price.decimal(trade.priceScale)
        let size = trade.size.decimal(trade.sizeScale)
        guard output.accepts(price, size, of: index, id: trade.id) else { return }
        output.events.append(.trade(index, trade))
    }

    func readTradeFields(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isAggregate: Bool, isBackfill: Bool,
        at time: Timestamp
    ) throws(ScanError) -> Trade {
        let (priceForm, sizeForm) = core.forms[index.offset]
        var id: String?
        var price: Int64?
        var size: Int64?
        var venueTime: Timestamp?
        var buyerIsMaker: Bool?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x61 where isAggregate, 0x74 where !isAggregate:  // a, t
                let text = try scanner.scalarText()
                id = scanner.string(text)
            // p
            case 0x70: price = try scanner.decimal(priceForm).units
            case 0x71: size = try scanner.decimal(sizeForm).units  // q
            case 0x54: venueTime = Timestamp(milliseconds: try scanner.integer())  // T
            case 0x6D: buyerIsMaker = try scanner.bool()  // m
            default:
                // The REST routes of single trades spell the names out.
                if scanner.equals(key, "id") {
                    let text = try scanner.scalarText()
                    id = scanner.string(text)
                } else if scanner.equals(key, "price") {
                    price = try scanner.decimal(priceForm).units
                } else if scanner.equals(key, "qty") {
                    size = try scanner.decimal(sizeForm).units
                } else if scanner.equals(key, "time") {
                    venueTime = Timestamp(milliseconds: try scanner.integer())
                } else if scanner.equals(key, "isBuyerMaker") {
                    buyerIsMaker = try scanner.bool()
                } else {
                    try scanner.skip()
                }
            }
        }
        guard let id, !id.isEmpty, let price, let size, let venueTime, let buyerIsMaker else {
            throw .malformed
        }
        return Trade(
            id: id, side: buyerIsMaker ? .sell : .buy, price: Price(price), size: Quantity(size),
            priceScale: priceForm.scale, sizeScale: sizeForm.scale, venueTime: venueTime, receivedTime: time,
            isAggregate: isAggregate, isBackfill: isBackfill)
    }

    /// `kline`: `k` with `t, T, i, o, h, l, c, v, n, x`.
    mutating func readCandle(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        guard let index = try symbol(&scanner, from: body, for: .candle, into: &output) else { return }
        try atFinalScale(index) { session throws(ScanError) in
            scanner.index = body
            var eventTime: Timestamp?
            var candle: VenueCandle?
            try scanner.object { scanner, key throws(ScanError) in
                switch scanner.single(key) {
                case 0x45: eventTime = Timestamp(milliseconds: try scanner.integer())  // E
                case 0x6B: candle = try session.readKline(&scanner, index, at: time)  // k
                default: try scanner.skip()
                }
            }
            guard var candle, let eventTime else { throw .malformed }
            candle.venueTime = eventTime
            output.events.append(.candle(index, candle))
        }
    }

    private func readKline(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp
    ) throws(ScanError) -> VenueCandle {
        let (priceForm, sizeForm) = core.forms[index.offset]
        var interval: String?
        var start: Timestamp?
        var stop: Timestamp?
        var prices: (open: Int64?, high: Int64?, low: Int64?, close: Int64?)
        var volume: Int64?
        var count: Int64?
        var isClosed: Bool?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x74: start = Timestamp(milliseconds: try scanner.integer())  // t
            case 0x54: stop = Timestamp(milliseconds: try scanner.integer())  // T
            case 0x69: interval = scanner.string(try scanner.text())  // i
            case 0x6F:
                prices.open = try scanner.decimal(priceForm).units
            case 0x68:
                prices.high = try scanner.decimal(priceForm).units
            case 0x6C: prices.low = try scanner.decimal(priceForm).units
            case 0x63:
                prices.close = try scanner.decimal(priceForm).units
            case 0x76: volume = try scanner.decimal(sizeForm).units  // v
            case 0x6E: count = try scanner.integer()  // n
            case 0x78: isClosed = try scanner.bool()  // x
            default: try scanner.skip()
            }
        }
        guard let interval, let start, let stop, let open = prices.open, let high = prices.high,
            let low = prices.low,
            let close = prices.close, let volume, let count, count >= 0, let isClosed
        else { throw .malformed }
        return VenueCandle(
            interval: interval, start: start, stop: stop, open: Price(open), high: Price(high),
            low: Price(low),
            close: Price(close), volume: Quantity(volume), tradeCount: UInt64(count), isClosed: isClosed,
            priceScale: priceForm.scale, sizeScale: sizeForm.scale, venueTime: start, receivedTime: time)
    }

    /// The instrument of a message by its key `s`; `nil` when nobody asked for these kinds of data of it.
    mutating func symbol(
        _ scanner: inout JSONScanner, from body: Int, for channels: ChannelSet, into output: inout VenueOutput
    ) throws(ScanError) -> InstrumentIndex? {
        var found: InstrumentIndex?
        var hasSymbol = false
        try scanner.expect(0x7B)
        // The symbol is among the first keys: stop there, the body is read again from its start.
        while !hasSymbol {
            let key = try scanner.text()
            try scanner.expect(0x3A)
            if scanner.single(key) == 0x73 {
                let text = try scanner.text()
                found = instrument(scanner.bytes(text))
                hasSymbol = true
            } else {
                try scanner.skip()
                try scanner.expect(0x2C)
            }
        }
        scanner.index = body
        guard let found, core.wantsAny(of: channels, found) else {
            output.counters.unexpected &+= 1
            try scanner.skip()
            return nil
        }
        return found
    }

    /// Runs a read again at finer scales until all its numbers fit.
    @inline(__always)
    mutating func atFinalScale(
        _ index: InstrumentIndex, _ read: (inout BinanceSession) throws(ScanError) -> Void
    ) throws(ScanError) {
        for _ in 0..<36 {
            do throws(ScanError) {
                return try read(&self)
            } catch {
                guard core.refine(index, after: error) else { throw error }
            }
        }
        throw .malformed
    }
}
