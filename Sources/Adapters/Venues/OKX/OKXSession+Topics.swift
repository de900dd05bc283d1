package import Instruments
import MarketData

extension OKXSession {
    typealias Topic = UnconfirmedTopics.Topic

    /// Which connection brings a channel.
    static func connection(of channel: ChannelSet) -> Int {
        channel == .trade || channel == .candle ? OKXLine.business : OKXLine.main
    }

    /// The venue's names of the channels.
    private static let names: [(channel: ChannelSet, name: String)] = [
        (.book, "books"), (.ticker, "tickers"), (.mark, "mark-price"), (.okxFunding, "funding-rate"),
        (.okxOpenInterest, "open-interest"), (.okxIndexPrice, "index-tickers"),
        (.liquidation, "liquidation-orders"), (.trade, "trades-all"), (.candle, "candle1m"),
    ]

    /// The members of a topic's object.
    func argument(_ topic: Topic) -> String {
        let name = OKXSession.names.first { $0.channel == topic.channel }?.name ?? ""
        return "\"channel\":\"\(name)\"," + subject(of: topic)
    }

    /// What is wanted on a connection, channel by channel.
    func wanted(on connection: Int) -> [Topic] {
        wanted { core.channels[$0.offset] }.filter { OKXSession.connection(of: $0.channel) == connection }
    }

    /// Single topics, channel by channel; of those that several instruments share, each once.
    func wanted(_ channels: (InstrumentIndex) -> ChannelSet) -> [Topic] {
        let sets = core.registry.indices.map { ($0, onWire(channels($0), of: $0)) }
        return OKXSession.names.flatMap { channel, _ in
            var known: Set<String> = []
            return sets.compactMap { index, set -> Topic? in
                guard set.contains(channel) else { return nil }
                let topic = Topic(index: index, channel: channel)
                return known.insert(subject(of: topic)).inserted ? topic : nil
            }
        }
    }

    mutating func subscribe(_ topics: [Topic], into output: inout VenueOutput) {
        for topic in topics { unconfirmed.asked(topic) }
        send("subscribe", topics, into: &output)
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        books.grow(to: core.trackers.count)
        for change in changes where change.lost.contains(.book) || change.gained.contains(.book) {
            books.forget(change.index)
        }
        askForOptions(into: &output)
        openBusinessIfWanted(into: &output)
        guard !changes.isEmpty else { return }
        var before = core.channels
        for change in changes { before[change.index.offset] = change.before(before[change.index.offset]) }
        let (old, new) = (wanted { before[$0.offset] }, wanted { core.channels[$0.offset] })
        let (oldNames, newNames) = (Set(old.map(argument)), Set(new.map(argument)))
        let lost = old.filter { !newNames.contains(argument($0)) }
        for topic in lost { unconfirmed.settled(topic) }
        send("unsubscribe", lost.filter(isUp), into: &output)
        subscribe(new.filter { !oldNames.contains(argument($0)) && isUp($0) }, into: &output)
    }

    private func isUp(_ topic: Topic) -> Bool {
        OKXSession.connection(of: topic.channel) == OKXLine.main ? core.isConnected : business.isUp
    }

    // MARK: - Messages

