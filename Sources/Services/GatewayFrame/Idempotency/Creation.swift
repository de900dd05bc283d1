package import Store

/// What a route makes: one transaction, of which its answer is a part.
///
/// A route prepares what it can outside (it reads, hashes and checks) and gives this; the frame runs it.
/// So the claim on an `Idempotency-Key`, what is made and the answer are there together, or none of them.
package struct Creation<Answer: KeepableAnswer>: Sendable {
    let options: TransactionOptions
    /// Runs again when PostgreSQL asks for it: all that it does is undone with the transaction.
    let make: @Sendable (borrowing Session) throws -> Answer
    /// What an error is for a client.
    let refusal: @Sendable (StoreError) async throws -> any Error
    /// Where it runs; `nil` for where requests run that nobody waits for long.
    private(set) var database: Database?
    /// What follows for those who look on; lost with the process, so nothing that has to happen.
    private(set) var afterwards: @Sendable () async -> Void = {}

    /// Describes one.
    ///
    /// - Parameters:
    ///   - options: How the transaction runs, and whose rows it sees.
    ///   - refusal: What an error of the transaction is for a client.
    ///   - make: Makes it, and says what the answer is.
    package init(
        _ options: TransactionOptions = .standard,
        refusal: @escaping @Sendable (StoreError) async throws -> any Error = { $0 },
        _ make: @escaping @Sendable (borrowing Session) throws -> Answer
    ) {
        (self.options, self.refusal, self.make) = (options, refusal, make)
    }

    /// The same on other connections, for what takes long.
    package func on(_ database: Database) -> Creation {
        var creation = self
        creation.database = database
        return creation
    }

    /// The same, and then `next` once it is committed.
    package func followed(by next: @escaping @Sendable () async -> Void) -> Creation {
        var creation = self
        creation.afterwards = { [afterwards] in
            await afterwards()
            await next()
        }
        return creation
    }
}
