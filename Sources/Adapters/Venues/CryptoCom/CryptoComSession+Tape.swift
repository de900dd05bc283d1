import Instruments
import MarketData

extension CryptoComSession {
    /// A row of `trade`: `d` (the id), `s, p, q, t`.
    mutating func readTrade(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var id: String?
        var side: Side?
        var price: DecimalNumber?
        var size: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x64: id = scanner.string(try scanner.scalarText())  // d
            case 0x73:  // s
                let text = try scanner.text()
                let isBuy = scanner.equals(text, "BUY") || scanner.equals(text, "buy")
                let isSell = scanner.equals(text, "SELL") || scanner.equals(text, "sell")
                side = isBuy ? .buy : isSell ? .sell : nil
            case 0x70: price = try scanner.rawDecimal()  // p
            case 0x71: size = try scanner.rawDecimal()  // q
            case 0x74: venueTime = Timestamp(milliseconds: try scanner.integer())  // t
            default: try scanner.skip()
            }
        }
        guard let id, !id.isEmpty, let side, let price, let size, let venueTime else { throw .malformed }
        // Before the scales, which such a row must not make finer.
        guard output.accepts(price, size, of: index, id: id) else { return }
        var trade = core.trade(id, side, price, size, index)
        (trade.venueTime, trade.receivedTime, trade.isBackfill) = (venueTime, time, isBackfill)
        output.events.append(.trade(index, trade))
    }

    /// A row of `ticker`: `b, bs, k` (the ask), `ks, a` (the last), `t`.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var last: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "b") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bs") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "k") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "ks") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "a") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "t") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        let ticker = try core.ticker(
            bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)
        output.events.append(.ticker(index, ticker))
    }

    /// A row of `candlestick`: `t` (the start), `o, h, l, c, v` and `ut`, when it was computed.
    mutating func readCandle(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, _ interval: String, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let seconds = CryptoCom.seconds(of: interval) else {
            output.counters.unexpected &+= 1
            return try scanner.skip()
        }
        var start: Timestamp?
        var venueTime: Timestamp?
        var prices: (open: DecimalNumber?, high: DecimalNumber?, low: DecimalNumber?, close: DecimalNumber?)
        var volume: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x74: start = Timestamp(milliseconds: try scanner.integer())  // t
            case 0x6F: prices.open = try scanner.anyDecimal()  // o
            case 0x68: prices.high = try scanner.anyDecimal()  // h
            case 0x6C: prices.low = try scanner.anyDecimal()  // l
            case 0x63: prices.close = try scanner.anyDecimal()  // c
            case 0x76: volume = try scanner.anyDecimal()  // v
            default:
                guard scanner.equals(key, "ut") else { return try scanner.skip() }
                venueTime = Timestamp(milliseconds: try scanner.integer())
            }
        }
        guard let start, let volume else { throw .malformed }
        let candle = try core.candle(
            RawCandle(
                start: start, seconds: seconds, interval: interval, open: prices.open, high: prices.high,
                low: prices.low, close: prices.close, volume: volume, count: 0, isClosed: false),
            index, venueTime: venueTime, at: time)
        output.events.append(.candle(index, candle))
    }

    /// A row of `mark`: `v, t`.
    mutating func readMark(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var price: DecimalNumber?
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x76: price = try scanner.rawDecimal()  // v
            case 0x74: venueTime = Timestamp(milliseconds: try scanner.integer())  // t
            default: try scanner.skip()
            }
        }
        guard let price = price?.normalized, price.units > 0, let venueTime else { throw .malformed }
        output.events.append(
            .mark(index, MarkPrice(price: price, venueTime: venueTime, receivedTime: time)))
    }
}
