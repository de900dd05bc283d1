/// How a transaction runs and how often it is tried.
public struct TransactionOptions: Sendable {
    /// What a transaction sees of others.
    ///
    /// Source: PostgreSQL manual 15, 13.2.
    public enum Isolation: String, Sendable {
        /// Each statement sees what was committed before it.
        case readCommitted = "READ COMMITTED"
        /// All statements see what was committed before the first.
        case repeatableRead = "REPEATABLE READ"
        /// As if transactions ran one after the other.
        case serializable = "SERIALIZABLE"
    }

    /// What the transaction sees of others.
    public var isolation: Isolation = .readCommitted
    /// Refuses changes.
    public var isReadOnly = false
    /// How often the whole body is run when the server asks for a repetition (40001, 40P01), 1...20.
    public var maximumAttempts = 5
    /// Pause before the second attempt; doubles with each further one and is multiplied by the jitter.
    public var retryDelay: Duration = .milliseconds(10)
    /// Replaces the configured limit of a statement; zero means no limit.
    public var statementTimeout: Duration?

    /// Read committed, five attempts.
    public static let standard = TransactionOptions()

    /// Read committed, five attempts; change what should differ.
    public init() {}

    /// The server's commands that begin the transaction.
    var beginScript: String {
        var text = "BEGIN ISOLATION LEVEL \(isolation.rawValue) \(isReadOnly ? "READ ONLY" : "READ WRITE")"
        if let statementTimeout { text += "; SET LOCAL statement_timeout = \(statementTimeout.milliseconds)" }
        return text
    }

    /// The pause after an attempt, counted from 1, that failed; the jitter is 0..<1.
    func delay(afterAttempt attempt: Int, jitter: Double) -> Duration {
        retryDelay * (1 << min(attempt - 1, 10)) * jitter
    }
}
