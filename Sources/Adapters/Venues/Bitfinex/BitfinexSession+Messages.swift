package import Instruments
import MarketData

extension BitfinexSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        guard let connection = link(connection) else { return }
        links[connection].received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            if try scanner.peek() == 0x5B {
                try readChannel(&scanner, connection, at: time, into: &output)
            } else {
                try readEvent(&scanner, connection, at: time, into: &output)
            }
        } catch {
            output.malformed("message", bytes: frame.count)
            suspect(frame, connection, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// Loses the book that an unreadable message was about, or all of the connection when its channel cannot
    /// be told.
    private mutating func suspect(
        _ frame: UnsafeRawBufferPointer, _ connection: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard frame.first == 0x5B else { return }
        let detail = "\(frame.count) bytes could not be read"
        let digits = frame.dropFirst().prefix { (0x30...0x39).contains($0) }
        let isWhole = digits.endIndex < frame.endIndex && frame[digits.endIndex] == 0x2C
        guard isWhole, let id = Int64(String(decoding: digits, as: UTF8.self)) else {
            return loseAll(on: connection, .malformedMessage, detail, at: time, into: &output)
        }
        guard let topic = links[connection].channels[id], topic.kind == .book,
            core.trackers[topic.index.offset].isFollowing
        else { return }
        lose(topic.index, .malformedMessage, detail, at: time, into: &output)
    }

    /// What a message of a channel holds between its channel's number and its own.
    private enum Payload {
        case list
        case heartbeat
        case checksum(Int64)
        /// A trade that was just executed.
        case execution
        /// What has no meaning for us, as the second word on a trade.
        case other
    }

    /// `[chanId, payload…, number]`.
    ///
    /// The number comes last and is looked at first: what is old is not read, and what comes after a gap is
    /// read by books that know of it.
    private mutating func readChannel(
        _ scanner: inout JSONScanner, _ connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var id: Int64 = -1
        var body = 0
        var payload = Payload.other
        var number: Int64?
        do throws(ScanError) {
            try scanner.expect(0x5B)
            id = try scanner.integer()
            try scanner.expect(0x2C)
            payload = try readPayload(&scanner, &body)
            number = try readNumber(&scanner)
        } catch {
            links[connection].skipUnread()
            throw error
        }
        if let number {
            switch links[connection].take(number) {
            case .next: break
            case .old:
                output.counters.staleDropped &+= 1
                return
            case .gap:
                output.counters.gaps &+= 1
                loseAll(
                    on: connection, .sequenceGap, "a message before number \(number) did not come", at: time,
                    into: &output)
            }
        } else if links[connection].isNumbered {
            throw .malformed
        }
        if case .heartbeat = payload { return }
        guard let topic = links[connection].channels[id] else {
            output.counters.unexpected &+= 1
            return
        }
        // A topic that was subscribed again elsewhere is read there.
        let place = places[topic.index.offset][topic.kind]
        guard place?.connection == connection, place?.channelID == id else { return }
        scanner.index = body
        let source = Source(topic: topic, connection: connection, isNumbered: number != nil)
        try read(payload, of: source, &scanner, at: time, into: &output)
    }

    /// Whose message is read.
    struct Source {
        let topic: BitfinexTopic
        let connection: Int
        let isNumbered: Bool
    }

    private mutating func read(
        _ payload: Payload, of source: Source, _ scanner: inout JSONScanner, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let index = source.topic.index
        switch (payload, source.topic.kind) {
        case (.list, .book): try readBook(&scanner, source, at: time, into: &output)
        case (.list, .trades): try readTrades(&scanner, index, at: time, into: &output)
        case (.list, .ticker): try readTicker(&scanner, index, at: time, into: &output)
        case (.execution, .trades):
            try readTrade(&scanner, index, isBackfill: false, at: time, into: &output)
        case (.checksum(let value), .book): compare(index, with: value, at: time, into: &output)
        default: break
        }
    }

    /// Reads over the payload and keeps in mind where it lies.
    private func readPayload(_ scanner: inout JSONScanner, _ body: inout Int) throws(ScanError) -> Payload {
        guard try scanner.peek() == 0x22 else {
            body = scanner.index
            try scanner.skip()
            return .list
        }
        let word = try scanner.text()
        if scanner.equals(word, "hb") { return .heartbeat }
        guard try scanner.take(0x2C) else { return .other }
        body = scanner.index
        if scanner.equals(word, "cs") { return .checksum(try scanner.integer()) }
        try scanner.skip()
        return scanner.equals(word, "te") ? .execution : .other
    }

    /// The number behind the payload; further elements are of no meaning.
    private func readNumber(_ scanner: inout JSONScanner) throws(ScanError) -> Int64? {
        var number: Int64?
        if try scanner.take(0x2C) { number = try scanner.integer() }
        while try scanner.take(0x2C) { try scanner.skip() }
        try scanner.expect(0x5D)
        try scanner.expectEnd()
        return number
    }

    /// The index of a symbol, with the places that belong to it.
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        growPlaces()
        return index
    }
}
