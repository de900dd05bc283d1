/// A part of what somebody takes along: the rows of one query as JSON objects.
package struct ExportSection: Sendable {
    /// The member's name in the document.
    package let name: String
    /// Whether it is one object, or `null`, rather than a list.
    package let isSingle: Bool
    private let query: @Sendable (String) -> String

    /// Describes a part.
    ///
    /// - Parameters:
    ///   - name: The member's name in the document.
    ///   - isSingle: Whether there is at most one row, which is told without a list around it.
    ///   - query: The text of a query whose columns become members; it gets the owner's key as SQL. Never
    ///     made from input.
    package init(_ name: String, isSingle: Bool = false, query: @escaping @Sendable (String) -> String) {
        self.name = name
        self.isSingle = isSingle
        self.query = query
    }

    /// The same part under another name.
    package func renamed(_ name: String) -> ExportSection {
        ExportSection(name, isSingle: isSingle, query: query)
    }

    func sql(of owner: UniqueID) -> String {
        // A key is hexadecimal digits and dashes.
        "SELECT to_json(item)::text FROM (\(query("'\(owner)'::uuid"))) AS item"
    }

    /// A `timestamptz` as text: ISO 8601, UTC, to the microsecond.
    package static func time(_ column: String) -> String {
        "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
    }

    /// Nanoseconds since 1970-01-01 UTC as text: ISO 8601, to the nanosecond.
    package static func nanoseconds(_ column: String) -> String {
        """
        to_char(to_timestamp(floor(\(column) / 1e9)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.') \
        || lpad((\(column) - floor(\(column) / 1e9) * 1e9)::bigint::text, 9, '0') || 'Z'
        """
    }

    /// A `numeric` as text, without zeros at its end.
    package static func number(_ column: String) -> String { "trim_scale(\(column))::text" }
}

extension Session {
    /// Writes parts of a JSON object: `"name":[…]` each, with commas between them.
    ///
    /// In constant memory. Inside one transaction that repeats its reads, so that it is of one moment.
    ///
    /// - Parameters:
    ///   - sections: The parts, in their order.
    ///   - owner: Whose.
    ///   - write: Takes the text piece by piece; rows that are left are read and discarded when it throws.
    /// - Throws: ``StoreError``, or what `write` throws.
    package func export(
        _ sections: [ExportSection], of owner: UniqueID, write: (String) throws -> Void
    ) throws {
        var comma = ""
        for section in sections {
            try write("\(comma)\n\"\(section.name)\":\(section.isSingle ? "" : "[")")
            var count = 0
            try lines(section.sql(of: owner)) { line in
                try write(count == 0 ? "\n\(line)" : ",\n\(line)")
                count += 1
            }
            if section.isSingle, count == 0 { try write("null") }
            if !section.isSingle { try write("]") }
            comma = ","
        }
    }
}
