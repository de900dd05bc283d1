import ArgumentParser
import Bus
import Instruments
import Shapes
import Wire

/// The command `bitpal book audit VENUE SYMBOL`.
struct BookAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Compares a whole book with a fresh snapshot of the venue's and resyncs it if they differ.",
        discussion: "Exit status: 0 equal, 1 different, 4 nobody answers.")

    @OptionGroup var instrument: InstrumentArguments
    @OptionGroup var bus: BusOptions

    @Option(help: "How long to wait for the answer, in seconds.")
    var timeout = 20

    @Flag(help: "One JSON object per line.")
    var json = false

    func validate() throws {
        guard (1...600).contains(timeout) else {
            throw ValidationError("--timeout is \(timeout); accepted: 1 to 600")
        }
    }

    func run() async throws {
        let client = try BusClient(bus.addresses())
        // Says that the bus is there, and that somebody follows the instrument.
        let known = try await client.instruments(of: instrument.id.venue)
        guard known.contains(instrument.id) else {
            throw InstrumentNames.notFound(instrument.id, known: known)
        }
        guard let reply = try await AuditRequest(instrument.id).ask(client, atMost: .seconds(timeout)) else {
            throw CommandFailure(
                .unreachable,
                "nobody answered within \(timeout) s; is feed-ingestor running for \(instrument.venue)?")
        }
        try show(reply)
    }

    private func show(_ reply: Bitpal_V1_ControlReply) throws {
        let output = StandardOutput()
        if json {
            try output.writeLine(json: AuditLine(reply: reply, id: instrument.id))
        } else if reply.isDone {
            for difference in reply.differences { try output.writeLine(difference) }
            let count = reply.differences.count
            let outcome = count == 0 ? "equal" : count == 1 ? "1 difference" : "\(count) differences"
            try output.writeLine("\(instrument.id): \(reply.levelsCompared) levels compared, \(outcome)")
        }
        try output.flush()
        guard reply.isDone else {
            throw CommandFailure(.failed, "\(instrument.id) could not be compared: \(reply.detail)")
        }
        guard reply.differences.isEmpty else {
            throw CommandFailure(
                .failed, "\(instrument.id) differed from the venue's book and is fetched again")
        }
    }
}

/// One request for an audit, and its answer.
struct AuditRequest: Sendable {
    private let instrument: InstrumentID
    private let requestID: String

    init(_ instrument: InstrumentID) {
        self.instrument = instrument
        // Few names: whoever remembers producers and topics, as a broker does, remembers these.
        requestID = "audit-\(Int.random(in: 0..<1_000))"
    }

    /// Publishes the request once its answer can be heard; `nil` when none came in time.
    func ask(_ client: BusClient, atMost limit: Duration) async throws -> Bitpal_V1_ControlReply? {
        let publisher = try Publisher(
            context: client.context,
            configuration: PublisherConfiguration(
                producer: "bitpal-\(requestID)", addresses: client.addresses),
            logger: client.logger)
        return try await withThrowingTaskGroup(of: Step.self) { group in
            group.addTask {
                try await publisher.run()
                return .publisherEnded
            }
            group.addTask {
                for await event in publisher.events where event == .brokerAppeared {
                    return .answered(try await hear(client, publisher, atMost: limit))
                }
                return .publisherEnded
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return .answered(nil)
            }
            defer { group.cancelAll() }
            while let step = try await group.next() {
                if case .answered(let reply) = step { return reply }
            }
            return nil
        }
    }

    private enum Step: Sendable {
        case publisherEnded
        case answered(Bitpal_V1_ControlReply?)
    }

    private func hear(
        _ client: BusClient, _ publisher: Publisher, atMost limit: Duration
    ) async throws -> Bitpal_V1_ControlReply? {
        var reply: Bitpal_V1_ControlReply?
        var isSent = false
        try await client.follow([Topic.controlReply(requestID: requestID)], atMost: limit) { batch, _ in
            for event in batch.events {
                switch event {
                case .synchronized where !isSent:
                    isSent = true
                    try send(publisher)
                case .message(let message):
                    guard case .controlReply(let answer)? = try? batch.decode(message) else { continue }
                    reply = answer
                default: continue
                }
            }
            return reply != nil
        }
        return reply
    }

    private func send(_ publisher: Publisher) throws {
        var command = Bitpal_V1_ControlCommand()
        command.command = "book-audit"
        command.instrument = instrument.description
        command.requestID = requestID
        let topic = try publisher.topic(Topic.control(command: "book-audit", instrument))
        var batch = OutboundBatch()
        batch.append(.controlCommand(command), to: topic)
        publisher.offer(&batch)
    }
}

/// What an audit found, as `--json` prints it.
struct AuditLine: WireBody {
    static let shape = BodyShape<AuditLine>("BookAudit") {
        Field(all: { InstrumentFields($0.id) })
        Field("done", \.reply.isDone, "Whether the books could be compared.", example: true)
        Field("equal", { $0.reply.isDone && $0.reply.differences.isEmpty }, example: true)
        Field("levels_compared", \.reply.levelsCompared, example: 2_000)
        Field("differences", \.reply.differences, "In words.", example: [])
        Field("detail", \.reply.detail, "Why they could not be compared, or nothing.", example: "")
    }

    let reply: Bitpal_V1_ControlReply
    let id: InstrumentID
}
