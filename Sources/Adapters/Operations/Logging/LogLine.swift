import Logging

/// Writes one event as one line of `key=value` pairs.
enum LogLine {
    /// The line of an event, with its line break.
    ///
    /// `time` is in nanoseconds since 1970-01-01 UTC. `metadata` is already merged; it is written in the
    /// order of its keys, so that equal events give equal lines.
    static func format(
        time: Int64, level: Logger.Level, service: String, message: String, error: String?,
        metadata: Logger.Metadata
    ) -> String {
        var line = "time=\(UTCText.format(nanoseconds: time)) level=\(level.rawValue) service="
        append(service, to: &line)
        line += " msg="
        append(message, to: &line)
        if let error {
            line += " error="
            append(error, to: &line)
        }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += " "
            line += String(key.map { isPlain($0) ? $0 : "_" })
            line += "="
            append("\(value)", to: &line)
        }
        line += "\n"
        return line
    }

    /// Appends a value, in quotes where it needs them; nothing in it can end the line.
    static func append(_ value: String, to line: inout String) {
        if !value.isEmpty, value.allSatisfy(isPlain) {
            line += value
            return
        }
        line += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            default:
                if scalar.properties.generalCategory == .control || scalar == "\u{2028}"
                    || scalar == "\u{2029}"
                {
                    line += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    line.unicodeScalars.append(scalar)
                }
            }
        }
        line += "\""
    }

    private static func isPlain(_ character: Character) -> Bool {
        guard character.isASCII, let byte = character.asciiValue else { return false }
        return byte > 0x20 && byte < 0x7F && !"\"=\\".utf8.contains(byte)
    }
}
