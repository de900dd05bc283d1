package import ArgumentParser
import Instruments
import MarketStore
import Shapes
import Store
import Venues

/// `bitpal feed …`: what feed-ingestor follows.
package struct FeedCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Adds, removes and lists the instruments that are followed.",
        subcommands: [FeedAddCommand.self, FeedRemoveCommand.self, FeedListCommand.self])

    /// An unconfigured command, for the parser.
    package init() {}

    /// Who wants what an operator adds.
    static let wantedBy = "operator"
}

/// The database, found with or without the bus.
struct FeedDatabase: ParsableArguments {
    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    func use<Value: Sendable>(_ body: (Database) async throws -> Value) async throws -> Value {
        try await database.use(try BusClient(bus.addresses()), body)
    }
}

/// The command `bitpal feed add VENUE SYMBOL`, or `VENUE 'PATTERN'`.
struct FeedAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Follows an instrument; feed-ingestor takes it up within a second or two.",
        discussion: """
            A symbol with * means many, by the venue's spelling or by base and quote: '*/USDT', 'BTC*', '*'. \
            What is refused since the feed follows no more is said with its number, and what the venue does \
            not list is refused.
            """)

    @OptionGroup var instrument: InstrumentArguments
    @OptionGroup var place: FeedDatabase

    @Option(help: "Kinds of data, separated by commas: \(FeedChannels.list).", transform: FeedChannels.parse)
    var channels: [String] = FeedChannels.standard

    @Option(help: "Of the instruments that a pattern means, so many of the most volume of 24 hours.")
    var top: Int?

    func validate() throws {
        guard let top else { return }
        guard SymbolPattern.isOne(instrument.symbol) else {
            throw ValidationError("--top is for many; accepted: a pattern, such as '*/USDT'")
        }
        guard (1...20_000).contains(top) else {
            throw ValidationError("--top is \(top); accepted: 1 to 20000")
        }
    }

    func run() async throws {
        let venue = instrument.id.venue
        // In the demo it is there.
        if let closure = VenueCatalogue.standard[venue]?.closure,
            await BackfillOptions.announced(venue, on: try BusClient(place.bus.addresses())) == nil
        {
            throw CommandFailure(
                .failed, "\(closure.explanation(of: venue)); \(instrument.id) cannot be followed")
        }
        if SymbolPattern.isOne(instrument.symbol) { return try await addMany() }
        let wanted = Subscription(
            instrument: instrument.id, channels: channels, wantedBy: FeedCommand.wantedBy)
        let id = instrument.id
        try await place.use { database in
            let listed = try await database.instruments(on: id.venue).map(\.id.symbol)
            if let fault = FeedListing.fault(of: id, listed: listed) { throw fault }
            _ = try await database.execute(.addSubscription(wanted, at: .now))
        }
        try StandardOutput.say("\(instrument.id) is wanted: \(channels.joined(separator: ", "))")
    }

    private func addMany() async throws {
        let client = try BusClient(place.bus.addresses())
        let many = FeedPatterns(venue: instrument.id.venue, text: instrument.symbol)
        let lines = try await place.use { try await many.add(top: top, channels, client, $0) }
        try StandardOutput.say(lines.joined(separator: "\n"))
    }
}

/// The command `bitpal feed remove VENUE SYMBOL`, or `VENUE 'PATTERN'`.
struct FeedRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "No longer wants an instrument that `bitpal feed add` asked for.")

    @OptionGroup var instrument: InstrumentArguments
    @OptionGroup var place: FeedDatabase

    func run() async throws {
        let id = instrument.id
        if SymbolPattern.isOne(id.symbol) {
            let many = FeedPatterns(venue: id.venue, text: id.symbol)
            let removed = try await place.use { try await many.remove($0) }
            let count = removed == 1 ? "1 instrument" : "\(removed) instruments"
            return try StandardOutput.say("\(count) of \(id.venue) no longer wanted by an operator")
        }
        let (removed, others) = try await place.use { database in
            let removed = try await database.execute(.removeSubscription(id, wantedBy: FeedCommand.wantedBy))
            let rest = try await database.subscriptions(on: id.venue).filter {
                $0.instrument == id
            }
            return (removed, rest.map(\.wantedBy))
        }
        let names = others.joined(separator: ", ")
        guard removed > 0 else {
            let advice = others.isEmpty ? "`bitpal feed list` shows what is" : "\(names) wants it"
            throw CommandFailure(.notFound, "\(id) was not added by an operator; \(advice)")
        }
        try StandardOutput.say(
            others.isEmpty ? "\(id) is no longer wanted" : "\(id) is still wanted by \(names)")
    }
}

struct FeedListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists what is wanted, and by whom.")

    @OptionGroup var place: FeedDatabase

    @Flag(help: "One JSON object per line.")
    var json = false

    func run() async throws {
        let rows = try await place.use { try await $0.subscriptions() }
            .sorted { ($0.instrument, $0.wantedBy) < ($1.instrument, $1.wantedBy) }
            .map(WantedLine.init)
        if json { return try StandardOutput.say(lines: rows) }
        let terminal = Terminal()
        try terminal.print(
            rows.isEmpty
                ? [StyledLine("Nothing is wanted yet.", .faint)]
                : WantedLine.table(rows).lines(columns: terminal.size.columns))
    }
}

/// An instrument that is wanted, as it is printed.
struct WantedLine: PrintedRow {
    static let row = RowShape<WantedLine>("WantedInstrument") {
        Column("instrument") { TextTable.Cell($0.wanted.instrument.description) }
        Field(all: { InstrumentFields($0.wanted.instrument) })
        Field("wanted_by", \.wanted.wantedBy, example: .text(FeedCommand.wantedBy)).column()
        Field("channels", \.wanted.channels, "Kinds of data.", example: ["book", "trade"]).column()
    }

    let wanted: Subscription
}

/// The kinds of data that can be wanted.
enum FeedChannels {
    static let all = VenueChannel.allCases.map(\.rawValue)
    static let list = all.joined(separator: ", ")
    static let standard = [VenueChannel.book, .trade, .ticker].map(\.rawValue)

    /// - Throws: A usage error that names the kinds.
    static func parse(_ text: String) throws -> [String] {
        let names = text.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
        if let unknown = names.first(where: { !all.contains($0) }) {
            throw ValidationError("unknown channel \"\(unknown)\"; known are \(list)")
        }
        guard !names.isEmpty else { throw ValidationError("--channels names none; known are \(list)") }
        return Array(Set(names)).sorted()
    }
}
