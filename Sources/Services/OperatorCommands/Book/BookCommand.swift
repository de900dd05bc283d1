package import ArgumentParser
import Bus
import Instruments
import MarketData
import Wire

/// The command `bitpal book …`: `show` is what it does without a further word.
package struct BookCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "book",
        abstract: "Shows an order book, or compares it with the venue's.",
        usage: """
            bitpal book VENUE SYMBOL [--depth 25] [--within 5%] [--watch] [--json]
            bitpal book audit VENUE SYMBOL [--json]
            bitpal book audits [VENUE] [--different] [--json]
            """,
        discussion: "`bitpal book show --help` lists the options of the first form.",
        subcommands: [BookShowCommand.self, BookAuditCommand.self, BookAuditsCommand.self],
        defaultSubcommand: BookShowCommand.self)

    /// An unconfigured command, for the parser.
    package init() {}
}

/// The command `bitpal book VENUE SYMBOL`.
struct BookShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows an order book with totals, shares and how far it may be believed.",
        usage: "bitpal book VENUE SYMBOL [--depth 25] [--within 5%] [--watch] [--json]")

    @OptionGroup var instrument: InstrumentArguments
    @OptionGroup var bus: BusOptions

    @Option(help: "Levels of each side.")
    var depth = 25

    @Option(help: "Only levels so near to the middle price, such as 5%.", transform: Percent.parse)
    var within: DecimalNumber?

    @Flag(help: "Redraw in place until Ctrl-C.")
    var watch = false

    @Flag(help: "One JSON object per line.")
    var json = false

    func validate() throws {
        guard depth > 0 else { throw ValidationError("--depth is \(depth); it must be 1 or more") }
    }

    func run() async throws {
        let client = try BusClient(bus.addresses())
        let range = BookRange(depth: depth, within: within)
        let follower = try await BookShowCommand.find(instrument.id, client)
        if watch {
            let page = BookLivePage(follower, range)
            let subscriber = try client.subscriber(page.topics, name: "bitpal-book")
            return try await client.run(subscriber, LiveView(page, from: subscriber, isJSON: json))
        }
        let view = follower.retainedView(range)
        if json { return try StandardOutput.say(lines: [BookLine(view)]) }
        let terminal = Terminal()
        try terminal.print(BookPage(view, columns: terminal.size.columns, rows: nil).lines)
    }

    /// The book as the broker retains it; one whose retained state has a hole is waited for.
    static func find(_ id: InstrumentID, _ client: BusClient) async throws -> BookFollower {
        var follower = BookFollower(id)
        let state = try await client.state(follower.topics)
        for message in state.events {
            let position = StreamPosition(
                producer: message.header.producer, epoch: message.header.epoch,
                sequence: message.header.sequence)
            _ = follower.apply(message.event, at: position)
        }
        if !follower.isHeard, state.incomplete.isEmpty {
            let known = try await client.instruments(of: id.venue)
            guard known.contains(id) else { throw InstrumentNames.notFound(id, known: known) }
        }
        guard !follower.hasBook, follower.replica.reason == .busGap || !state.incomplete.isEmpty else {
            return follower
        }
        try await client.follow(follower.topics, atMost: .seconds(5)) { batch, subscriber in
            if follower.apply(batch) { subscriber.requestState(follower.topics) }
            return follower.hasBook
        }
        return follower
    }
}

/// A percentage as a person types it.
enum Percent {
    /// - Throws: A usage error unless the text is a number above 0, with or without a percent sign.
    static func parse(_ text: String) throws -> DecimalNumber {
        let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let number = try? DecimalNumber(parsing: digits), number.units > 0, number.scale.places <= 6
        else {
            throw ValidationError("--within is \"\(text)\"; expected a percentage such as 5%")
        }
        return number
    }
}
