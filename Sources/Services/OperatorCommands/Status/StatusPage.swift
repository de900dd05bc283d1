import Bus
import Instruments
import Shapes
import Wire

/// What services and feeds say of themselves, watched.
struct StatusPage: LivePage {
    /// How often ages are told anew.
    private static let pause: Int64 = 1_000_000_000

    /// The last that was said under each topic.
    private var said: [String: RetainedEvent]
    /// Topics that JSON still has to tell.
    private var unsaid: Set<String>
    private var link = BusLink()
    private var drawn: Timestamp?

    init(_ known: [RetainedEvent]) {
        said = Dictionary(known.map { ($0.topic, $0) }, uniquingKeysWith: { _, new in new })
        unsaid = Set(said.keys)
    }

    /// Follows it until Ctrl-C.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when the bus does not answer.
    static func follow(_ client: BusClient, isJSON: Bool) async throws {
        let page = StatusPage(try await client.state(StatusReport.topics).events)
        let subscriber = try client.subscriber(StatusReport.topics, name: "bitpal-status")
        try await client.run(subscriber, LiveView(page, from: subscriber, isJSON: isJSON))
    }

    mutating func apply(_ batch: BusBatch, at now: Timestamp) -> [String] {
        for event in batch.events {
            link.note(event)
            guard case .message(let message) = event,
                let (header, said) = try? batch.withPayload(
                    of: message,
                    { (bytes) throws(WireError) in try EnvelopeDecoder.decode(bytes) })
            else { continue }
            let topic = batch.topic(message.topic)
            self.said[topic] = RetainedEvent(topic: topic, header: header, event: said)
            unsaid.insert(topic)
        }
        return []
    }

    func needsDrawing(at now: Timestamp) -> Bool {
        drawn.map { now.nanoseconds(since: $0) >= Self.pause } ?? true
    }

    mutating func draw(at now: Timestamp, columns: Int, rows: Int?) -> [StyledLine] {
        drawn = now
        var lines = [StyledLine("bitpal status", .strong)]
        lines[0].appendRight(ClockText.time(now) + " UTC", .faint, columns: columns)
        if link.word == .offline {
            lines.append(StyledLine("the bus is silent: what was last known", .warning))
        }
        return lines + StatusReport(events, at: now).lines(columns: columns)
    }

    mutating func news() -> [any WireBody] {
        let now = Timestamp.now
        drawn = now
        let new = events.filter { unsaid.contains($0.topic) }
        unsaid = []
        return StatusReport(new, at: now).bodies
    }

    private var events: [RetainedEvent] { said.sorted { $0.key < $1.key }.map(\.value) }
}