    mutating func readMessage(
        _ scanner: inout JSONScanner, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let message = try ArgMessage.read(&scanner)
        guard message.event.count == 0 else {
            return answered(message, scanner, connection: connection, at: time, into: &output)
        }
        guard let data = message.data, message.hasTopic else {
            output.counters.unexpected &+= 1
            return
        }
        guard let topic = OKXTopic(message, in: scanner) else {
            output.counters.unexpected &+= 1
            return
        }
        scanner.index = data
        switch topic {
        case .indexPrice: return try readIndexPrices(&scanner, at: time, into: &output)
        case .liquidation: return try readLiquidations(&scanner, at: time, into: &output)
        default: break
        }
        try scanner.array { scanner throws(ScanError) in
            // v5 names the instrument once, v3 in each row.
            let symbol = message.symbol.count > 0 ? message.symbol : try scanner.rowSymbol()
            guard let index = instrument(scanner.bytes(symbol)), core.wantsAny(of: topic.channels, index)
            else {
                output.counters.unexpected &+= 1
                return try scanner.skip()
            }
            switch topic {
            case .book(let stream):
                let origin = LinkedBooks.Origin(
                    index: index, connection: connection, stream: stream, time: time)
                let isImage = try message.isImage(scanner, of: stream)
                if isImage { unconfirmed.brought(Topic(index: index, channel: .book)) }
                try books.read(&scanner, isImage: isImage, from: origin, in: &core, into: &output)
            case .trade: try readTrade(&scanner, index, isBackfill: false, at: time, into: &output)
            case .ticker: try readTicker(&scanner, index, at: time, into: &output)
            case .mark: try readMark(&scanner, index, at: time, into: &output)
            case .funding: try readFunding(&scanner, index, at: time, into: &output)
            case .openInterest: try readOpenInterest(&scanner, index, at: time, into: &output)
            case .indexPrice, .liquidation: try scanner.skip()
            case .candle(let interval, let seconds):
                let row = ReadCandle(interval: interval, seconds: seconds)
                try readCandle(&scanner, row, index, at: time, into: &output)
            }
        }
    }

    // MARK: - Answers

    /// Codes that say that the venue is busy, not that it refuses.
    ///
    /// Source: OKX API guide v5, "Error code", "General class" and "WebSocket"; not confirmed.
    private static let busy: Set<Int64> = [50_001, 50_004, 50_011, 50_013, 50_026, 60_014, 63_999]
    /// The connection is about to be closed for an upgrade.
    private static let upgrade: Int64 = 64_008

    private mutating func answered(
        _ message: ArgMessage, _ scanner: JSONScanner, connection: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        if scanner.equals(message.event, "subscribe") {
            if let topic = topic(message, scanner) { unconfirmed.settled(topic) }
        } else if scanner.equals(message.event, "unsubscribe") {
            guard let topic = topic(message, scanner), topic.channel == .book else { return }
            books.stopped(
                topic.index, isAsked: unconfirmed.awaits(topic), in: &core, at: time, into: &output)
        } else if scanner.equals(message.event, "notice") {
            guard message.code == OKXSession.upgrade else { return }
            output.actions.append(
                .reconnect(connection: connection, reason: "the venue upgrades its service"))
        } else if scanner.equals(message.event, "error") {
            guard OKXSession.busy.contains(message.code) else {
                output.counters.refused &+= 1
                return refused(scanner.string(message.words) ?? "", at: time, into: &output)
            }
            // It does not say which: those that nothing was heard of.
            unconfirmed.postpone(nil, &core.governor, at: time)
        } else if scanner.equals(message.event, "channel-conn-count-error") {
            output.counters.refused &+= 1
        }
    }

    /// A refusal names its topic in its words alone: "channel:books,instId:BTC-USDX doesn't exist".
    private mutating func refused(_ words: String, at time: Timestamp, into output: inout VenueOutput) {
        func named(_ key: String) -> String {
            guard let parts = words.firstRange(of: key) else { return "" }
            return String(words[parts.upperBound...].prefix { $0 != "," && $0 != " " })
        }
        guard let index = core.registry.find(named("instId:")),
            let channel = OKXSession.names.first(where: { $0.name == named("channel:") })?.channel
        else { return }
        unconfirmed.settled(Topic(index: index, channel: channel))
        if channel == .book { books.refused(index, words, in: &core, at: time, into: &output) }
    }

    private func topic(_ message: ArgMessage, _ scanner: JSONScanner) -> Topic? {
        guard message.channel.count > 0, let kind = OKXTopic(message, in: scanner) else { return nil }
        if let shared = sharedTopic(kind, message, scanner) { return shared }
        guard let index = core.registry.find(scanner.bytes(message.symbol))
        else { return nil }
        return Topic(index: index, channel: kind.channel)
    }
}

extension JSONScanner {
    /// `instrument_id` of the object that begins here; the scanner stays where it is.
    fileprivate mutating func rowSymbol() throws(ScanError) -> JSONText {
        let start = index
        var symbol: JSONText?
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "instrument_id") {
                symbol = try scanner.text()
            } else {
                try scanner.skip()
            }
        }
        index = start
        guard let symbol else { throw .malformed }
        return symbol
    }
}
