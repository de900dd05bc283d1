/// Names in curly brackets inside a text.
enum Placeholders {
    /// The text with each `{name}` that has a value replaced; values are not read again.
    static func fill(_ text: String, _ value: (String) -> String?) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"),
                let value = value(String(rest[rest.index(after: open)..<close]))
            else {
                filled += "{"
                rest = rest.dropFirst()
                continue
            }
            filled += value
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        _ = fill(text) { name in
            names.insert(name)
            return ""
        }
        return names
    }
}
