import Instruments
import MarketData

extension HyperliquidSession {
    /// One candle, or several in an array.
    mutating func readCandles(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard try scanner.peek() == 0x5B else { return try readCandle(&scanner, at: time, into: &output) }
        try scanner.array { scanner throws(ScanError) in
            try readCandle(&scanner, at: time, into: &output)
        }
    }

    /// `t` and `T` (both ends), `s` (the coin), `i` (the interval), `o, h, l, c, v, n`.
    private mutating func readCandle(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var coin: JSONText?
        var interval: String?
        var (start, stop) = (Int64(-1), Int64(-1))
        var prices: (open: DecimalNumber?, high: DecimalNumber?, low: DecimalNumber?, close: DecimalNumber?)
        var volume: DecimalNumber?
        var count: Int64 = 0
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x73: coin = try scanner.text()  // s
            case 0x69: interval = scanner.string(try scanner.text())  // i
            case 0x74: start = try scanner.integer()  // t
            case 0x54: stop = try scanner.integer()  // T
            case 0x6F: prices.open = try scanner.anyDecimal()  // o
            case 0x68: prices.high = try scanner.anyDecimal()  // h
            case 0x6C: prices.low = try scanner.anyDecimal()  // l
            case 0x63: prices.close = try scanner.anyDecimal()  // c
            case 0x76: volume = try scanner.anyDecimal()  // v
            case 0x6E: count = try scanner.integer()  // n
            default: try scanner.skip()
            }
        }
        guard let begin = Timestamp(milliseconds: start), let interval, let volume, start >= 0,
            stop > start, stop - start < 10_000_000_000, count >= 0
        else { throw .malformed }
        guard let index = wanted(coin, .candle, scanner, into: &output) else { return }
        let candle = try core.candle(
            RawCandle(
                start: begin, seconds: (stop - start + 1) / 1_000, interval: interval, open: prices.open,
                high: prices.high, low: prices.low, close: prices.close, volume: volume,
                count: UInt64(count), isClosed: false),
            index, venueTime: nil, at: time)
        output.events.append(.candle(index, candle))
    }
}
