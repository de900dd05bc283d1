package import ArgumentParser
import Instruments
import JSON
import MarketStore
import Store

/// The command `bitpal trending`.
package struct TrendingCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "trending",
        abstract: "Shows what moves most, by the growth of volume and the movement of price in 24 hours.",
        discussion: """
            The score is 0 to 1000: up to 600 for volume (all of it at eleven times that of the day before) \
            and up to 400 for price (all of it at 50 %). It is computed hourly from stored candles.
            """)

    @Option(help: "At most so many.")
    var limit = 20

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Flag(help: "One JSON object per line, highest score first.")
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

    /// Prints the scores of the newest hour that has any.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        let limit = limit
        let (catalogue, scores) = try await database.use(try BusClient(bus.addresses())) { database in
            let scores = try await database.trending(limit: limit)
            return (try await MarketCatalogue(database), scores)
        }
        let page = TrendingPage(catalogue, scores)
        if json { return try StandardOutput.say(page.json) }
        let terminal = Terminal()
        try terminal.print(page.lines(columns: terminal.isInteractive ? terminal.size.columns : .max))
    }
}

/// The scores of an hour.
struct TrendingPage {
    private let catalogue: MarketCatalogue
    private let scores: [(hour: Timestamp, row: TrendingRow)]
    private let instruments: [InstrumentID: Instrument]

    init(_ catalogue: MarketCatalogue, _ scores: [(hour: Timestamp, row: TrendingRow)]) {
        self.catalogue = catalogue
        self.scores = scores
        instruments = Dictionary(catalogue.instruments.map { ($0.id, $0) }) { first, _ in first }
    }

    var json: [UInt8] {
        var line = JSONWriter()
        for (hour, row) in scores {
            line.beginObject()
            for (key, value) in [
                ("hour", hour.iso8601(fractionDigits: 0)), ("venue", row.instrument.venue.rawValue),
                ("symbol", row.instrument.symbol), ("name", asset(row)?.name),
                ("score", row.score.description), ("volume_score", row.volumeScore.description),
                ("price_score", row.priceScore.description), ("volume", row.volume.description),
                ("usual_volume", row.usualVolume.description), ("price_change", row.priceChange.description),
            ] {
                line.key(key)
                line.string(value)
            }
            line.texts("exchanges", venues(row))
            line.endObject()
            line.endLine()
        }
        return line.bytes
    }

    func lines(columns: Int) -> [StyledLine] {
        guard let hour = scores.first?.hour else {
            return [StyledLine("no scores yet: they are computed every hour from stored candles", .faint)]
        }
        var table = TextTable([
            ("", .right), ("venue", .left), ("symbol", .left), ("name", .left), ("score", .right),
            ("volume", .right), ("price", .right), ("volume 24 h", .right), ("before", .right),
            ("change %", .right), ("on which exchanges", .left),
        ])
        for (number, score) in scores.enumerated() {
            let row = score.row
            let change = (try? Amount(parsing: row.priceChange.description)).map { $0 * Amount(units: 100) }
            table.append([
                .init(String(number + 1), .faint), .init(row.instrument.venue.rawValue),
                .init(row.instrument.symbol, .strong), .init(asset(row)?.name ?? "-"),
                .init(row.score.description), .init(row.volumeScore.description),
                .init(row.priceScore.description), .init(row.volume.description),
                .init(row.usualVolume.description), .init(change?.text(places: 2) ?? "-"),
                .init(venues(row).joined(separator: ", "), .faint),
            ])
        }
        let heading = StyledLine(
            "scores of \(hour.iso8601(fractionDigits: 0)), over 24 hours as far as they are stored", .strong)
        return [heading] + table.lines(columns: columns)
    }

    private func asset(_ row: TrendingRow) -> AssetRow? {
        instruments[row.instrument].flatMap { catalogue.asset(of: $0) }
    }

    private func venues(_ row: TrendingRow) -> [String] {
        guard let base = instruments[row.instrument]?.base else { return [] }
        return catalogue.venues(of: base).map(\.rawValue)
    }
}
