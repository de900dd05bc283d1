import Instruments
import MarketData

extension BitgetSession {
    mutating func readMessage(
        _ scanner: inout JSONScanner, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let message = try ArgMessage.read(&scanner)
        guard message.event.count == 0 else { return answered(message, scanner, at: time, into: &output) }
        guard let data = message.data, let topic = BitgetTopic(message, in: scanner),
            let index = instrument(message, scanner), wants(topic, index)
        else {
            output.counters.unexpected &+= 1
            return
        }
        scanner.index = data
        let isImage = message.isImage(scanner)
        if case .candle(let interval, let seconds) = topic {
            let row = ReadCandle(interval: interval, seconds: seconds)
            return try readCandles(&scanner, row, index, at: time, into: &output)
        }
        try scanner.array { scanner throws(ScanError) in
            switch topic {
            case .book(let stream):
                let origin = LinkedBooks.Origin(
                    index: index, connection: connection, stream: stream, time: time)
                let isImage = try message.isImage(scanner, of: stream)
                if isImage { unconfirmed.brought(Topic(index: index, channel: .book)) }
                try books.read(&scanner, isImage: isImage, from: origin, in: &core, into: &output)
            case .trade:
                let row = try BitgetTradeRow(&scanner)
                try say(row, index, isBackfill: isImage, at: time, into: &output)
            case .ticker: try readTicker(&scanner, index, at: time, into: &output)
            case .candle: try scanner.skip()
            }
        }
    }

    private func wants(_ topic: BitgetTopic, _ index: InstrumentIndex) -> Bool {
        core.wantsAny(of: topic.channel == .ticker ? Self.quoting : topic.channel, index)
    }

    /// The index of `product:id`.
    private mutating func instrument(_ message: ArgMessage, _ scanner: JSONScanner) -> InstrumentIndex? {
        guard message.symbol.count > 0 else { return nil }
        let (product, id) = (scanner.bytes(message.instrumentType), scanner.bytes(message.symbol))
        let length = product.count + 1 + id.count
        let index = withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { symbol in
            symbol.copyBytes(from: product)
            symbol[product.count] = 0x3A
            UnsafeMutableRawBufferPointer(rebasing: symbol[(product.count + 1)...]).copyBytes(from: id)
            return core.instrument(UnsafeRawBufferPointer(symbol))
        }
        grow()
        return index
    }

    /// v2 `bidPr, bidSz, askPr, askSz, lastPr, markPrice, ts`; v1 `bestBid, bestAsk, last, markPrice` and
    /// `ts` of spot or `systemTime` of futures.
    ///
    /// What a message leaves out is unknown, not as before.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: (price: DecimalNumber?, size: DecimalNumber?)
        var ask: (price: DecimalNumber?, size: DecimalNumber?)
        var (last, mark): (DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        var said = DerivativeTicker(receivedTime: time)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bidPr") || scanner.equals(key, "bestBid") {
                bid.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "bidSz") {
                bid.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "askPr") || scanner.equals(key, "bestAsk") {
                ask.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "askSz") {
                ask.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "lastPr") || scanner.equals(key, "last") {
                last = try scanner.anyDecimal()
            } else if scanner.equals(key, "markPrice") {
                mark = try scanner.anyDecimal()
            } else if scanner.equals(key, "ts") || scanner.equals(key, "systemTime") {
                venueTime = try scanner.venueTime()
            } else if try !said.readBitget(&scanner, key) {
                try scanner.skip()
            }
        }
        if core.wants(.ticker, index) {
            let ticker = try core.ticker(
                bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)
            output.events.append(.ticker(index, ticker))
        }
        if core.wants(.mark, index), let price = mark?.normalized, price.units > 0, let venueTime {
            output.events.append(
                .mark(index, MarkPrice(price: price, venueTime: venueTime, receivedTime: time)))
        }
        if let price = mark?.normalized, price.units > 0 { said.markPrice = price }
        said.venueTime = venueTime
        core.say(said, of: index, into: &output)
    }

    /// Rows of `[ts, o, h, l, c, volume, …]`: up to 1,000 of them at first, then the last.
    ///
    /// The venue says of none that it is over: all are but the newest of a message.
    private mutating func readCandles(
        _ scanner: inout JSONScanner, _ form: ReadCandle, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var rows: [ReadCandle] = []
        try scanner.array { scanner throws(ScanError) in
            var row = form
            var start: Timestamp?
            try scanner.row(6) { scanner, place throws(ScanError) in
                switch place {
                case 0: start = try scanner.venueTime()
                case 5: row.volume = try scanner.rawDecimal()
                default: row.prices.append(try scanner.rawDecimal())
                }
            }
            guard let start else { throw .malformed }
            row.start = start
            rows.append(row)
        }
        let newest = rows.map(\.start).max() ?? .zero
        for var row in rows {
            row.isClosed = row.start < newest
            output.events.append(.candle(index, try core.candle(row, of: index, at: time)))
        }
    }
}
