/// Every part of a transaction that failed.
package struct TransactionFailure: Error, Sendable {
    /// Why the transaction could not begin.
    package var begin: StoreError?
    /// What the body threw: a ``StoreError`` of a statement, or an error of the caller's own.
    package var body: (any Error)?
    /// Why the rollback after `body` failed.
    ///
    /// The server rolls back by itself when the connection goes.
    package var rollback: StoreError?
    /// Why the commit failed.
    package var commit: StoreError?
    /// How many times the whole transaction was tried, from 1.
    package var attempts = 1

    /// The part that decides what to do.
    var decisive: StoreError? { begin ?? commit ?? (body as? StoreError) }

    /// True when the connection went away while the server was committing.
    var isOutcomeUnknown: Bool {
        switch commit {
        case .connectionLost, .noAnswer, .cancelled: true
        default: false
        }
    }

    var description: String {
        var parts: [String] = []
        if let begin { parts.append("begin: \(begin.description)") }
        if let body {
            // An error of the caller's own may hold anything: only its type is safe to show.
            parts.append("body: \((body as? StoreError)?.description ?? "\(type(of: body))")")
        }
        if let rollback { parts.append("rollback: \(rollback.description)") }
        if let commit { parts.append("commit: \(commit.description)") }
        let tries = attempts > 1 ? " after \(attempts) attempts" : ""
        return "transaction failed\(tries): \(parts.joined(separator: "; "))"
    }

    var debugDescription: String {
        func text(_ error: (any Error)?) -> String { error.map { String(reflecting: $0) } ?? "none" }
        return "transaction failed, attempts=\(attempts) begin=\(text(begin)) body=\(text(body))"
            + " rollback=\(text(rollback)) commit=\(text(commit))"
    }
}
