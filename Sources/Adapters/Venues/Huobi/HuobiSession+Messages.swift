import Instruments
import MarketData

/// The parts of a message that say what it is.
private struct HuobiMessage {
    var channel: JSONText?
    var isAnswer = false
    /// The topic whose subscription it confirms.
    var subscribed: JSONText?
    /// Where `tick` or `data` lies.
    var body: Int?
    var venueTime: Timestamp?
    var ping: Int64?
    var id = ""
    var status = ""
    var code = ""
}

extension HuobiSession {
    mutating func read(
        _ scanner: inout JSONScanner, _ connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let message = try readParts(&scanner)
        try scanner.expectEnd()
        if let ping = message.ping {
            return output.actions.append(.send(connection: connection, text: "{\"pong\":\(ping)}"))
        }
        if message.status == "error" {
            return takeRefusal(of: message.id, message.code, at: time, into: &output)
        }
        guard let channel = message.channel, let body = message.body else {
            // The answer to a subscription.
            if let topic = message.subscribed { subscribed(topic, scanner) }
            return refused.forget(message.id)
        }
        guard let topic = HuobiTopic(scanner.bytes(channel)), let index = instrument(topic.symbol) else {
            output.counters.unexpected &+= 1
            return
        }
        scanner.index = body
        let stamp = Stamp(venue: message.venueTime, received: time)
        switch topic.kind {
        case .image where core.wants(.book, index):
            try takeImage(try readBook(&scanner), index, stamp, into: &output)
        case .changes where core.wants(.book, index):
            let book = try readBook(&scanner)
            if message.isAnswer {
                try takeAnswer(book, index, stamp, into: &output)
            } else {
                try takeChange(book, index, stamp, into: &output)
            }
        case .trades where core.wants(.trade, index):
            try readTrades(&scanner, index, isBackfill: false, at: time, into: &output)
        case .quote where core.wants(.ticker, index), .ticker where core.wants(.ticker, index):
            try readTicker(&scanner, index, stamp, into: &output)
        case .candle where core.wants(.candle, index):
            try readCandle(&scanner, index, topic.interval, stamp, into: &output)
        default: output.counters.unexpected &+= 1
        }
    }

    private mutating func subscribed(_ topic: JSONText, _ scanner: JSONScanner) {
        guard let topic = HuobiTopic(scanner.bytes(topic)), topic.kind == .changes,
            let index = core.registry.find(topic.symbol), index.offset < depths.count
        else { return }
        depths[index.offset].isSubscribed = true
    }

    /// When a message was sent and when it came.
    struct Stamp {
        var venue: Timestamp?
        var received: Timestamp
    }

    private func readParts(_ scanner: inout JSONScanner) throws(ScanError) -> HuobiMessage {
        var message = HuobiMessage()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "ch") {
                message.channel = try scanner.text()
            } else if scanner.equals(key, "rep") {
                message.channel = try scanner.text()
                message.isAnswer = true
            } else if scanner.equals(key, "subbed") {
                message.subscribed = try scanner.text()
            } else if scanner.equals(key, "tick") || scanner.equals(key, "data") {
                message.body = scanner.index
                try scanner.skip()
            } else if scanner.equals(key, "ts") {
                message.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "ping") {
                message.ping = try scanner.integer()
            } else if scanner.equals(key, "id") {
                message.id = scanner.string(try scanner.scalarText()) ?? ""
            } else if scanner.equals(key, "status") {
                message.status = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "err-code") {
                message.code = scanner.string(try scanner.scalarText()) ?? ""
            } else {
                try scanner.skip()
            }
        }
        return message
    }

    /// A message that cannot be read costs the book that its channel names, or all when it names none and
    /// looks like one of a book.
    mutating func suspectBooks(
        in frame: UnsafeRawBufferPointer, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard frame.mentions("mbp") || frame.mentions("depth") else { return }
        var named: [InstrumentIndex] = []
        for text in frame.split(separator: UInt8(ascii: "\"")) {
            let topic = HuobiTopic(UnsafeRawBufferPointer(rebasing: text))
            if let topic, let index = core.registry.find(topic.symbol) { named.append(index) }
        }
        for index in named.isEmpty ? Array(core.registry.indices) : named
        where core.trackers[index.offset].isFollowing {
            lose(index, .malformedMessage, "\(frame.count) bytes could not be read", at: time, into: &output)
        }
    }
}
