import Instruments
import MarketData

extension PoloniexSession {
    /// An object of `candles_minute_1`: `open, high, low, close, quantity, tradeCount, startTime, closeTime,
    /// ts`; `amount` counts the quote asset.
    mutating func readCandle(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        let candle = try core.atFinalScales(index) { forms throws(ScanError) in
            scanner.index = body
            return try Self.candle(&scanner, forms, at: time)
        }
        output.events.append(.candle(index, candle))
    }

    private static func candle(
        _ scanner: inout JSONScanner, _ forms: InstrumentForms, at time: Timestamp
    ) throws(ScanError) -> VenueCandle {
        var (start, stop, said): (Timestamp?, Timestamp?, Timestamp?)
        var prices: [Int64?] = [nil, nil, nil, nil]
        var volume: Int64?
        var count: Int64 = 0
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "open") {
                prices[0] = try scanner.decimal(forms.price).units
            } else if scanner.equals(key, "high") {
                prices[1] = try scanner.decimal(forms.price).units
            } else if scanner.equals(key, "low") {
                prices[2] = try scanner.decimal(forms.price).units
            } else if scanner.equals(key, "close") {
                prices[3] = try scanner.decimal(forms.price).units
            } else if scanner.equals(key, "quantity") {
                volume = try scanner.decimal(forms.size).units
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
        guard let start, let stop, let open = prices[0], let high = prices[1], let low = prices[2],
            let close = prices[3], let volume, count >= 0
        else { throw .malformed }
        return VenueCandle(
            interval: "1m", start: start, stop: stop, open: Price(open), high: Price(high), low: Price(low),
            close: Price(close), volume: Quantity(volume), tradeCount: UInt64(count),
            // The venue says the last state of a minute after its end.
            isClosed: said.map { $0 > stop } ?? false, priceScale: forms.price.scale,
            sizeScale: forms.size.scale, venueTime: said ?? start, receivedTime: time)
    }
}
