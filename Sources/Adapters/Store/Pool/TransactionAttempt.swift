/// One attempt of a transaction, on a connection's thread.
struct TransactionAttempt<Value: Sendable>: Sendable {
    let options: TransactionOptions
    let body: @Sendable (borrowing Session) throws -> Value

    func run(on owner: ConnectionOwner) -> Result<Value, StoreError> {
        let connection: Connection
        do throws(StoreError) {
            connection = try owner.begin(options)
        } catch {
            return .failure(.transaction(TransactionFailure(begin: error)))
        }
        connection.limitAnswers(to: options.statementTimeout)
        defer { connection.limitAnswers(to: nil) }
        let value: Value
        do {
            value = try body(Session(connection: connection, isLimited: options.owner != nil))
        } catch {
            return .failure(.transaction(rollback(connection, body: error)))
        }
        do throws(StoreError) {
            try commit(connection)
        } catch {
            return .failure(.transaction(TransactionFailure(commit: error)))
        }
        return .success(value)
    }

    private func rollback(_ connection: Connection, body: any Error) -> TransactionFailure {
        var failure = TransactionFailure(body: body)
        // A broken connection is closed after this; the server rolls back by itself.
        guard !connection.isBroken else { return failure }
        do throws(StoreError) {
            try connection.script("ROLLBACK", name: "ROLLBACK", isInterruptible: false)
        } catch {
            failure.rollback = error
        }
        return failure
    }

    /// COMMIT after a failed statement rolls back without an error; only its tag says so.
    private func commit(_ connection: Connection) throws(StoreError) {
        var tag = ""
        try connection.script("COMMIT", name: "COMMIT", isInterruptible: false) { tag = $0 }
        if tag == "ROLLBACK" { throw .rolledBack }
    }
}
