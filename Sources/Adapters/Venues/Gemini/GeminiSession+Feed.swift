import Instruments
import MarketData

extension GeminiSession {
    // MARK: - Books

    /// `l2_updates`: `changes` of `["buy"|"sell","price","quantity"]`; the first of a symbol is its whole
    /// book, with the newest trades, latest first.
    mutating func readBook(
        _ scanner: inout JSONScanner, _ message: GeminiMessage, into output: inout VenueOutput
    ) throws(ScanError) {
        let feed: ChannelSet = [.book, .trade]
        guard let index = try instrument(message.symbol, feed, in: scanner, into: &output) else { return }
        guard let changes = message.changes else { throw .malformed }
        if core.wants(.book, index) {
            let start = output.levels.count
            try core.readingAgain(index, into: &output) { forms, levels throws(ScanError) in
                scanner.index = changes
                try scanner.array { scanner throws(ScanError) in try scanner.geminiChange(forms, &levels) }
            }
            take(message, of: index, from: start, into: &output)
        }
        guard let trades = message.trades, core.wants(.trade, index) else { return }
        scanner.index = trades
        if try scanner.takeNull() { return }
        let time = message.receivedTime
        try scanner.array { scanner throws(ScanError) in
            let trade = try GeminiTrade(&scanner)
            try say(trade, of: index, isBackfill: true, at: time, into: &output)
        }
    }

    /// Steps 1 and 2 of the procedure; the levels lie at the end of the output's.
    private mutating func take(
        _ message: GeminiMessage, of index: InstrumentIndex, from start: Int, into output: inout VenueOutput
    ) {
        let time = message.receivedTime
        if message.trades != nil || message.hasAuctions {
            guard images.take(index) else { return output.levels.removeLast(output.levels.count - start) }
            homes[index.offset] = message.connection
            return core.takeWholeBook(index, from: start, venueTime: nil, at: time, into: &output)
        }
        guard core.trackers[index.offset].isFollowing, homes[index.offset] == message.connection else {
            output.levels.removeLast(output.levels.count - start)
            return
        }
        let isStuck = core.takeBookChanges(index, from: start, venueTime: nil, at: time, into: &output)
        if isStuck { core.lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    // MARK: - Tape

    /// Says a trade, unless it has no taker or is a row without an execution.
    mutating func say(
        _ trade: GeminiTrade, of index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let side = trade.side else {
            output.counters.unexpected &+= 1
            return
        }
        guard output.accepts(trade.price, trade.size, of: index, id: trade.id) else { return }
        let (price, size) = try core.scale(trade.price, trade.size, index)
        let scales = core.scales(of: index)
        output.events.append(
            .trade(
                index,
                Trade(
                    id: trade.id, side: side, price: price, size: size, priceScale: scales.price,
                    sizeScale: scales.size, venueTime: trade.venueTime, receivedTime: time,
                    isBackfill: isBackfill)))
    }

    /// `candles_1m_updates`: rows of time, open, high, low, close and volume as bare numbers, the first
    /// message a day of them.
    mutating func readCandles(
        _ scanner: inout JSONScanner, _ message: GeminiMessage, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(message.symbol, .candle, in: scanner, into: &output) else { return }
        guard let changes = message.changes else { throw .malformed }
        scanner.index = changes
        try scanner.array { scanner throws(ScanError) in
            var start: Timestamp?
            var numbers: [DecimalNumber] = []
            try scanner.row(6) { scanner, place throws(ScanError) in
                if place == 0 {
                    start = Timestamp(milliseconds: try scanner.integer())
                } else {
                    numbers.append(try scanner.rawDecimal())
                }
            }
            guard let start, numbers.count == 5 else { throw .malformed }
            try say(numbers, from: start, of: index, at: message.receivedTime, into: &output)
        }
    }

    private mutating func say(
        _ numbers: [DecimalNumber], from start: Timestamp, of index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        // All scales grow before any number is taken, so that all are at the final ones.
        for price in numbers[..<4] { _ = try core.units(price, .price, index) }
        let volume = Quantity(try core.units(numbers[4], .size, index))
        let scales = core.scales(of: index)
        output.events.append(
            .candle(
                index,
                VenueCandle(
                    interval: "1m", start: start, stop: start.adding(nanoseconds: 59_999_000_000),
                    open: Price(try core.units(numbers[0], .price, index)),
                    high: Price(try core.units(numbers[1], .price, index)),
                    low: Price(try core.units(numbers[2], .price, index)),
                    close: Price(try core.units(numbers[3], .price, index)), volume: volume,
                    // The venue neither counts trades nor says which update of a candle is its last.
                    tradeCount: 0, isClosed: false, priceScale: scales.price, sizeScale: scales.size,
                    venueTime: start, receivedTime: time)))
    }
}

extension JSONScanner {
    /// Reads `["buy"|"sell","price","quantity"]`.
    fileprivate mutating func geminiChange(
        _ forms: (price: DecimalForm, size: DecimalForm), _ levels: inout [BookLevelChange]
    ) throws(ScanError) {
        try expect(0x5B)
        let text = try text()
        guard let side = BookSide(order: text, in: self) else { throw .malformed }
        try expect(0x2C)
        let price = try decimal(forms.price)
        try expect(0x2C)
        let size = try decimal(forms.size)
        while try take(0x2C) { try skip() }
        try expect(0x5D)
        try levels.add(side, price, size)
    }
}
