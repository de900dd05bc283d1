/// Where PostgreSQL is, and the limits that every connection and the pool keep.
///
/// Every wait has a limit. Those that the server enforces are set on each new connection; those of the
/// network are options of libpq and stay as the URL gives them, where it does.
package struct StoreConfiguration: Sendable {
    /// Name in `pg_stat_activity`.
    package var applicationName = "bitpal"
    /// Tells the pool's metrics from those of the process's other pools; empty for none that is told apart.
    package var poolName = ""
    /// Connections open at the same time, each with a thread of its own, 1...64.
    package var maximumConnections = 4
    /// Calls that may wait for a connection; one more is refused with ``StoreError/refused(waiting:)``.
    package var maximumWaiting = 256
    /// Longest wait for a connection to become free.
    package var acquireTimeout: Duration = .seconds(5)
    /// A connection that was not used for this long is closed.
    package var idleTimeout: Duration = .seconds(60)
    /// Longest wait for a new connection; `connect_timeout` of a URL, in whole seconds, sets it.
    package var connectTimeout: Duration = .seconds(3)
    /// Longest run of one statement; the server ends it with 57014.
    ///
    /// Zero: no limit.
    package var statementTimeout: Duration = .seconds(10)
    /// Longest wait of a statement for a lock; the server ends it with 55P03.
    ///
    /// Zero: no limit.
    package var lockTimeout: Duration = .seconds(3)
    /// Longest pause between two statements of a transaction; then the server closes the connection.
    package var idleInTransactionTimeout: Duration = .seconds(30)
    /// How long TCP may have heard nothing, or a full receiver may take nothing, before the connection counts
    /// as lost.
    ///
    /// A server that is alive but busy takes nothing of a large statement for seconds, and must not be left
    /// for it: so it is longer than a statement and its answer usually take, which the client bounds by
    /// itself. Whoever waits for a server that is gone is told by that bound; a connection on which nobody
    /// waits is found by the probes after this time, which counts in place of `keepalives_count`.
    /// Source: Linux man-pages, tcp(7), `TCP_USER_TIMEOUT`.
    package var unacknowledgedTimeout: Duration = .seconds(15)
    /// How much longer than `statementTimeout` the client waits for the answer.
    package var answerGrace: Duration = .seconds(2)
    /// Pause after a failed attempt to connect: doubles from the lower to the upper bound, jittered.
    package var reconnectDelay: ClosedRange<Duration> = .milliseconds(100)...(.seconds(5))

    /// For tests: makes another text of each statement before it is prepared.
    var rewriting: (@Sendable (String) -> String)?

    /// Connection options of libpq by keyword, such as `host` and `dbname`.
    private(set) var options: [String: String]

    /// Reads a connection URL or a keyword string, as libpq documents them.
    ///
    /// - Parameter url: `postgresql://user@host:5432/name?sslmode=…` or `host=… dbname=…`.
    /// - Throws: ``StoreError/configuration(_:)`` when it cannot be parsed, or its `connect_timeout` is none.
    /// Source: PostgreSQL manual 15, 34.1.1 "Connection Strings".
    package init(url: String) throws(StoreError) {
        options = try ConnectionOptions.parse(url)
        // libpq leaves its own limit to who connects without blocking, as this module does.
        guard let limit = options["connect_timeout"] else { return }
        connectTimeout = try ConnectionOptions.connectTimeout(limit)
    }

    /// Names a server on this machine by the directory of its Unix socket.
    package init(socketDirectory: String, port: Int = 5432, database: String, user: String) {
        options = ["host": socketDirectory, "port": "\(port)", "dbname": database, "user": user]
    }

    /// Whom it signs in as; `nil` where libpq takes the user of the process.
    package var user: String? { options["user"] }

    /// The same server, database and limits for another role, by its password or where none is asked for.
    package func user(_ name: String, password: String? = nil) -> StoreConfiguration {
        var copy = self
        copy.options["user"] = name
        copy.options["password"] = password
        return copy
    }

    /// The same server and limits with another database.
    package func database(_ name: String) -> StoreConfiguration {
        var copy = self
        copy.options["dbname"] = name
        return copy
    }
}

extension StoreConfiguration: CustomStringConvertible, CustomReflectable {
    /// Host, port, database, user and the URL's limit of a wait, if it has one; never a password.
    package var description: String {
        ["host", "hostaddr", "port", "dbname", "user", "connect_timeout"]
            .compactMap { key in options[key].map { "\(key)=\(Self.quoted($0))" } }
            .joined(separator: " ")
    }

    /// A value as a connection string takes it: in quotes when it has a space, a quote or a backslash.
    ///
    /// Source: PostgreSQL manual 15, 34.1.1.1 "Keyword/Value Connection Strings".
    private static func quoted(_ value: String) -> String {
        guard value.isEmpty || value.contains(where: { $0.isWhitespace || $0 == "'" || $0 == "\\" }) else {
            return value
        }
        let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return "'\(escaped)'"
    }

    /// Hides the password from `dump` and from debuggers, too.
    package var customMirror: Mirror { Mirror(self, children: ["target": description]) }
}
