package import Instruments
import MarketData

extension KuCoinSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try readMessage(&scanner, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            growDepths()
            core.suspectBooks(
                in: frame, looksLikeBook: frame.mentions("level2"), at: time, into: &output)
            for tracker in core.trackers where !tracker.isFollowing {
                guard depths[tracker.index.offset].sequence > 0 else { continue }
                depths[tracker.index.offset] = KuCoinDepth()
            }
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// `{"type":…,"topic":…,"subject":…,"data":…}`, in any order.
    private mutating func readMessage(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var type: JSONText?
        var topic: JSONText?
        var subject: JSONText?
        var data: Int?
        var id: Int64?
        var code: Int64?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "data") {
                data = scanner.index
                try scanner.skip()
            } else if scanner.equals(key, "type") {
                type = try scanner.text()
            } else if scanner.equals(key, "topic") {
                topic = try scanner.text()
            } else if scanner.equals(key, "subject") {
                subject = try scanner.text()
            } else if scanner.equals(key, "id") {
                let text = try scanner.scalarText()
                id = scanner.string(text).flatMap { Int64($0) }
            } else if scanner.equals(key, "code") {
                code = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        guard let type else { return }
        if scanner.equals(type, "message"), let topic, let data {
            scanner.index = data
            try readData(&scanner, topic, subject, at: time, into: &output)
        } else if scanner.equals(type, "ack") {
            acknowledged(id, at: time)
        } else if scanner.equals(type, "error") {
            let message = data.map { String(decoding: scanner.bytes(from: $0), as: UTF8.self) } ?? ""
            refused(id, code: code, message, at: time, into: &output)
        }
    }

    /// What a topic says; the scanner stands on `data`.
    private mutating func readData(
        _ scanner: inout JSONScanner, _ topic: JSONText, _ subject: JSONText?, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let (channel, name) = Self.split(topic, in: scanner) else {
            output.counters.unexpected &+= 1
            return
        }
        // The topic of all tickers names its instrument in the subject.
        let symbol = scanner.equals(name, "all") ? subject ?? name : name
        guard let index = instrument(scanner.bytes(symbol)), core.wants(channel, index) else {
            if !scanner.equals(name, "all") { output.counters.unexpected &+= 1 }
            return
        }
        switch channel {
        case .book: try readUpdate(&scanner, index, at: time, into: &output)
        case .trade: try readMatch(&scanner, index, at: time, into: &output)
        default: try readTicker(&scanner, index, at: time, into: &output)
        }
    }

    /// The channel and the symbol of a topic, `/market/<kind>:<symbol>`; `nil` for what is not followed.
    private static func split(_ topic: JSONText, in scanner: JSONScanner) -> (ChannelSet, JSONText)? {
        for (name, channel) in KuCoinText.topics {
            let length = name.utf8.count
            guard topic.count > length + 1, !topic.hasEscapes else { continue }
            let bytes = scanner.bytes(topic)
            guard bytes[length] == 0x3A, bytes.prefix(length).elementsEqual(name.utf8) else { continue }
            let start = topic.start + length + 1
            return (channel, JSONText(start: start, count: topic.count - length - 1, hasEscapes: false))
        }
        return nil
    }

    /// The index of a symbol, with the depth that belongs to it.
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        growDepths()
        return index
    }
}

extension JSONScanner {
    /// What lies behind an offset, for the words of an error.
    fileprivate func bytes(from start: Int) -> UnsafeRawBufferPointer {
        bytes(JSONText(start: start, count: min(count - start, 400), hasEscapes: false))
    }
}
