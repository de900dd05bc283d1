import Instruments
import MarketData

extension CoinbaseSession {
    /// `candles` of five minutes, the only length that is pushed: `start, open, high, low, close, volume`.
    ///
    /// Source: Coinbase Developer Documentation, "Advanced Trade WebSocket channels".
    mutating func readCandles(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "candles"), try !scanner.takeNull() else {
                if !scanner.equals(key, "candles") { try scanner.skip() }
                return
            }
            try scanner.array { scanner throws(ScanError) in
                try readCandle(&scanner, envelope, into: &output)
            }
        }
    }

    private mutating func readCandle(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        var row = CoinbaseCandle()
        var product: JSONText?
        var volume: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "product_id") {
                product = try scanner.textIfAny()
            } else if scanner.equals(key, "volume") {
                volume = try scanner.anyDecimal()
            } else if try !row.read(&scanner, key) {
                try scanner.skip()
            }
        }
        guard let index = try instrument(product, .candle, in: scanner, into: &output) else { return }
        guard let start = row.start, let open = row.open, let high = row.high, let low = row.low,
            let close = row.close, let volume
        else { throw .malformed }
        // All scales grow before any number is taken, so that all are at the final ones.
        for price in [open, high, low, close] { _ = try core.units(price, .price, index) }
        let size = Quantity(try core.units(volume, .size, index))
        let scales = core.scales(of: index)
        output.events.append(
            .candle(
                index,
                VenueCandle(
                    interval: "5m", start: start, stop: start.adding(nanoseconds: 299_999_000_000),
                    open: Price(try core.units(open, .price, index)),
                    high: Price(try core.units(high, .price, index)),
                    low: Price(try core.units(low, .price, index)),
                    close: Price(try core.units(close, .price, index)), volume: size,
                    // The venue neither counts trades nor says which update of a candle is its last.
                    tradeCount: 0, isClosed: false, priceScale: scales.price, sizeScale: scales.size,
                    venueTime: envelope.venueTime ?? start, receivedTime: envelope.receivedTime)))
    }
}
