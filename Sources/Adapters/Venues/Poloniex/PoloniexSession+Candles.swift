import Instruments
import MarketData

extension PoloniexSession {
    /// An object of `candles_minute_1`: `open, high, low, close, quantity, tradeCount, startTime, closeTime,
    /// ts`; `amount` counts the quote asset.
    mutating func readCandle(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var numbers = CandleNumbers()
        var (start, stop, said): (Timestamp?, Timestamp?, Timestamp?)
        var count: Int64 = 0
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "open") {
                numbers.open = try scanner.anyDecimal()
            } else if scanner.equals(key, "high") {
                numbers.high = try scanner.anyDecimal()
            } else if scanner.equals(key, "low") {
                numbers.low = try scanner.anyDecimal()
            } else if scanner.equals(key, "close") {
                numbers.close = try scanner.anyDecimal()
            } else if scanner.equals(key, "quantity") {
                numbers.volume = try scanner.anyDecimal()
            } else if scanner.equals(key, "tradeCount") {
                count = try scanner.integer()
            } else if scanner.equals(key, "startTime") {
                start = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "closeTime") {
                stop = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "ts") {
                said = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        guard let start, let stop, count >= 0 else { throw .malformed }
        var candle = try numbers.candle("1m", from: start, to: stop, at: time)
        candle.tradeCount = UInt64(count)
        candle.venueTime = said ?? start
        // The venue says the last state of a minute after its end.
        candle.isClosed = said.map { $0 > stop } ?? false
        output.events.append(.candle(index, candle))
    }
}
