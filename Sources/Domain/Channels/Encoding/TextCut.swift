import JSON

/// Cuts texts at whole characters, so that no letter, accent or flag is torn; what is cut ends with "…".
enum TextCut {
    /// To so many bytes of UTF-8.
    static func bytes(_ text: String, _ limit: Int) -> String {
        text.utf8.count <= limit ? text : cut(text, limit) { $0.utf8.count }
    }

    /// To so many UTF-16 units, the strictest of what services may mean by "characters".
    static func units(_ text: String, _ limit: Int) -> String {
        text.utf16.count <= limit ? text : cut(text, limit) { $0.utf16.count }
    }

    /// To so many bytes of JSON, escapes counted, quotation marks not.
    static func json(_ text: String, _ limit: Int) -> String {
        JSONWriter.size(text) <= limit ? text : cut(text, limit) { JSONWriter.size(String($0)) }
    }

    private static func cut(_ text: String, _ limit: Int, _ size: (Character) -> Int) -> String {
        var left = limit - size("…")
        guard left >= 0 else { return "" }
        return text.prefix { character in
            left -= size(character)
            return left >= 0
        } + "…"
    }
}
