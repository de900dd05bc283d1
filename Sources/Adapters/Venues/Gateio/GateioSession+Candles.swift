import Instruments
import MarketData

extension GateioSession {
    /// A row of `candlesticks`: `t, o, h, l, c`, `n` for interval and symbol, `a` for the volume in the base
    /// asset and `w` for whether it is over.
    ///
    /// `v` counts contracts on futures, where it is the volume, and the quote asset on spot, where it stands
    /// for a volume that the venue does not give: in 2021 there was no `a`.
    mutating func readCandle(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(&scanner, .candle, ["n"], into: &output) else { return }
        var row = GateioCandle()
        try scanner.object { scanner, key throws(ScanError) in try row.read(&scanner, key) }
        output.events.append(.candle(index, try row.candle(isSpot: market == .spot, at: time)))
    }
}

/// The fields of a candle as they are met.
private struct GateioCandle {
    var interval = ""
    var start: Timestamp?
    var numbers = CandleNumbers()
    var baseVolume: DecimalNumber?
    var isClosed = false

    mutating func read(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) {
        switch scanner.single(key) {
        case 0x74: start = try scanner.gateioTime()  // t
        case 0x6F: numbers.open = try scanner.anyDecimal()
        case 0x68: numbers.high = try scanner.anyDecimal()
        case 0x6C: numbers.low = try scanner.anyDecimal()  // l
        case 0x63: numbers.close = try scanner.anyDecimal()
        case 0x76: numbers.volume = try scanner.anyDecimal()  // v
        case 0x61: baseVolume = try scanner.anyDecimal()  // a
        case 0x77: isClosed = try scanner.bool()  // w
        case 0x6E:  // n
            let name = scanner.string(try scanner.text()) ?? ""
            interval = String(name.prefix { $0 != "_" })
        default: try scanner.skip()
        }
    }

    func candle(isSpot: Bool, at time: Timestamp) throws(ScanError) -> VenueCandle {
        guard let start, !interval.isEmpty else { throw .malformed }
        var numbers = numbers
        if isSpot, let baseVolume { numbers.volume = baseVolume }
        // One minute is all that is subscribed to.
        let stop = start.adding(nanoseconds: 59_999_000_000)
        var candle = try numbers.candle(interval, from: start, to: stop, at: time)
        candle.isClosed = isClosed
        return candle
    }
}
