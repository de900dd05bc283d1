/// What an operator has to repair before the process can run; ends it with status 78.
///
/// `description` is the one line that is printed: what is wrong, where, and what to do. Values of secret keys
/// are never in it.
package enum ConfigurationError: Error, Sendable, Hashable {
    /// A `BITPAL_…` variable that no service reads.
    case unknownVariable(String, nearest: String?)
    /// A key in a file that the service does not read.
    case unknownKey(String, file: String, nearest: String?)
    /// A value of the wrong type or out of range; `value` is `nil` when it is secret.
    case invalidValue(of: String, value: String?, accepted: String)
    /// A key without default that nobody set.
    case missing(key: String, variable: String, summary: String)
    /// A file that cannot be read.
    case fileUnreadable(String, reason: String)
    /// A file that is not JSON.
    case fileMalformed(String, line: Int, column: Int, reason: String)
    /// An argument that the process does not know.
    case unknownArgument(String)
    /// Another process listens there already.
    case portInUse(String, setting: String)
    /// Something that the process cannot run without is not there; `advice` says what to do.
    case unavailable(String, advice: String)
}

extension ConfigurationError: CustomStringConvertible {
    /// One line that says what to do.
    package var description: String {
        switch self {
        case .unknownVariable(let name, let nearest):
            "\(name) is not a variable of Bitpal; \(Self.hint(nearest, otherwise: "unset it"))"
        case .unknownKey(let name, let file, let nearest):
            "\(file) has the unknown key \(name); "
                + Self.hint(nearest, otherwise: "remove it (--help lists the keys)")
        case .invalidValue(let source, let value, let accepted):
            "\(source)\(value.map { " is \($0)" } ?? " has a value that is refused"); accepted: \(accepted)"
        case .missing(let key, let variable, let summary):
            "\(key) is not set; give it in config.json or as \(variable) (\(summary))"
        case .fileUnreadable(let path, let reason):
            "\(path) cannot be read (\(reason)); name another file with --config"
        case .fileMalformed(let path, let line, let column, let reason):
            "\(path):\(line):\(column): \(reason); repair the JSON"
        case .unknownArgument(let text):
            "unknown argument \(text); --help lists what is accepted"
        case .portInUse(let address, let setting):
            "\(address) is in use by another process; stop it, or set \(setting) to another address"
        case .unavailable(let what, let advice):
            "\(what); \(advice)"
        }
    }

    private static func hint(_ nearest: String?, otherwise advice: String) -> String {
        nearest.map { "did you mean \($0)?" } ?? advice
    }
}
