/// How a transaction runs and how often it is tried.
package struct TransactionOptions: Sendable {
    /// What a transaction sees of others.
    ///
    /// Source: PostgreSQL manual 15, 13.2.
    package enum Isolation: String, Sendable {
        /// Each statement sees what was committed before it.
        case readCommitted = "READ COMMITTED"
        /// All statements see what was committed before the first.
        case repeatableRead = "REPEATABLE READ"
        /// As if transactions ran one after the other.
        case serializable = "SERIALIZABLE"
    }

    /// What the transaction sees of others.
    package var isolation: Isolation = .readCommitted
    /// Refuses changes.
    package var isReadOnly = false
    /// How often the whole body is run when the server asks for a repetition (40001, 40P01), 1...20.
    package var maximumAttempts = 5
    /// Pause before the second attempt; doubles with each further one and is multiplied by the jitter.
    package var retryDelay: Duration = .milliseconds(10)
    /// Replaces the configured limit of a statement; zero means no limit.
    package var statementTimeout: Duration?
    /// Whether its end waits until the disk has it.
    ///
    /// Without, the newest such transactions may be gone after the server died: wholly, and none before an
    /// older one (manual 15, 30.3). For what is made good by being done once more.
    package var isDurable = true
    /// The owner whose rows alone the transaction sees and changes; `nil` for all, as services work.
    ///
    /// The transaction takes on ``GatewayRole`` then. COPY into a table is refused to it, see
    /// ``Session/isLimited``.
    package var owner: UniqueID?

    /// Read committed, five attempts.
    package static let standard = TransactionOptions()

    /// The same for what may be lost when the server dies.
    package static let undurable: TransactionOptions = {
        var options = TransactionOptions()
        options.isDurable = false
        return options
    }()

    /// Read committed, five attempts; change what should differ.
    package init() {}

    /// The server's commands that begin the transaction.
    var beginScript: String {
        var text = "BEGIN ISOLATION LEVEL \(isolation.rawValue) \(isReadOnly ? "READ ONLY" : "READ WRITE")"
        if let statementTimeout { text += "; SET LOCAL statement_timeout = \(statementTimeout.milliseconds)" }
        if !isDurable { text += "; SET LOCAL synchronous_commit = off" }
        if let owner {
            // Both end with the transaction. The key is hexadecimal digits and dashes.
            text += "; SET LOCAL ROLE \(GatewayRole.name); SET LOCAL bitpal.\"user\" = '\(owner)'"
        }
        return text
    }

    /// The same for the rows of one owner.
    package func limited(to owner: UniqueID) -> TransactionOptions {
        var options = self
        options.owner = owner
        return options
    }

    /// The pause after an attempt, counted from 1, that failed; the jitter is 0..<1.
    func delay(afterAttempt attempt: Int, jitter: Double) -> Duration {
        retryDelay * (1 << min(attempt - 1, 10)) * jitter
    }
}
