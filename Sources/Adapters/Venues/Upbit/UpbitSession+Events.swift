import Instruments
import MarketData

extension UpbitSession {
    mutating func takeImage(
        _ message: UpbitMessage, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let levels = message.levels else { throw .malformed }
        try core.takeImage(levels, index, venueTime: message.venueTime, at: time, into: &output)
    }

    /// Trades of one message or of a page.
    mutating func say(
        _ trades: [UpbitMessage], of index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        for row in trades {
            guard let id = row.id, !id.isEmpty, let side = row.side, let price = row.price,
                let size = row.size, let venueTime = row.tradeTime ?? row.venueTime
            else { throw .malformed }
            // Before the scales, which such a row must not make finer.
            guard output.accepts(price, size, of: index, id: id) else { continue }
            var trade = core.trade(id, side, price, size, index)
            (trade.venueTime, trade.receivedTime, trade.isBackfill) = (venueTime, time, isBackfill)
            output.events.append(.trade(index, trade))
        }
    }

    /// It has the latest price and no bid or ask.
    mutating func takeTicker(
        _ message: UpbitMessage, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let ticker = try core.ticker(
            bid: (nil, nil), ask: (nil, nil), last: message.price, index, venueTime: message.venueTime,
            at: time)
        output.events.append(.ticker(index, ticker))
    }

    /// It says neither the number of trades nor that a candle is over.
    mutating func takeCandle(
        _ message: UpbitMessage, _ index: InstrumentIndex, _ interval: String, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let start = message.start, let volume = message.candleVolume,
            let count = Int64(interval.dropLast()), count > 0, count <= 1_440
        else { throw .malformed }
        let candle = try core.candle(
            RawCandle(
                start: start, seconds: interval.hasSuffix("s") ? count : count * 60, interval: interval,
                open: message.open, high: message.high, low: message.low, close: message.price,
                volume: volume, count: 0, isClosed: false),
            index, venueTime: message.venueTime, at: time)
        output.events.append(.candle(index, candle))
    }
}
