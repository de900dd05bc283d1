package import ArgumentParser
import Instruments
import JSON
import MarketState
import MarketStore
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
        let page = SearchPage(catalogue, hits)
        if json { return try StandardOutput.say(page.json) }
        let terminal = Terminal()
        try terminal.print(page.lines(columns: terminal.isInteractive ? terminal.size.columns : .max))
    }
}

/// What a search found.
struct SearchPage {
    private let catalogue: MarketCatalogue
    private let hits: [SearchHit]

    init(_ catalogue: MarketCatalogue, _ hits: [SearchHit]) {
        self.catalogue = catalogue
        self.hits = hits
    }

    var json: [UInt8] {
        var line = JSONWriter()
        for hit in hits {
            let instrument = catalogue.instruments[hit.entry]
            let asset = catalogue.asset(of: instrument)
            line.beginObject()
            for (key, value) in [
                ("venue", instrument.id.venue.rawValue), ("symbol", instrument.id.symbol),
                ("base", instrument.base.rawValue), ("quote", instrument.quote.rawValue),
                ("kind", instrument.kind.rawValue), ("name", asset?.name),
            ] {
                line.key(key)
                line.string(value)
            }
            line.key("rank")
            if let rank = asset?.rank { line.integer(rank) } else { line.null() }
            line.texts("categories", asset?.categories ?? [])
            line.texts("exchanges", catalogue.venues(of: instrument.base).map(\.rawValue))
            line.key("score")
            line.integer(hit.score)
            line.endObject()
            line.endLine()
        }
        return line.bytes
    }

    func lines(columns: Int) -> [StyledLine] {
        var table = TextTable([
            ("venue", .left), ("symbol", .left), ("base", .left), ("quote", .left), ("kind", .left),
            ("name", .left), ("categories", .left), ("on which exchanges", .left),
        ])
        for hit in hits {
            let instrument = catalogue.instruments[hit.entry]
            let venues = catalogue.venues(of: instrument.base).map(\.rawValue).joined(separator: ", ")
            let asset = catalogue.asset(of: instrument)
            let categories = (asset?.categories ?? []).prefix(3).joined(separator: ", ")
            table.append([
                .init(instrument.id.venue.rawValue), .init(instrument.id.symbol, .strong),
                .init(instrument.base.rawValue), .init(instrument.quote.rawValue),
                .init(instrument.kind.rawValue), .init(asset?.name ?? "-"),
                .init(categories.isEmpty ? "-" : categories), .init(venues, .faint),
            ])
        }
        return table.lines(columns: columns)
    }
}
