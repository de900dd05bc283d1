/// Everything that can go wrong between the program and PostgreSQL.
///
/// ``description`` is one line that is safe to show; `debugDescription` has everything.
package indirect enum StoreError: Error, Sendable {
    /// The database URL or a setting cannot be used; the text says what and why.
    case configuration(String)
    /// The server could not be reached, or refused the connection; the text is libpq's, without secrets.
    case connectFailed(reason: String, retryAfter: Duration)
    /// A connection failed a moment ago and the next attempt is not due yet.
    case unavailable(retryAfter: Duration)
    /// The connection went away; `detail` is libpq's text.
    case connectionLost(statement: String, detail: String)
    /// The server did not answer in time; the connection was given up.
    case noAnswer(statement: String, after: Duration)
    /// All connections are busy and the queue in front of them is full.
    case refused(waiting: Int)
    /// No connection became free in time.
    case acquireTimedOut(after: Duration)
    /// The calling task was cancelled; the statement was cancelled on the server, too.
    case cancelled
    /// The ``Database`` was closed.
    case closed
    /// The server refused a statement.
    case server(ServerError)
    /// Parameter number `index`, from 1, cannot be sent.
    case parameter(statement: String, index: Int, problem: ValueProblem)
    /// Column number `index`, from 1, cannot be read.
    case column(statement: String, index: Int, problem: ValueProblem)
    /// The statement answered with something else than the call expects, such as rows for a COPY.
    case unexpectedAnswer(statement: String, status: String)
    /// COMMIT did a rollback, because a statement had failed and the body went on regardless.
    case rolledBack
    /// A transaction failed; the parts say where.
    case transaction(TransactionFailure)
    /// The body of a session threw an error of the caller's own.
    case body(any Error)
    /// The schema cannot be brought to the program's version.
    case migration(MigrationProblem)
}

extension StoreError {
    /// What the caller does next.
    package var disposition: Disposition {
        switch self {
        case .connectFailed(_, let delay), .unavailable(let delay): .retry(after: delay)
        case .connectionLost, .noAnswer: .retry(after: .milliseconds(100))
        case .refused, .acquireTimedOut: .retry(after: .milliseconds(250))
        case .server(let error): error.disposition
        case .transaction(let failure): failure.decisive?.disposition ?? .fatal
        case .migration(let problem): problem.disposition
        case .configuration, .cancelled, .closed, .parameter, .column, .unexpectedAnswer, .rolledBack, .body:
            .fatal
        }
    }

    /// The server's five-character code, also of the decisive part of a transaction.
    package var sqlState: String? { serverError?.sqlState }

    /// What the server said, also in the decisive part of a transaction.
    package var serverError: ServerError? {
        switch self {
        case .server(let error): error
        case .transaction(let failure): failure.decisive?.serverError
        case .migration(.failed(_, _, let cause)): cause.serverError
        default: nil
        }
    }

    /// The code of a refusal for want of a right.
    package static let insufficientPrivilege = "42501"

    /// True when PostgreSQL has no space left (53100).
    ///
    /// Writing stops until somebody frees space.
    package var isDiskFull: Bool { serverError?.isDiskFull ?? false }

    /// True when the server may or may not have committed.
    ///
    /// Repeat only what is idempotent.
    package var isOutcomeUnknown: Bool {
        if case .transaction(let failure) = self { failure.isOutcomeUnknown } else { false }
    }

    /// The error that the caller's own closure threw, if that is what happened.
    package var bodyError: (any Error)? {
        switch self {
        case .body(let error): error
        case .transaction(let failure):
            if let error = failure.body as? StoreError { error.bodyError } else { failure.body }
        default: nil
        }
    }

    /// A short name for metric labels.
    package var label: String {
        switch self {
        case .configuration: "configuration"
        case .connectFailed: "connect_failed"
        case .unavailable: "unavailable"
        case .connectionLost: "connection_lost"
        case .noAnswer: "no_answer"
        case .refused: "refused"
        case .acquireTimedOut: "acquire_timed_out"
        case .cancelled: "cancelled"
        case .closed: "closed"
        case .server(let error): error.isDiskFull ? "disk_full" : "server"
        case .parameter, .column, .unexpectedAnswer: "value"
        case .rolledBack: "rolled_back"
        case .transaction(let failure): failure.decisive?.label ?? "body"
        case .body: "body"
        case .migration: "migration"
        }
    }

    var isConnectionLoss: Bool {
        switch self {
        case .connectionLost, .noAnswer: true
        case .server(let error): ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(error.sqlState)
        default: false
        }
    }

    var isSerializationFailure: Bool { serverError?.isSerializationFailure ?? false }
}
