package import Instruments
import MarketData

/// Where the parts of a message lie.
struct DeribitEnvelope {
    /// `id` of the request that it answers.
    var number: Int?
    var method = JSONText(start: 0, count: 0, hasEscapes: false)
    var parameters: Int?
    var result: Int?
    var error: Int?

    /// Walks through the whole message, so that one that breaks off says nothing.
    init(_ scanner: inout JSONScanner) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "method") {
                method = try scanner.text()
            } else if scanner.equals(key, "id") {
                number = scanner.string(try scanner.scalarText()).flatMap { Int($0) }
            } else {
                if scanner.equals(key, "params") { parameters = scanner.index }
                if scanner.equals(key, "result") { result = scanner.index }
                if scanner.equals(key, "error") { error = scanner.index }
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
    }
}

extension DeribitSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            let envelope = try DeribitEnvelope(&scanner)
            if scanner.equals(envelope.method, "subscription"), let parameters = envelope.parameters {
                scanner.index = parameters
                try readNotification(&scanner, on: connection, at: time, into: &output)
            } else if scanner.equals(envelope.method, "heartbeat"), let parameters = envelope.parameters {
                scanner.index = parameters
                try readHeartbeat(&scanner, into: &output)
            } else {
                try readAnswer(&scanner, envelope, at: time, into: &output)
            }
        } catch {
            output.malformed("message", bytes: frame.count)
            suspectBook(in: frame, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    private mutating func readHeartbeat(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        var isTest = false
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "type"), try scanner.peek() == 0x22 else { return try scanner.skip() }
            let type = try scanner.text()
            isTest = scanner.equals(type, "test_request")
        }
        if isTest { send("public/test", "{}", into: &output) }
    }

    private mutating func readNotification(
        _ scanner: inout JSONScanner, on connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var (name, data): (JSONText?, Int?)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "channel") {
                name = try scanner.text()
            } else {
                if scanner.equals(key, "data") { data = scanner.index }
                try scanner.skip()
            }
        }
        guard let name, let data else { throw .malformed }
        guard let channel = DeribitChannel(name, in: scanner) else {
            output.counters.unexpected &+= 1
            return
        }
        scanner.index = data
        switch channel.kind {
        case .book: try readBook(&scanner, channel, on: connection, at: time, into: &output)
        case .trades: try readTrades(&scanner, isBackfill: false, at: time, into: &output)
        case .ticker: try readTicker(&scanner, channel, at: time, into: &output)
        case .candle: try readCandle(&scanner, channel, at: time, into: &output)
        }
    }

    /// The instrument of a channel; `nil`, and counted, where nobody asked for this of it.
    mutating func instrument(
        of channel: DeribitChannel, in scanner: JSONScanner, for wanted: ChannelSet,
        into output: inout VenueOutput
    ) -> InstrumentIndex? {
        if let index = instrument(scanner.bytes(channel.symbol)),
            !core.channels[index.offset].isDisjoint(with: wanted)
        {
            return index
        }
        output.counters.unexpected &+= 1
        return nil
    }

    /// Resyncs the book that an unreadable message was about, by its channel.
    private mutating func suspectBook(
        in frame: UnsafeRawBufferPointer, at time: Timestamp, into output: inout VenueOutput
    ) {
        grow()
        guard let channel = frame.quoted(beginning: "book."), let first = channel.firstIndex(of: 0x2E),
            let end = channel[(first + 1)...].firstIndex(of: 0x2E)
        else {
            return core.suspectBooks(
                in: frame, looksLikeBook: frame.mentions("\"book."), at: time, into: &output)
        }
        let symbol = UnsafeRawBufferPointer(rebasing: channel[(first + 1)..<end])
        guard let index = core.registry.find(symbol), core.trackers[index.offset].isFollowing else { return }
        core.lose(
            index, .malformedMessage, "\(frame.count) bytes could not be read", at: time, into: &output)
    }
}
