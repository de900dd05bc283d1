import JSON

/// Deliveries as a table for people and as lines of JSON.
enum DeliveryRows {
    static func print(_ deliveries: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            deliveries, json: json,
            [
                .member("id"), .member("state"), .member("channel"), .member("created"),
                .member("failures", .right, as: "failed"),
                Column("what") { $0.cell($0.text("reason").isEmpty ? "subject" : "reason") },
                .member("last_error", as: "last error"),
            ])
    }

    /// One delivery, a field a line.
    static func page(_ delivery: JSONValue) -> [StyledLine] {
        let keys = [
            "id", "state", "channel", "kind", "subject", "reason", "rule", "last_error", "created", "next",
            "ended", "digest", "epoch",
        ]
        var fields = keys.compactMap { key in delivery[key]?.text.map { (key, $0) } }
        fields.append(("failures", "\(delivery.text("failures")) in \(delivery.text("claims")) claims"))
        if delivery["held"]?.flag == true { fields.append(("held", "until its quiet time is over")) }
        return TextTable.fields(fields)
    }
}
