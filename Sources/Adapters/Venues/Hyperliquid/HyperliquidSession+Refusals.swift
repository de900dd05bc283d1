import Instruments
import MarketData

extension HyperliquidSession {
    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        for topic in refused.takeDue(at: time) {
            guard let (channel, index) = subject(of: topic), core.wantsAny(of: channel, index) else {
                continue
            }
            ask("subscribe", channel, index, into: &output)
        }
    }

    /// A text and the subscription that it is about, in JSON within the text.
    ///
    /// A busy venue is asked again; what is subscribed to already is no refusal; any other is counted.
    mutating func takeError(_ text: String, at time: Timestamp, into output: inout VenueOutput) {
        let words = text.lowercased()
        if words.contains("already subscribed") || words.contains("already unsubscribed") { return }
        let isBusy = ["too many", "rate limit", "overload", "busy", "try again"].contains {
            words.contains($0)
        }
        guard isBusy, let type = quoted("type", in: text), let coin = quoted("coin", in: text) else {
            output.counters.refused &+= 1
            return
        }
        refused.refuse("\(type) \(coin)", at: time, &core.governor)
    }

    private func subject(of topic: String) -> (ChannelSet, InstrumentIndex)? {
        let parts = topic.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let index = core.registry.find(String(parts[1])),
            let channel = Self.channels.first(where: { $0.name == parts[0] })?.channel
        else { return nil }
        return (channel, index)
    }

    /// The value of a text field somewhere in a text.
    private func quoted(_ name: String, in text: String) -> String? {
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        guard let place = parts.firstIndex(where: { $0 == name }), place + 2 < parts.count else { return nil }
        return String(parts[place + 2])
    }
}
