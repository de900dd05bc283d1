import Instruments
import Logging
import NIOCore
import NIOWebSocket

extension VenueSimulator {
    /// Whether a client is still heard: on a half-open connection it is not.
    func hears(_ client: Int, venue: Int) -> Bool {
        !(stages[venue].faults?.links[client]?.isHalfOpen ?? false)
    }

    /// Whether a WebSocket is opened at this address.
    func opens(_ uri: String) -> Bool {
        guard let venue = venue(ofSocket: uri) else { return false }
        return stages[venue].faults?.opens(uri) ?? true
    }

    /// How a request is refused by a fault; `nil` where it is answered.
    func refusal(of uri: String, venue: Int) -> RESTAnswer? { stages[venue].faults?.refusal(of: uri) }

    /// A reply that comes later where the fault of a late image strikes.
    func delayed(
        _ reply: @escaping @Sendable (RESTAnswer) -> Void, of address: RequestAddress, venue: Int
    ) -> @Sendable (RESTAnswer) -> Void {
        guard stages[venue].faults != nil else { return reply }
        let playback = stages[venue].playback
        let question = playback.dialect.question(address, symbols: playback.topics.symbols)
        var isImage = false
        if case .book = question { isImage = true }
        let delay = stages[venue].faults?.answers.delay(isImage: isImage) ?? 0
        guard delay > 0 else { return reply }
        let loop = loop
        return { answer in loop.scheduleTask(in: .nanoseconds(delay)) { reply(answer) } }
    }

    /// Sends what faults let through by now, and comes back when there is more.
    func deliver(_ venue: Int) {
        let now = now
        guard !isClosing, let leaving = stages[venue].faults?.leave(at: now) else { return }
        stages[venue].reportFaults()
        for (client, departures) in leaving {
            guard let channel = stages[venue].channels[client] else { continue }
            for departure in departures { send(departure, to: client, on: channel, venue: venue) }
            flush(client, venue)
        }
        stages[venue].faults?.wake?.cancel()
        guard let next = stages[venue].faults?.nextDeparture else { return }
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(clamping: next.nanoseconds))
        stages[venue].faults?.wake = loop.scheduleTask(deadline: deadline) { [weak self] in
            self?.assumeIsolated { $0.deliver(venue) }
        }
    }

    private func send(
        _ departure: FaultyLink.Departure, to client: Int, on channel: any Channel, venue: Int
    ) {
        let isPacked = stages[venue].playback.dialect.transform != nil
        switch departure {
        case .message(let message):
            channel.write(frame(message, isPacked ? .binary : .text, isLast: true), promise: nil)
        case .part(let part, let isFirst, let isLast):
            let kind: WebSocketOpcode = isFirst ? (isPacked ? .binary : .text) : .continuation
            channel.write(frame(part, kind, isLast: isLast), promise: nil)
        case .end:
            leave(client, venue: venue)
            // Without a word, as when a network ends.
            channel.close(promise: nil)
        }
    }

    private func frame(_ bytes: [UInt8], _ kind: WebSocketOpcode, isLast: Bool) -> WebSocketFrame {
        WebSocketFrame(fin: isLast, opcode: kind, data: ByteBuffer(bytes: bytes))
    }

    /// How many faults of each kind there were, of all venues.
    var faultCounts: [FaultKind: Int] {
        stages.compactMap(\.faults?.counts).reduce([:]) { $0.merging($1, uniquingKeysWith: +) }
    }

    /// Says how many faults there were.
    func reportFaults() {
        for stage in stages {
            guard let counts = stage.faults?.counts else { continue }
            var metadata: Logger.Metadata = ["venue": "\(stage.venue)"]
            for kind in FaultKind.allCases { metadata[kind.rawValue] = "\(counts[kind] ?? 0)" }
            logger.notice("Faults", metadata: metadata)
        }
    }
}
