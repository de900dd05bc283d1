package import ArgumentParser
import Instruments
import MarketStore
import Shapes
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
        let rows = TrendingLine.all(scores, in: catalogue)
        if json { return try StandardOutput.say(lines: rows) }
        let terminal = Terminal()
        guard let hour = rows.first?.hour.iso8601(fractionDigits: 0) else {
            return try terminal.print([
                StyledLine("no scores yet: they are computed every hour from stored candles", .faint)
            ])
        }
        let heading = StyledLine("scores of \(hour), over 24 hours as far as they are stored", .strong)
        let columns = terminal.isInteractive ? terminal.size.columns : .max
        try terminal.print([heading] + TrendingLine.table(rows).lines(columns: columns))
    }
}

/// A score, as it is printed.
private struct TrendingLine: PrintedRow {
    static let row = RowShape<TrendingLine>("TrendingScore") {
        Column("", .right) { TextTable.Cell(String($0.number), .faint) }
        Field("hour", { $0.hour.iso8601(fractionDigits: 0) }, "The hour that was scored.", as: .time)
        Field("venue", \.score.instrument.venue.rawValue, example: .venue).column()
        Field("symbol", \.score.instrument.symbol, example: "BTC/USD").column(style: .strong)
        Field("name", \.name, "Of the base asset.", example: "Bitcoin").column(orElse: "-")
        Field("score", \.score.score.description, "0 to 1000.", as: .decimal, example: "412.5")
            .column(.right)
        Field("volume_score", \.score.volumeScore.description, as: .decimal, example: "320.1")
            .column(.right, as: "volume")
        Field("price_score", \.score.priceScore.description, as: .decimal, example: "92.4")
            .column(.right, as: "price")
        Field("volume", \.score.volume.description, "Of 24 hours.", as: .decimal, example: "1234.5")
            .column(.right, as: "volume 24 h")
        Field("usual_volume", \.score.usualVolume.description, "Of the day before.", as: .decimal)
            .column(.right, as: "before")
        Field(
            "price_change", \.score.priceChange.description, "Part of the price before: 0.05 is 5 %.",
            as: .decimal, example: "0.012"
        ).column(.right, as: "change %") { TextTable.Cell($0.percent) }
        Field("exchanges", \.exchanges, "Venues where the base asset trades.", example: [.venue])
            .column(as: "on which exchanges", style: .faint)
    }

    /// From 1.
    let number: Int
    let hour: Timestamp
    let score: TrendingRow
    let name: String?
    let exchanges: [String]

    private var percent: String {
        let change = (try? Amount(parsing: score.priceChange.description)).map { $0 * Amount(units: 100) }
        return change?.text(places: 2) ?? "-"
    }

    /// The scores in their order.
    static func all(
        _ scores: [(hour: Timestamp, row: TrendingRow)], in catalogue: MarketCatalogue
    ) -> [TrendingLine] {
        let instruments = Dictionary(catalogue.instruments.map { ($0.id, $0) }) { first, _ in first }
        return scores.enumerated().map { index, score in
            let instrument = instruments[score.row.instrument]
            return TrendingLine(
                number: index + 1, hour: score.hour, score: score.row,
                name: instrument.flatMap { catalogue.asset(of: $0) }?.name,
                exchanges: instrument.map { catalogue.venues(of: $0.base).map(\.rawValue) } ?? [])
        }
    }
}
