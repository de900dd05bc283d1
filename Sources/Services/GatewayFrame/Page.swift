import Encodings
package import Hummingbird
package import JSON
package import Shapes

/// A part of a list, and how to ask for the next.
package struct Page<Item: WireValue>: WireValue, KeepableAnswer {
    package static var schema: Schema {
        .object([
            FieldDocument("items", .array(Item.schema, nil)),
            FieldDocument("next", .nullable(.text()), "What cursor gives the next ones."),
        ])
    }
    package static var documents: [AnswerDocument] { [.json(200, "A part of the list.", Self.self)] }

    /// The things.
    package var items: [Item]
    /// What `?cursor=` gives the next ones; `nil` at the end.
    package var next: String?
    package var freshness: CachePolicy

    package init(_ items: [Item], next: String? = nil, freshness: CachePolicy = .never) {
        (self.items, self.next, self.freshness) = (items, next, freshness)
    }

    package var kept: KeptAnswer { KeptAnswer(.ok, self) }
    package var response: Response { .json(buffer, freshness: freshness) }

    /// Writes both keys always.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        items.write(to: &writer)
        writer.pair("next", next)
        writer.endObject()
    }
}

extension Page {
    /// The part of a bounded list that was asked for; its places are the keys of its items.
    ///
    /// - Throws: `invalid-field` for a place that is no longer there.
    package init<Row>(
        _ rows: [Row], of list: String, _ question: PageQuery, key: (Row) -> String, item: (Row) -> Item
    ) throws(Problem) {
        var start = 0
        if let after = question.after {
            guard let place = rows.firstIndex(where: { key($0) == after }) else {
                throw .invalid("cursor", nil, accepted: "the \"next\" of a page of this list, which changed")
            }
            start = place + 1
        }
        let part = rows[start...].prefix(question.limit)
        let hasMore = start + part.count < rows.count
        self.init(part.map(item), next: hasMore ? part.last.map { Cursor.text(list, key($0)) } : nil)
    }
}

/// Which part of a list somebody asks for.
package struct PageQuery: Hashable, Sendable {
    /// How many at most.
    package var limit: Int
    /// Where the part before ended, in the words of the list; `nil` for the beginning.
    package var after: String?
}

/// An opaque place in a list: which list it is, and the position in that list's own words.
///
/// No secret and no permission: the list reads the position as strictly as any other text from outside.
package enum Cursor {
    /// The text for a client.
    package static func text(_ list: String, _ position: String) -> String {
        Base64URL.text("1|\(list)|\(position)".utf8)
    }

    /// The position.
    ///
    /// - Throws: `invalid-field` when it is none of this list's.
    package static func position(_ text: String, of list: String) throws(Problem) -> String {
        let prefix = "1|\(list)|"
        guard let bytes = Base64.bytes(text),
            // Bytes, since what follows may be put upon the last character of the prefix.
            let whole = String(validating: bytes, as: UTF8.self), whole.utf8.starts(with: prefix.utf8),
            // What was changed on its way is refused here, not by what the list makes of it.
            whole.utf8.allSatisfy({ $0 >= 0x20 })
        else { throw .invalid("cursor", text, accepted: "the \"next\" of a page of this list") }
        return String(whole[whole.utf8.index(whole.startIndex, offsetBy: prefix.utf8.count)...])
    }
}

extension GatewayContext {
    /// Which part of a list is asked for: `?limit=` and `?cursor=`.
    ///
    /// - Throws: `invalid-field`.
    package func page(of list: String, limit: Int = 50, most: Int = 500) throws(Problem) -> PageQuery {
        let count = try query.integer("limit", in: 1...most, default: limit)
        guard let cursor = try query.text("cursor", atMost: 1_000) else {
            return PageQuery(limit: count, after: nil)
        }
        return PageQuery(limit: count, after: try Cursor.position(cursor, of: list))
    }
}
