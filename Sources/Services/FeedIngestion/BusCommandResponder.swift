import Bus
import Instruments
import Logging
import Wire

/// Answers commands that come over the bus.
///
/// Commands are requests of people: few at once, and one too many is refused with an answer that says so.
actor BusCommandResponder {
    /// Topics of the commands that it answers.
    static let prefixes = ["control.book-audit."]
    private static let maximumRunning = 4

    private let subscriber: Subscriber
    private let publisher: Publisher
    private let logger: Logger
    /// Compares a book; `nil` for an instrument of a venue that is none of ours.
    private let audit: @Sendable (InstrumentID) async -> AuditReport?
    private var running = 0

    init(
        subscriber: Subscriber, publisher: Publisher, logger: Logger,
        audit: @escaping @Sendable (InstrumentID) async -> AuditReport?
    ) {
        self.subscriber = subscriber
        self.publisher = publisher
        self.logger = logger
        self.audit = audit
    }

    /// Runs until the subscriber is finished; commands under way are then cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await batch in subscriber.batches {
                for case .message(let message) in batch.events where !message.isRetained {
                    // What is no command names nobody who could be answered.
                    guard case .controlCommand(let command)? = try? batch.decode(message) else { continue }
                    guard Self.isAcceptable(command) else { continue }
                    guard running < Self.maximumRunning else {
                        reply(to: command, AuditReport(detail: "too many commands at once; try again"))
                        continue
                    }
                    running += 1
                    group.addTask { await self.perform(command) }
                }
            }
            group.cancelAll()
        }
    }

    /// A reply's topic is made of the request's id: it must fit one.
    private static func isAcceptable(_ command: Bitpal_V1_ControlCommand) -> Bool {
        command.command == "book-audit" && (1...64).contains(command.requestID.utf8.count)
    }

    private func perform(_ command: Bitpal_V1_ControlCommand) async {
        defer { running -= 1 }
        guard let id = InstrumentID(command.instrument) else {
            reply(to: command, AuditReport(detail: "an instrument is written VENUE:SYMBOL"))
            return
        }
        // Another ingestor may follow the venue: silence is the right answer of this one.
        guard let report = await audit(id) else { return }
        logger.notice(
            "Audit",
            metadata: ["instrument": "\(id)", "detail": "\(report.detail)", "levels": "\(report.compared)"])
        reply(to: command, report)
    }

    private func reply(to command: Bitpal_V1_ControlCommand, _ report: AuditReport) {
        // An id that makes no topic has nobody who listens to it.
        guard let topic = try? publisher.topic(Topic.controlReply(requestID: command.requestID)) else {
            return
        }
        var message = Bitpal_V1_ControlReply()
        message.requestID = command.requestID
        message.isDone = report.isDone
        message.detail = report.detail
        // Bounded: past some hundred lines nobody reads on.
        message.differences = report.differences.prefix(500).map(\.description)
        message.levelsCompared = UInt64(report.compared)
        var batch = OutboundBatch()
        batch.append(.controlReply(message), to: topic)
        publisher.offer(&batch)
        // Nothing more comes on it: every question has a topic of its own.
        publisher.end(topic)
    }
}
