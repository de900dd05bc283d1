package import Instruments
import MarketData

/// Where a message has what is read of it.
struct BybitMessage {
    var topic: BybitTopic
    var connection: Int
    var isSnapshot: Bool
    /// `ts`, in V2 `timestamp_e6`.
    var venueTime: Timestamp?
    /// `cross_seq` of V2.
    var crossSequence: Int64?
}

extension BybitSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try readMessage(&scanner, on: connection, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            grow()
            let isBook = frame.mentions("\"orderbook.") || frame.mentions("\"orderBook")
            if isBook { suspectBook(in: frame, on: connection, at: time, into: &output) }
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// The whole message is walked through before any of it is read: one that breaks off says nothing.
    private mutating func readMessage(
        _ scanner: inout JSONScanner, on connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let start = scanner.index
        var (topic, data): (JSONText?, Int?)
        var message = (isSnapshot: false, venueTime: Timestamp?.none, crossSequence: Int64?.none)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "topic") {
                topic = try scanner.text()
            } else if scanner.equals(key, "type"), try scanner.peek() == 0x22 {
                let type = try scanner.text()
                message.isSnapshot = scanner.equals(type, "snapshot")
            } else if scanner.equals(key, "data") {
                data = scanner.index
                try scanner.skip()
            } else if scanner.equals(key, "ts") {
                message.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "timestamp_e6"), try !scanner.takeNull() {
                message.venueTime = Timestamp(microseconds: try scanner.integer())
            } else if scanner.equals(key, "cross_seq"), try !scanner.takeNull() {
                message.crossSequence = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        guard let topic else {
            scanner.index = start
            return try readAnswer(&scanner, at: time, into: &output)
        }
        guard let data, let known = BybitTopic(topic, in: scanner) else {
            output.counters.unexpected &+= 1
            return
        }
        scanner.index = data
        let whole = BybitMessage(
            topic: known, connection: connection, isSnapshot: message.isSnapshot,
            venueTime: message.venueTime, crossSequence: message.crossSequence)
        try read(whole, &scanner, at: time, into: &output)
    }

    private mutating func read(
        _ message: BybitMessage, _ scanner: inout JSONScanner, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        switch message.topic.kind {
        case .trades:
            try readTrades(
                &scanner, on: message.connection, isBackfill: false, at: time, into: &output)
        case .book: try readBook(&scanner, message, at: time, into: &output)
        case .oldBook: try readOldBook(&scanner, message, at: time, into: &output)
        case .ticker: try readTicker(&scanner, message, at: time, into: &output)
        case .candle: try readCandles(&scanner, message, at: time, into: &output)
        case .liquidation: try readLiquidations(&scanner, message, at: time, into: &output)
        }
    }

    /// The instrument of a message; `nil`, and counted, where nobody asked for this of it.
    mutating func instrument(
        of message: BybitMessage, in scanner: JSONScanner, for channel: ChannelSet,
        into output: inout VenueOutput
    ) -> InstrumentIndex? {
        let symbol = scanner.bytes(message.topic.symbol)
        if let index = instrument(symbol, on: message.connection),
            !core.channels[index.offset].isDisjoint(with: channel)
        {
            return index
        }
        output.counters.unexpected &+= 1
        return nil
    }

    /// Resyncs the book that an unreadable message was about, by its topic, or else what it may have been
    /// about.
    private mutating func suspectBook(
        in frame: UnsafeRawBufferPointer, on connection: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let topic = frame.quoted(beginning: "orderbook.") ?? frame.quoted(beginning: "orderBook")
        if let topic, let dot = topic.lastIndex(of: 0x2E),
            let index = instrument(UnsafeRawBufferPointer(rebasing: topic[(dot + 1)...]), on: connection)
        {
            guard core.trackers[index.offset].isFollowing else { return }
            return core.lose(
                index, .malformedMessage, "\(frame.count) bytes could not be read", at: time, into: &output)
        }
        core.suspectBooks(in: frame, looksLikeBook: true, at: time, into: &output)
    }
}

extension Timestamp {
    /// So many microseconds since 1970; `nil` beyond the range.
    fileprivate init?(microseconds: Int64) {
        let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
