import Configuration

/// One key that a service reads, as data: so that unknown keys are found, and `--help` and tests can list
/// them.
///
/// Made by ``Setting``, which adds the type of the value.
package struct ConfigurationKey: Sendable, Hashable {
    /// What a value may be.
    package enum Kind: Sendable, Hashable {
        /// Any text that is not empty.
        case text
        /// `true` or `false`.
        case flag
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// A time such as `250ms`, `5s`, `2m`, `1h`, in a range.
        case duration(ClosedRange<Duration>)
        /// One of a few words.
        case choice([String])
        /// Texts, separated by commas in a variable, an array in JSON.
        case list
        /// `host:port`.
        case address
    }

    /// Lower camel case words joined by dots: `snapshot.every`.
    package let name: String
    /// What a value may be.
    package let kind: Kind
    /// What it is for, one sentence.
    package let summary: String
    /// What holds when nobody gives a value, as it would be written; `nil` when there is no default.
    package let defaultText: String?
    /// Whether the process cannot start without a value.
    package let isRequired: Bool
    /// Whether the value must not be shown, and may come from a file named by `<VARIABLE>_FILE`.
    package let isSecret: Bool

    /// The end of its environment variable: `SNAPSHOT_EVERY`.
    package var variableSuffix: String {
        var text = ""
        var previous: Character = "_"
        for character in name {
            if previous.isLowercase, character.isUppercase { text.append("_") }
            text.append(character.isLetter || character.isNumber ? character : "_")
            previous = character
        }
        return text.uppercased()
    }

    var configKey: ConfigKey { ConfigKey(name) }
}

extension ConfigurationKey.Kind {
    /// What a refusal says is accepted.
    var accepted: String {
        switch self {
        case .text: "a text"
        case .flag: "true or false"
        case .integer(let range): "a whole number, \(range.lowerBound)...\(range.upperBound)"
        case .duration(let range):
            "a time such as 250ms, 5s or 2m, \(DurationText.format(range.lowerBound))"
                + "...\(DurationText.format(range.upperBound))"
        case .choice(let words): words.joined(separator: ", ")
        case .list: "texts, separated by commas or as a JSON array"
        case .address: "host:port"
        }
    }

    /// Checks a value and turns it into swift-configuration's form; `nil` refuses it.
    func content(of raw: RawValue) -> ConfigContent? {
        switch (self, raw) {
        case (.text, .text(let text)):
            text.isEmpty ? nil : .string(text)
        case (.choice(let words), _):
            raw.scalar.flatMap { words.contains($0) ? .string($0) : nil }
        case (.flag, .flag(let value)):
            .bool(value)
        case (.flag, .text(let text)):
            text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case (.integer(let range), .text(let text)), (.integer(let range), .number(let text)):
            Int(text).flatMap { range.contains($0) ? .int($0) : nil }
        case (.duration(let range), .text(let text)):
            DurationText.parse(text).flatMap { range.contains($0) ? .string(text) : nil }
        case (.list, .text(let text)):
            .stringArray(text.split(separator: ",").map(\.trimmedBlanks).filter { !$0.isEmpty })
        case (.list, .list(let texts)):
            .stringArray(texts)
        case (.address, .text(let text)):
            NetworkAddress(text).map { .string($0.description) }
        default:
            nil
        }
    }
}

/// A value as a layer gives it, before it is checked against its key.
enum RawValue: Sendable, Hashable {
    /// From a variable, an option, or a JSON string.
    case text(String)
    /// A JSON number, as it was written.
    case number(String)
    /// A JSON boolean.
    case flag(Bool)
    /// A JSON array of strings or numbers.
    case list([String])
    /// JSON that no key accepts: `null`, or an array of arrays or objects.
    case other(String)

    /// The text of a single value.
    var scalar: String? {
        switch self {
        case .text(let text), .number(let text): text
        case .flag(let value): "\(value)"
        case .list, .other: nil
        }
    }

    /// How a refusal shows it.
    var shown: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let text), .other(let text): text
        case .flag(let value): "\(value)"
        case .list(let texts): "[\(texts.joined(separator: ", "))]"
        }
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    var trimmedBlanks: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
