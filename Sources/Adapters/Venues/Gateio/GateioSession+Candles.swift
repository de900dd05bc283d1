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
        let body = scanner.index
        let isSpot = market == .spot
        let candle = try core.atFinalScales(index) { forms throws(ScanError) in
            scanner.index = body
            var row = GateioCandle()
            try scanner.object { scanner, key throws(ScanError) in try row.read(&scanner, key, forms) }
            return try row.candle(forms, isSpot: isSpot, at: time)
        }
        output.events.append(.candle(index, candle))
    }
}

/// The numbers of a candle as they are met.
private struct GateioCandle {
    var interval = ""
    var start: Timestamp?
    var open: Int64?
    var high: Int64?
    var low: Int64?
    var close: Int64?
    var volume: Int64?
    var baseVolume: Int64?
    var isClosed = false

    mutating func read(
        _ scanner: inout JSONScanner, _ key: JSONText, _ forms: InstrumentForms
    ) throws(ScanError) {
        switch scanner.single(key) {
        case 0x74: start = try scanner.gateioTime()  // t
        case 0x6F: open = try scanner.decimal(forms.price).units
        case 0x68: high = try scanner.decimal(forms.price).units
        case 0x6C: low = try scanner.decimal(forms.price).units  // l
        case 0x63: close = try scanner.decimal(forms.price).units
        case 0x76: volume = try scanner.decimal(forms.size).units  // v
        case 0x61: baseVolume = try scanner.decimal(forms.size).units  // a
        case 0x77: isClosed = try scanner.bool()  // w
        case 0x6E:  // n
            let name = scanner.string(try scanner.text()) ?? ""
            interval = String(name.prefix { $0 != "_" })
        default: try scanner.skip()
        }
    }

    func candle(
        _ forms: InstrumentForms, isSpot: Bool, at time: Timestamp
    ) throws(ScanError) -> VenueCandle {
        let volume = isSpot ? baseVolume ?? volume : volume
        guard let start, let open, let high, let low, let close, let volume, !interval.isEmpty else {
            throw .malformed
        }
        // One minute is all that is subscribed to.
        let stop = start.adding(nanoseconds: 59_999_000_000)
        return VenueCandle(
            interval: interval, start: start, stop: stop, open: Price(open), high: Price(high),
            low: Price(low), close: Price(close), volume: Quantity(volume), tradeCount: 0,
            isClosed: isClosed, priceScale: forms.price.scale, sizeScale: forms.size.scale,
            venueTime: start, receivedTime: time)
    }
}
