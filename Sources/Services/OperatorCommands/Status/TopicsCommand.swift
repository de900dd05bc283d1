package import ArgumentParser
import Bus
import Instruments
import Shapes

/// The command `bitpal topics`.
package struct TopicsCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract:
            "Listens to the whole bus and shows rate, last sequence, gaps and drops of every topic."
    )

    @OptionGroup var bus: BusOptions

    @Option(help: "How long to listen.")
    var seconds = 2

    @Flag(help: "One JSON object per topic and line.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks what the parser cannot.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        guard (1...3_600).contains(seconds) else {
            throw ValidationError("--seconds is \(seconds); it must be 1 to 3600")
        }
    }

    /// Listens and prints.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when the bus does not answer.
    package func run() async throws {
        let client = try BusClient(bus.addresses())
        // Everything would be an answer too, but a long one: this only asks whether the broker is there.
        _ = try await client.state(["service.status."])
        var table = TopicStatistics()
        try await client.follow([""], atMost: .seconds(seconds)) { batch, _ in
            table.add(batch)
            return false
        }
        if json {
            let output = StandardOutput()
            try output.write(table.json(seconds: seconds))
            return try output.flush()
        }
        let terminal = Terminal()
        try terminal.print(
            table.lines(seconds: seconds, columns: terminal.isInteractive ? terminal.size.columns : 200))
    }
}

/// What was seen of each topic while listening.
struct TopicStatistics: Sendable {
    struct Topic: Sendable, Hashable {
        var text: String
        var messages = 0
        var lastSequence: UInt64 = 0
        /// Losses on the way to us.
        var gaps = 0
        /// Losses because we were too slow.
        var drops = 0
        var isRetained = false
    }

    private var topics: [BusTopicIndex: Topic] = [:]
    /// Topics that have ended while we listened: their numbers are others' now.
    private var ended: [Topic] = []

    mutating func add(_ batch: BusBatch) {
        for event in batch.events {
            switch event {
            case .message(let message):
                change(message.topic, batch) { topic in
                    if message.isRetained { topic.isRetained = true } else { topic.messages += 1 }
                    topic.lastSequence = max(topic.lastSequence, message.sequence)
                }
            case .gap(let gap):
                change(gap.topic, batch) { topic in
                    switch gap.cause {
                    case .overflow: topic.drops += 1
                    case .sequence: topic.gaps += 1
                    // A heartbeat also names what was published before we listened, which is no loss.
                    case .heartbeat: if topic.messages > 0 { topic.gaps += 1 }
                    }
                }
            case .forgotten(let gone): ended += gone.topics.compactMap { topics.removeValue(forKey: $0) }
            default: continue
            }
        }
    }

    private mutating func change(_ index: BusTopicIndex, _ batch: BusBatch, _ body: (inout Topic) -> Void) {
        if topics[index] == nil { topics[index] = Topic(text: batch.topic(index)) }
        if var topic = topics[index] {
            body(&topic)
            topics[index] = topic
        }
    }

    private var all: [Topic] { topics.values + ended }

    private func rows(seconds: Int) -> [TopicLine] {
        all.sorted { $0.text < $1.text }.map { TopicLine(topic: $0, seconds: seconds) }
    }

    func lines(seconds: Int, columns: Int) -> [StyledLine] {
        let total = all.reduce(0) { $0 + $1.messages }
        let summary = "\(all.count) topics, \(total) messages in \(seconds) s"
        return TopicLine.table(rows(seconds: seconds)).lines(columns: columns)
            + [StyledLine(), StyledLine(summary, .faint)]
    }

    func json(seconds: Int) -> [UInt8] { rows(seconds: seconds).jsonLines }
}

/// A topic, as it is printed.
struct TopicLine: PrintedRow {
    static let row = RowShape<TopicLine>("TopicFigures") {
        Field("topic", \.topic.text, example: "trade.kraken.BTC/USD.").column()
        Field("rate", \.rate, "Messages per second, with one decimal.", as: .decimal, example: "12.5")
            .column(.right, as: "per s")
        Field("last_sequence", \.topic.lastSequence, "Of its newest message.", example: 7)
            .column(.right, as: "last")
        Field("gaps", \.topic.gaps, "Losses on the way to us.").column(.right) { loss($0.topic.gaps) }
        Field("drops", \.topic.drops, "Losses because we were too slow.").column(.right) {
            loss($0.topic.drops)
        }
        Field("retained", \.topic.isRetained, "Whether its newest message is kept.")
            .column { TextTable.Cell($0.topic.isRetained ? "yes" : "") }
    }

    let topic: TopicStatistics.Topic
    let seconds: Int

    private var rate: String {
        WideText.text(Int128(topic.messages * 10 / max(1, seconds)), .tenths, shown: .tenths)
    }

    private static func loss(_ count: Int) -> TextTable.Cell {
        TextTable.Cell("\(count)", count > 0 ? .bad : .plain)
    }
}
