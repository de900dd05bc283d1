/// An error that the PostgreSQL server reported for one statement.
package struct ServerError: Error, Sendable, Hashable {
    /// Five characters, such as `23505`.
    ///
    /// Source: PostgreSQL manual, appendix A.
    package let sqlState: String
    /// The server's one-line message.
    ///
    /// May quote data, so it is kept out of ``StoreError/description``.
    package let message: String
    /// The server's second line; may quote data.
    package let detail: String?
    /// The server's advice.
    package let hint: String?
    /// Name of the violated constraint.
    package let constraint: String?
    /// Name of the table that the error is about, with its schema.
    package let table: String?
    /// Name of the column that the error is about.
    package let column: String?
    /// Position in the statement's text, in characters from 1.
    package let position: Int?
    /// The statement's type, or what was sent instead of one.
    package let statement: String

    var isSerializationFailure: Bool { sqlState == "40001" || sqlState == "40P01" }
    var isDiskFull: Bool { sqlState == "53100" }

    /// True for classes whose messages speak of the server and never of data.
    private var isAboutServer: Bool {
        ["08", "28", "3D", "53", "55", "57"].contains(sqlState.prefix(2))
    }

    var description: String {
        if isDiskFull { return "PostgreSQL's disk is full: free space where its data directory is" }
        var text = "PostgreSQL refused \(statement) (\(sqlState)"
        if let table { text += ", table \(table)" }
        if let column { text += ", column \(column)" }
        if let constraint { text += ", constraint \(constraint)" }
        return text + ")" + (isAboutServer ? ": \(message)" : "")
    }

    var debugDescription: String {
        var text = "\(description) message=\"\(message)\""
        if let detail { text += " detail=\"\(detail)\"" }
        if let hint { text += " hint=\"\(hint)\"" }
        if let position { text += " position=\(position)" }
        return text
    }

    /// Source: PostgreSQL manual 15, appendix A, error classes.
    var disposition: Disposition {
        switch sqlState {
        case "40001", "40P01": .retry(after: .milliseconds(10))
        case "55P03": .retry(after: .milliseconds(100))
        case "53100": .retry(after: .seconds(30))
        case "57P01", "57P02", "57P03", "57P05": .retry(after: .milliseconds(500))
        case "57014", "25006", "25P03": .retry(after: .seconds(1))
        case let state where state.hasPrefix("08") || state.hasPrefix("53"): .retry(after: .seconds(1))
        default: .fatal
        }
    }
}
