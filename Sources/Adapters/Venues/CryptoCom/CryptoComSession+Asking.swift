import Instruments
import MarketData

extension CryptoComSession {
    /// In the order in which they are subscribed to.
    static let channels: [ChannelSet] = [.book, .trade, .ticker, .candle, .mark]

    /// Levels a side: the two numbers that there are.
    var subscribedDepth: Int { core.configuration.bookDepth <= 10 ? 10 : 50 }

    /// The venue's name of a channel; `nil` for mark prices of what is no derivative.
    private func name(_ channel: ChannelSet, _ index: InstrumentIndex) -> String? {
        let symbol = core.registry[index].symbol
        switch channel {
        case .book: return "book.\(symbol).\(subscribedDepth)"
        case .trade: return "trade.\(symbol)"
        case .ticker: return "ticker.\(symbol)"
        case .candle: return "candlestick.1m.\(symbol)"
        // As in `BTCUSD-PERP` and `BTCUSD-260626`.
        default: return symbol.contains("-") ? "mark.\(symbol)" : nil
        }
    }

    mutating func ask(
        _ method: String, _ channel: ChannelSet, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        let named = instruments.compactMap { index in name(channel, index).map { (index, $0) } }
        for start in stride(from: 0, to: named.count, by: limit) {
            let part = named[start..<min(start + limit, named.count)]
            requestID += 1
            let topics = part.map { Topic(channel: channel.rawValue, index: $0.0) }
            if method == "subscribe" { asked[requestID] = topics }
            let list = part.map { "\"\($0.1)\"" }.joined(separator: ",")
            let options =
                channel == .book && method == "subscribe"
                ? ",\"book_subscription_type\":\"SNAPSHOT_AND_UPDATE\",\"book_update_frequency\":100" : ""
            let text =
                "{\"id\":\(requestID),\"method\":\"\(method)\","
                + "\"params\":{\"channels\":[\(list)]\(options)}}"
            output.actions.append(.send(connection: 0, text: text))
        }
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            ask("unsubscribe", .book, [index], into: &output)
            ask("subscribe", .book, [index], into: &output)
        }
    }

    /// Subscriptions that were refused because the venue was busy, as far as they are still wanted.
    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        var wanted: [ChannelSet.RawValue: [InstrumentIndex]] = [:]
        for key in refused.takeDue(at: time) {
            let parts = key.split(separator: ":").compactMap { Int32($0) }
            guard parts.count == 2, let bits = ChannelSet.RawValue(exactly: parts[0]) else { continue }
            let index = InstrumentIndex(rawValue: parts[1])
            if core.wants(ChannelSet(rawValue: bits), index) { wanted[bits, default: []].append(index) }
        }
        for channel in Self.channels {
            ask("subscribe", channel, wanted[channel.rawValue] ?? [], into: &output)
        }
    }

    /// The answer to a subscription.
    ///
    /// A busy venue is asked again; a message with several topics is asked for in parts, since one that does
    /// not exist costs the others; another refusal is counted.
    ///
    /// Source: Crypto.com, "Exchange API v1, Response and reason codes", not confirmed: 42901 and, of
    /// v2, 10006 for too many requests; 50001 for an internal error.
    mutating func takeAnswer(
        _ id: Int64, code: Int64, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard let topics = asked.removeValue(forKey: id) else {
            if code != 0 { output.counters.refused &+= 1 }
            return
        }
        let keys = topics.map { "\($0.channel):\($0.index.rawValue)" }
        switch code {
        case 0: for key in keys { refused.forget(key) }
        case 42_901, 10_006, 50_001: for key in keys { refused.refuse(key, at: time, &core.governor) }
        default:
            guard topics.count > 1 else {
                output.counters.refused &+= 1
                return
            }
            for topic in topics {
                ask("subscribe", ChannelSet(rawValue: topic.channel), [topic.index], into: &output)
            }
        }
    }
}
