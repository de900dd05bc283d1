import JSON

/// Watchlists and their entries as a table for people and as lines of JSON.
enum WatchlistRows {
    static func print(lists: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            lists, json: json,
            [.member("name"), .member("count", .right, as: "entries"), .member("created")])
    }

    static func print(entriesOf list: JSONValue, json: Bool) throws {
        try ItemRows.print(
            list["entries"]?.elements ?? [], json: json, [.member("instrument"), .member("added")])
    }

    /// The entries of a list that was asked for with its tickers.
    static func print(pricesOf list: JSONValue, json: Bool) throws {
        try ItemRows.print(
            list["entries"]?.elements ?? [], json: json,
            [
                .member("instrument"), ticker("last", .right, as: "price"),
                ticker("change_percent", .right, as: "24h %"), .member("added"),
                ticker("stale", as: "not of now"),
            ])
    }

    private static func ticker(
        _ name: String, _ alignment: TextTable.Alignment = .left, as heading: String
    ) -> Column<JSONValue> {
        Column(heading, alignment) { ($0["ticker"] ?? .null).cell(name) }
    }
}
