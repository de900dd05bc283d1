/// Replaces what a receiver would read as markup.
///
/// Scalar by scalar: a character that carries a combining mark is no other character to the receiver.
enum TextEscape {
    static func html(_ text: String) -> String {
        replace(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }

    /// Slack's three (docs.slack.dev/messaging/formatting-message-text).
    static func slack(_ text: String) -> String {
        replace(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: nil
            }
        }
    }

    /// A backslash before each mark of Discord's markup.
    static func discord(_ text: String) -> String {
        replace(text) { "\\*_~`|>#-[]()<:@".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    /// The longest beginning of whole characters that is within so many UTF-16 units once it is escaped.
    static func cut(_ text: String, _ limit: Int, _ escape: (String) -> String) -> String {
        let whole = escape(text)
        if whole.utf16.count <= limit { return whole }
        var left = limit - 1
        let kept = text.prefix { character in
            left -= escape(String(character)).utf16.count
            return left >= 0
        }
        return limit > 0 ? escape(String(kept)) + "…" : ""
    }

    private static func replace(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if let replacement = replacement(scalar) {
                escaped += replacement
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
