package import JSON

extension JSONInput {
    /// Refuses U+0000 wherever a value has a text: JSON can say it, PostgreSQL has no text with it, and what
    /// is stored as JSON could not be asked for any more.
    ///
    /// What the text was is not said, since it may be a password.
    ///
    /// - Throws: `bad-request` with the path of the first such field.
    package static func check(_ value: JSONValue) throws(Problem) {
        guard let path = place(ofZeroIn: value) else { return }
        let field = path.isEmpty ? "body" : path
        var problem = Problem(.badRequest, "\(field) has the character U+0000; accepted: text without it")
        (problem.field, problem.accepted) = (field, "text without the character U+0000")
        throw problem
    }

    /// Where it is, such as `entries[2].note`; empty for the value itself.
    private static func place(ofZeroIn value: JSONValue) -> String? {
        switch value {
        case .null, .bool, .number: return nil
        case .string(let text): return text.utf8.contains(0) ? "" : nil
        case .array(let elements):
            for (position, element) in elements.enumerated() {
                if let path = place(ofZeroIn: element) { return joined("[\(position)]", path) }
            }
            return nil
        case .object(let members):
            for (key, member) in members {
                if key.utf8.contains(0) { return key.replacing("\0", with: "\u{FFFD}") }
                if let path = place(ofZeroIn: member) { return joined(key, path) }
            }
            return nil
        }
    }

    private static func joined(_ outer: String, _ inner: String) -> String {
        inner.isEmpty || inner.hasPrefix("[") ? outer + inner : "\(outer).\(inner)"
    }
}
