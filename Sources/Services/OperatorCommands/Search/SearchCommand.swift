package import ArgumentParser
import Instruments
import MarketState
import MarketStore
import Shapes
import Store

/// The command `bitpal search TEXT`.
package struct SearchCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds instruments by symbol, name, asset, venue, kind or category, mistakes included.")

    @Argument(help: "Words in any order, such as: bitcoin perpetual.")
    var words: [String]

    @Option(help: "At most so many.")
    var limit = 20

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Flag(help: "One JSON object per line, best match first.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks the limit.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        guard (1...1_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); accepted: 1 to 1000")
        }
    }

    /// Prints what was found.
    ///
    /// - Throws: ``CommandFailure``, with status 3 when nothing is like the text.
    package func run() async throws {
        let catalogue = try await database.use(try BusClient(bus.addresses())) {
            try await MarketCatalogue($0)
        }
        let text = words.joined(separator: " ")
        let hits = catalogue.index.search(text, limit: limit)
        guard !hits.isEmpty else {
            let count = catalogue.instruments.count
            throw CommandFailure(.notFound, "nothing of \(count) instruments is like \"\(text)\"")
        }
        let rows = hits.map { FoundLine($0, in: catalogue) }
        if json { return try StandardOutput.say(lines: rows) }
        let terminal = Terminal()
        let columns = terminal.isInteractive ? terminal.size.columns : .max
        try terminal.print(FoundLine.table(rows).lines(columns: columns))
    }
}

/// An instrument that a search found, as it is printed.
private struct FoundLine: PrintedRow {
    static let row = RowShape<FoundLine>("FoundInstrument") {
        Field("venue", \.instrument.id.venue.rawValue, example: .venue).column()
        Field("symbol", \.instrument.id.symbol, example: "BTC/USD").column(style: .strong)
        Field("base", \.instrument.base.rawValue, example: "BTC").column()
        Field("quote", \.instrument.quote.rawValue, example: "USD").column()
        Field("kind", \.instrument.kind.rawValue, example: "spot").column()
        Field("name", \.asset?.name, "Of the base asset.", example: "Bitcoin").column(orElse: "-")
        Field("rank", \.asset?.rank, "By market value; null where nobody says it.", example: 1)
        Field("categories", { $0.asset?.categories ?? [] }, "Of the base asset.", example: ["layer 1"])
            .column {
                let some = ($0.asset?.categories ?? []).prefix(3).joined(separator: ", ")
                return TextTable.Cell(some.isEmpty ? "-" : some)
            }
        Field("exchanges", \.exchanges, "Venues where the base asset trades.", example: [.venue])
            .column(as: "on which exchanges", style: .faint)
        Field("score", \.score, "How like it is to what was looked for.", example: 900)
    }

    let instrument: Instrument
    let asset: AssetRow?
    let exchanges: [String]
    let score: Int

    init(_ hit: SearchHit, in catalogue: MarketCatalogue) {
        instrument = catalogue.instruments[hit.entry]
        asset = catalogue.asset(of: instrument)
        exchanges = catalogue.venues(of: instrument.base).map(\.rawValue)
        score = hit.score
    }
}
