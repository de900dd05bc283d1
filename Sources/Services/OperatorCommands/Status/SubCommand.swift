package import ArgumentParser
import Bus
import Instruments
import ServiceLifecycle
import Shapes
import SwiftProtobuf
import Wire

/// The command `bitpal sub PREFIX…`.
package struct SubCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "sub",
        abstract: "Prints what travels on the bus under some topic prefixes, retained messages first.")

    @Argument(help: "Beginnings of topics, such as trade.kraken. or book.top.")
    var prefixes: [String]

    @OptionGroup var bus: BusOptions

    @Flag(help: "Each message as one JSON object with topic, header and event.")
    var json = false

    @Option(help: "End after so many messages.")
    var count: Int?

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks what the parser cannot.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is \(count); it must be 1 or more") }
    }

    /// Prints until it has seen enough, or until Ctrl-C.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when the bus does not answer.
    package func run() async throws {
        let client = try BusClient(bus.addresses())
        _ = try await client.state(["service.status."])
        // What is retained is asked for by whole parts of a topic.
        let wanted = prefixes.flatMap { $0.isEmpty || $0.hasSuffix(".") ? [$0] : [$0, $0 + "."] }
        let subscriber = try client.subscriber(wanted, name: "bitpal-sub")
        try await client.run(subscriber, MessagePrinter(subscriber: subscriber, isJSON: json, limit: count))
    }
}

/// Prints messages and losses as they come.
struct MessagePrinter: Service {
    let subscriber: Subscriber
    let isJSON: Bool
    /// `nil` for no end.
    let limit: Int?

    func run() async throws {
        let subscriber = subscriber
        try await withGracefulShutdownHandler {
            try await printAll()
        } onGracefulShutdown: {
            subscriber.finish()
        }
    }

    private func printAll() async throws {
        let output = StandardOutput()
        var printed = 0
        for await batch in subscriber.batches {
            for event in batch.events {
                guard let line = try line(event, batch) else { continue }
                try output.write(line)
                if case .message = event { printed += 1 }
                if printed == limit { return try output.flush() }
            }
            // Nobody waits for a line because the next one is late.
            try output.flush()
        }
        try output.flush()
    }

    /// The line of an event, `nil` for what is nobody's concern here.
    private func line(_ event: BusEvent, _ batch: BusBatch) throws -> [UInt8]? {
        switch event {
        case .message(let message):
            guard let envelope = try? batch.withPayload(of: message, EnvelopeDecoder.parse) else {
                return nil
            }
            guard isJSON else { return try text(message, envelope, batch) }
            let line = MessageLine(
                message: message, topic: batch.topic(message.topic), envelope: envelope,
                event: WrittenJSON(try self.event(envelope)))
            return line.json + [0x0A]
        case .gap(let gap):
            let missing =
                gap.received.map { "\(gap.expected) to \($0 - 1)" } ?? "\(gap.expected) and maybe more"
            guard isJSON else { return Array("gap \(batch.topic(gap.topic)) missing \(missing)\n".utf8) }
            let line = GapLine(
                gap: gap, topic: batch.topic(gap.topic), producer: batch.producer(gap.producer))
            return line.json + [0x0A]
        default: return nil
        }
    }

    private func text(_ message: BusMessage, _ envelope: Bitpal_V1_Envelope, _ batch: BusBatch) throws
        -> [UInt8]
    {
        let time = ClockText.time(message.publishedTime)
        let retained = message.isRetained ? " retained" : ""
        let head = "\(time) \(batch.topic(message.topic)) \(message.sequence)\(retained) "
        return try Array(head.utf8) + event(envelope) + [0x0A]
    }

    /// The event alone as protobuf JSON.
    private func event(_ envelope: Bitpal_V1_Envelope) throws -> [UInt8] {
        var bare = Bitpal_V1_Envelope()
        bare.event = envelope.event
        return try bare.jsonUTF8Bytes()
    }
}

/// A message as `--json` prints it.
private struct MessageLine: WireBody {
    static let shape = BodyShape<MessageLine>("BusMessage") {
        Field("topic", \.topic, example: "trade.kraken.BTC/USD.")
        Field("producer", \.envelope.producer, "Who sent it.", example: "feed-ingestor")
        Field("epoch", { String($0.envelope.epoch) }, "The life of its producer.", example: "18")
        Field("sequence", \.envelope.sequence, "Its number in its topic.", example: 7)
        Field("published", \.message.publishedTime.iso8601, "When it was sent.", as: .time)
        Field("retained", \.message.isRetained, "Whether it was sent before somebody listened.")
        Field("event", \.event, "The protobuf message as JSON.")
    }

    let message: BusMessage
    let topic: String
    let envelope: Bitpal_V1_Envelope
    let event: WrittenJSON<EventDocument>
}

/// A message of `proto/`, which says what it holds.
private enum EventDocument: Described {
    static let document = BodyDocument("Event", whole: .any, example: [:])
}
