import Instruments
import MarketData

extension HuobiSession {
    /// In the order in which they are subscribed to.
    static let channels: [ChannelSet] = [.book, .trade, .ticker, .candle]

    func topic(_ channel: ChannelSet, _ index: InstrumentIndex) -> String {
        let name =
            switch channel {
            case .book: followsChanges ? "mbp.\(Self.levels)" : "depth.step0"
            case .trade: "trade.detail"
            case .ticker: "bbo"
            default: "kline.1min"
            }
        return "market.\(core.registry[index].symbol).\(name)"
    }

    /// Books come from an address that gives nothing else.
    func connection(of channel: ChannelSet) -> Int { channel == .book || !followsChanges ? 0 : 1 }

    /// Each message names one topic, and its id says which one an answer is about.
    func ask(
        _ verb: String, _ channel: ChannelSet, _ index: InstrumentIndex, into output: inout VenueOutput
    ) {
        let id = "\(channel.rawValue):\(index.rawValue)"
        let text = "{\"\(verb)\":\"\(topic(channel, index))\",\"id\":\"\(id)\"}"
        output.actions.append(.send(connection: connection(of: channel), text: text))
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            if followsChanges {
                ask("req", .book, index, into: &output)
            } else {
                ask("unsub", .book, index, into: &output)
                ask("sub", .book, index, into: &output)
            }
        }
    }

    /// Subscriptions that were refused because the venue was busy, as far as they are still wanted.
    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        for id in refused.takeDue(at: time) {
            guard let (channel, index) = subject(of: id), core.wants(channel, index),
                isUp(connection(of: channel))
            else { continue }
            ask("sub", channel, index, into: &output)
        }
    }

    /// What an id of ours was about.
    private func subject(of id: String) -> (ChannelSet, InstrumentIndex)? {
        let parts = id.split(separator: ":").compactMap { Int32($0) }
        guard parts.count == 2, let bits = ChannelSet.RawValue(exactly: parts[0]), parts[1] >= 0,
            Int(parts[1]) < core.registry.count
        else { return nil }
        return (ChannelSet(rawValue: bits), InstrumentIndex(rawValue: parts[1]))
    }

    /// Takes an answer with `status` "error": a busy venue is asked again, another refusal is counted.
    ///
    /// A book that follows may be without its changes from here on.
    ///
    /// Source: HTX, "Spot API reference", WebSocket error codes (`bad-request`, `too-many-request`,
    /// `gateway-internal-error`); not confirmed.
    mutating func takeRefusal(
        of id: String, _ code: String, at time: Timestamp, into output: inout VenueOutput
    ) {
        let isBusy = ["too-many", "limit", "busy", "internal", "timeout"].contains { code.contains($0) }
        let subject = subject(of: id)
        if isBusy, subject != nil {
            refused.refuse(id, at: time, &core.governor)
        } else {
            output.counters.refused &+= 1
        }
        guard let (channel, index) = subject, channel == .book else { return }
        if core.trackers[index.offset].isFollowing {
            depths[index.offset].isSubscribed = false
            lose(index, .feedSilent, "the venue refuses it: \(code)", at: time, into: &output)
        } else if isBusy {
            retryImage(index, at: time)
        }
    }

    mutating func retryImage(_ index: InstrumentIndex, at time: Timestamp) {
        guard core.takesImage(index) else { return }
        let delay = core.governor.delay(attempts: core.trackers[index.offset].attempts)
        core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: max(delay, 1)))
    }
}
