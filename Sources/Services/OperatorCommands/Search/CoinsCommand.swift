package import ArgumentParser
import Instruments
import MarketStore
import Shapes
import Store

/// The command `bitpal coins`.
package struct CoinsCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "coins",
        abstract: "Lists coins: by market value, what rose or fell most in 24 hours, what is new.",
        discussion: """
            Prices and changes are a provider's means over many markets, as old as its list, which is read \
            once a day; bitpal search and watchlists have live ones.
            """)

    @Argument(help: "Only coins whose key, code or name begins with this.")
    var text = ""

    @Option(help: "rank, gainers, losers, newest or volume.")
    var sort = CoinOrder.rank

    @Option(help: "Only of this category.")
    var category: String?

    @Option(help: "Only what this venue trades.")
    var exchange: String?

    @Option(help: "At most so many.")
    var limit = 20

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Flag(help: "One JSON object per line.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks the limit.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); accepted: 1 to 10000")
        }
    }

    /// Prints the coins.
    ///
    /// - Throws: ``CommandFailure``, with status 3 when there is none.
    package func run() async throws {
        let catalogue = try await database.use(try BusClient(bus.addresses())) {
            try await MarketCatalogue($0)
        }
        let found = catalogue.coins.filter { isWanted($0, in: catalogue) }
        let keys = found.map(\.order)
        let rows = sort.sorted(keys).prefix(limit).map { CoinLine(found[$0], in: catalogue) }
        guard !rows.isEmpty else {
            throw CommandFailure(.notFound, "none of \(catalogue.coins.count) known coins is like that")
        }
        if json { return try StandardOutput.say(lines: rows) }
        let terminal = Terminal()
        let columns = terminal.isInteractive ? terminal.size.columns : .max
        try terminal.print(CoinLine.table(rows).lines(columns: columns))
    }

    private func isWanted(_ row: AssetRow, in catalogue: MarketCatalogue) -> Bool {
        let names = [row.providerID, row.asset.rawValue, row.name].map { $0.lowercased() }
        guard names.contains(where: { $0.hasPrefix(text.lowercased()) }) else { return false }
        if let category {
            guard row.categories.contains(where: { $0.lowercased() == category.lowercased() }) else {
                return false
            }
        }
        guard let exchange else { return true }
        return catalogue.venues(of: row.asset).map(\.rawValue).contains(exchange)
    }
}

extension CoinOrder: ExpressibleByArgument {}

extension AssetRow {
    fileprivate var order: CoinOrder.Key {
        CoinOrder.Key(rank: rank, change: figures.priceChange, volume: figures.volume, listed: figures.listed)
    }
}

/// A coin, as it is printed.
private struct CoinLine: PrintedRow {
    static let row = RowShape<CoinLine>("CoinLine") {
        Field("rank", \.coin.rank, "By market value; null where nobody says it.", example: 1)
            .column(.right) { TextTable.Cell($0.coin.rank.map(String.init) ?? "-") }
        Field("id", \.coin.providerID, example: "bitcoin")
        Field("symbol", \.coin.asset.rawValue, example: "BTC").column(style: .strong)
        Field("name", \.coin.name, example: "Bitcoin").column()
        Field(
            "price", { $0.coin.figures.price?.description }, "In US dollars; null where nobody says it.",
            as: .nullable(.decimal), example: "61000.5"
        ).column(.right) { TextTable.Cell($0.coin.figures.price?.description ?? "-") }
        Field(
            "change_percent", { $0.coin.figures.priceChange?.description }, "Of 24 hours.",
            as: .nullable(.decimal), example: "1.2"
        ).column(.right, as: "change %") {
            TextTable.Cell($0.coin.figures.priceChange?.text(places: 2) ?? "-")
        }
        Field(
            "market_cap", { $0.coin.figures.marketCap?.description }, "In US dollars.",
            as: .nullable(.decimal), example: "1381651251183"
        ).column(.right, as: "market cap") {
            TextTable.Cell($0.coin.figures.marketCap?.text(places: 0) ?? "-")
        }
        Field("categories", \.coin.categories, example: ["Layer 1 (L1)"])
        Field("exchanges", \.exchanges, "Venues where it trades.", example: [.venue])
            .column(as: "on which exchanges", style: .faint)
    }

    let coin: AssetRow
    let exchanges: [String]

    init(_ coin: AssetRow, in catalogue: MarketCatalogue) {
        self.coin = coin
        exchanges = catalogue.venues(of: coin.asset).map(\.rawValue)
    }
}
