import JSON

/// Watchlists and their entries as a table for people and as lines of JSON.
enum WatchlistRows {
    static func print(lists: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            lists, json: json, [("name", .left), ("entries", .right), ("created", .left)]
        ) { ["name", "count", "created"].map($0.cell) }
    }

    static func print(entriesOf list: JSONValue, json: Bool) throws {
        try ItemRows.print(
            list["entries"]?.elements ?? [], json: json, [("instrument", .left), ("added", .left)]
        ) { ["instrument", "added"].map($0.cell) }
    }

    /// The entries of a list that was asked for with its tickers.
    static func print(pricesOf list: JSONValue, json: Bool) throws {
        try ItemRows.print(
            list["entries"]?.elements ?? [], json: json,
            [
                ("instrument", .left), ("price", .right), ("24h %", .right), ("added", .left),
                ("not of now", .left),
            ]
        ) { entry in
            let ticker = entry["ticker"] ?? .null
            return [
                entry.cell("instrument"), ticker.cell("last"), ticker.cell("change_percent"),
                entry.cell("added"), ticker.cell("stale"),
            ]
        }
    }
}
