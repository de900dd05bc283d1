import Instruments
import MarketData

extension UpbitSession {
    private static let types: [(name: String, channel: ChannelSet)] = [
        ("orderbook", .book), ("trade", .trade), ("ticker", .ticker), ("candle.1m", .candle),
    ]

    /// The list; without any code there is none.
    private func list() -> String? {
        var fields = ["{\"ticket\":\"bitpal\"}"]
        for (name, channel) in Self.types {
            // One code that is not traded would cost the whole list.
            let codes = core.registry.indices.filter { core.wants(channel, $0) && core.mayExist($0) }
            guard !codes.isEmpty else { continue }
            let list = codes.map { "\"\(core.registry[$0].symbol)\"" }.joined(separator: ",")
            fields.append("{\"type\":\"\(name)\",\"codes\":[\(list)]}")
        }
        guard fields.count > 1 else { return nil }
        fields.append("{\"format\":\"DEFAULT\"}")
        return "[\(fields.joined(separator: ","))]"
    }

    mutating func ask(into output: inout VenueOutput) {
        sentList = list()
        if let sentList { output.actions.append(.send(connection: 0, text: sentList)) }
    }

    /// Sends the list if the venue has begun, or is now known not, to trade what somebody wants.
    mutating func askAnew(into output: inout VenueOutput) {
        if core.isConnected, list() != sentList { ask(into: &output) }
    }

    /// Whether an answer with the whole book may become it: without a subscription nothing would follow.
    func takesImage(_ index: InstrumentIndex) -> Bool {
        core.takesImage(index) && (heard.contains(index) || core.configuration.discoversInstruments)
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        var needsList = false
        while let index = core.takeDue(at: time) {
            if heard.contains(index) {
                let request = VenueRequest(purpose: .bookSnapshot(index), url: bookURL(index))
                output.actions.append(.request(request))
            } else if core.mayExist(index) {
                needsList = true
                awaitAll(like: index, at: time)
            }
        }
        if needsList { ask(into: &output) }
    }

    /// One list is for all books of which nothing has come.
    private mutating func awaitAll(like due: InstrumentIndex, at time: Timestamp) {
        let attempts = core.trackers[due.offset].attempts
        for index in core.registry.indices where core.wants(.book, index) && !heard.contains(index) {
            core.trackers[index.offset].phase = .waiting(since: time)
            core.trackers[index.offset].attempts = attempts
        }
    }

    func bookURL(_ index: InstrumentIndex) -> String {
        "\(core.configuration.restURL)/v1/orderbook?markets=\(URLText.escape(core.registry[index].symbol))"
    }
}
