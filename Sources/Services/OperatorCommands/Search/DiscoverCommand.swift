package import ArgumentParser
import Instruments
import JSON

/// The command `bitpal discover`.
package struct DiscoverCommand: AsyncParsableCommand {
    /// The lists, by their names in the gateway's answer.
    enum List: String, CaseIterable, ExpressibleByArgument {
        case gainers, losers, trending, newest, categories
        case map = "heat_map"
    }

    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Shows what rises, falls, trends and is new in the whole market, and what is worth most.",
        discussion: """
            Prices and changes are of each coin's best market at this moment; origin says what stands behind \
            one. What is traded for less than --min-volume dollars in 24 hours neither rises, falls nor \
            trends.
            """)

    @Argument(help: "Only these lists: gainers, losers, trending, newest, categories, heat_map.")
    var lists = [List]()
    @OptionGroup var gateway: GatewayOptions
    @Option(help: "Only coins of this category.") var category: String?
    @Option(help: "Only what this venue trades.") var exchange: String?
    @Option(help: "Dollars of 24 hours; the gateway's own where nobody says it.") var minVolume: String?
    @Option(help: "At most so many of each list, 1 to 50.") var limit = 10
    @Flag(help: "One JSON object a line, with the list that it is of.") var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    package func validate() throws {
        guard (1...50).contains(limit) else {
            throw ValidationError("--limit is \(limit); accepted: 1 to 50")
        }
    }

    /// Prints the lists.
    ///
    /// - Throws: ``CommandFailure``, with status 3 when they are empty.
    package func run() async throws {
        let told = try await gateway.client().get(
            "/v1/discover",
            [
                ("category", category), ("exchange", exchange), ("min_volume", minVolume),
                ("limit", "\(limit)"), ("cells", "\(limit)"),
            ])
        let wanted = List.allCases.filter { lists.isEmpty || lists.contains($0) }
        let rows = wanted.flatMap { list in
            (told[list.rawValue]?.elements ?? []).prefix(limit).map { Self.row($0, of: list) }
        }
        guard !rows.isEmpty else {
            throw CommandFailure(.notFound, "nothing of \(told.text("coins")) coins is like that")
        }
        try ItemRows.print(rows, json: json, Self.columns)
    }

    private static let columns: [Column<JSONValue>] = [
        .member("list"), .member("symbol"), .member("name"), .member("price", .right),
        .member("origin"), figure("change_percent", places: 2, as: "change %"),
        figure("volume", places: 0, as: "volume 24 h"), figure("market_cap", places: 0, as: "market cap"),
        .member("score", .right), .member("market"),
    ]

    private static func figure(_ name: String, places: Int, as heading: String) -> Column<JSONValue> {
        Column(heading, .right) { row in
            let amount = try? Amount(parsing: row.text(name))
            return TextTable.Cell(amount?.text(places: places) ?? row.text(name))
        }
    }

    /// What the gateway says of a thing, after the list that it is of.
    private static func row(_ item: JSONValue, of list: List) -> JSONValue {
        var members: JSONObject = ["list": .string(list.rawValue)]
        if case .object(let told) = item {
            for (key, value) in told { members[key] = value }
        }
        return .object(members)
    }
}
