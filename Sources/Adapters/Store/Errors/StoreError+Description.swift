extension StoreError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line without SQL, arguments or secrets.
    package var description: String {
        switch self {
        case .configuration(let text): text
        case .connectFailed(let reason, _): "PostgreSQL cannot be reached: \(reason)"
        case .unavailable(let delay): "PostgreSQL is not reachable; next attempt in \(delay)"
        case .connectionLost(let statement, _): "the connection to PostgreSQL was lost during \(statement)"
        case .noAnswer(let statement, let limit): "PostgreSQL did not answer \(statement) within \(limit)"
        case .refused(let waiting): "too many database calls at once: \(waiting) are waiting already"
        case .acquireTimedOut(let limit): "no database connection became free within \(limit)"
        case .cancelled: "the database call was cancelled"
        case .closed: "the database is closed"
        case .server(let error): error.description
        case .parameter(let statement, let index, let problem):
            "parameter \(index) of \(statement) \(problem.description)"
        case .column(let statement, let index, let problem):
            "column \(index) of \(statement) \(problem.description)"
        case .unexpectedAnswer(let statement, let status): "unexpected answer to \(statement): \(status)"
        case .rolledBack: "the transaction was rolled back at COMMIT, because a statement in it had failed"
        case .transaction(let failure): failure.description
        case .body(let error): "the session's body failed: \(type(of: error))"
        case .migration(let problem): problem.description
        }
    }

    /// The description and what it leaves out: server messages and details, which may quote data.
    package var debugDescription: String {
        switch self {
        case .server(let error): error.debugDescription
        case .connectionLost(_, let detail): "\(description): \(detail)"
        case .transaction(let failure): failure.debugDescription
        case .body(let error): "\(description): \(String(reflecting: error))"
        default: description
        }
    }
}
