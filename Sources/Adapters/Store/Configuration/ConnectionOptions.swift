import CPostgres

/// The options of one connection, between a URL and libpq's parallel arrays.
enum ConnectionOptions {
    /// - Throws: ``StoreError/configuration(_:)``. libpq's own words quote parts of the text, which may be
    ///   a password, so they are shown only when the text has none.
    static func parse(_ text: String) throws(StoreError) -> [String: String] {
        guard !text.utf8.contains(0) else {
            throw .configuration("the database URL contains a NUL character")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(text, &message) else {
            let reason = message.map { firstLine(of: String(cString: $0)) } ?? "out of memory"
            PQfreemem(message)
            let hasSecret = text.contains("@") || text.contains("password")
            throw .configuration(
                "the database URL cannot be parsed\(hasSecret ? "" : " (\(reason))");"
                    + " expected postgresql://user@host:5432/name")
        }
        defer { PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        // SAFETY: libpq ends the array with an entry whose keyword is NULL.
        var entry = parsed
        while let keyword = entry.pointee.keyword {
            if let value = entry.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            entry += 1
        }
        guard options.values.contains(where: { !$0.isEmpty }) else {
            throw .configuration("the database URL is empty; expected postgresql://user@host:5432/name")
        }
        return options
    }

    /// The wait that a URL allows for a new connection, 1...3600 s; every wait has a limit, so 0 is none.
    static func connectTimeout(_ text: String) throws(StoreError) -> Duration {
        guard let seconds = Int(text), (1...3_600).contains(seconds) else {
            throw .configuration("the database URL's connect_timeout is \(text); expected seconds, 1 to 3600")
        }
        return .seconds(seconds)
    }

    /// What libpq gets: the configured options over our defaults.
    static func effective(_ configuration: StoreConfiguration) -> [String: String] {
        var options = [
            "fallback_application_name": configuration.applicationName,
            "client_encoding": "UTF8",
            "tcp_user_timeout": "\(configuration.unacknowledgedTimeout.milliseconds)",
            "keepalives": "1",
            "keepalives_idle": "5",
            "keepalives_interval": "2",
            "keepalives_count": "3",
            "target_session_attrs": "read-write",
        ]
        options.merge(configuration.options) { _, configured in configured }
        return options
    }

    /// The settings that the server keeps for this connection, as one script.
    ///
    /// They are sent after connecting and not in the start packet, because poolers refuse them there.
    static func sessionScript(_ configuration: StoreConfiguration, serverVersion: Int) -> String {
        var settings = [
            ("statement_timeout", configuration.statementTimeout.milliseconds),
            ("lock_timeout", configuration.lockTimeout.milliseconds),
            ("idle_in_transaction_session_timeout", configuration.idleInTransactionTimeout.milliseconds),
        ]
        // A statement whose client is gone ends by itself. Source: PostgreSQL 14 release notes.
        if serverVersion >= 140_000 { settings.append(("client_connection_check_interval", 5_000)) }
        return settings.map { "SET \($0.0) = \($0.1);" }.joined() + "SET TimeZone = 'UTC'"
    }

    /// Text of libpq on one line.
    static func firstLine(of text: String) -> String {
        text.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }
            .joined(separator: " ")
    }
}
