package import ArgumentParser
import Bus
import Instruments
import JSON
import ServiceLifecycle
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
            return try isJSON ? json(message, envelope, batch) : text(message, envelope, batch)
        case .gap(let gap):
            let missing =
                gap.received.map { "\(gap.expected) to \($0 - 1)" } ?? "\(gap.expected) and maybe more"
            guard isJSON else { return Array("gap \(batch.topic(gap.topic)) missing \(missing)\n".utf8) }
            var line = JSONWriter()
            line.beginObject()
            line.pair("gap", batch.topic(gap.topic))
            line.pair("producer", batch.producer(gap.producer))
            line.pair("expected", gap.expected)
            line.key("received")
            if let received = gap.received { line.integer(received) } else { line.null() }
            line.endObject()
            line.endLine()
            return line.bytes
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

    private func json(_ message: BusMessage, _ envelope: Bitpal_V1_Envelope, _ batch: BusBatch) throws
        -> [UInt8]
    {
        var line = JSONWriter()
        line.beginObject()
        line.pair("topic", batch.topic(message.topic))
        line.pair("producer", envelope.producer)
        line.pair("epoch", String(envelope.epoch))
        line.pair("sequence", envelope.sequence)
        line.pair("published", message.publishedTime.iso8601)
        line.key("retained")
        line.bool(message.isRetained)
        line.key("event")
        line.raw(try event(envelope))
        line.endObject()
        line.endLine()
        return line.bytes
    }

    /// The event alone as protobuf JSON.
    private func event(_ envelope: Bitpal_V1_Envelope) throws -> [UInt8] {
        var bare = Bitpal_V1_Envelope()
        bare.event = envelope.event
        return try bare.jsonUTF8Bytes()
    }
}
