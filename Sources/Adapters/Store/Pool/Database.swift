package import Logging
import ServiceLifecycle

/// PostgreSQL through a bounded pool of connections, each with a thread of its own.
///
/// Threads and connections start when they are needed and end when they are idle. A call waits in a bounded
/// queue while all are busy; cancelling the calling task takes it out again or cancels its statement on the
/// server. After a failed connection calls are refused with ``StoreError/unavailable(retryAfter:)`` until the
/// next attempt is due, so a missing server costs no caller more than one connect timeout.
package final class Database: Service, Sendable {
    /// How long ``close()`` lets calls run before it cancels them.
    static let closeGrace: Duration = .seconds(2)

    private let pool: Pool
    private let listeners = ListenerRegistry()

    /// Makes a pool without connecting.
    ///
    /// - Parameters:
    ///   - configuration: Where the server is, and all limits.
    ///   - logger: For what cannot be thrown: attempts to connect, lost connections.
    ///   - jitter: 0..<1, multiplied with each pause before an attempt.
    package init(
        configuration: StoreConfiguration, logger: Logger,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        pool = Pool(configuration, logger, jitter)
    }

    deinit {
        pool.close()
        listeners.stopAll()
    }

    /// Another pool on the same server, so that what takes long there keeps nobody waiting here.
    ///
    /// - Parameters:
    ///   - name: For its metrics.
    ///   - change: What it keeps otherwise: its size and its limits.
    /// - Returns: A pool to be run and closed by itself.
    package func apart(named name: String, _ change: (inout StoreConfiguration) -> Void) -> Database {
        var configuration = pool.configuration
        configuration.poolName = name
        change(&configuration)
        let pool = pool
        return Database(configuration: configuration, logger: pool.logger, jitter: { pool.nextJitter() })
    }

    /// Whom it signs in as; `nil` where libpq takes the user of the process.
    package var user: String? { pool.configuration.user }

    /// What the pool has done and is doing.
    package var statistics: PoolStatistics { pool.statistics }

    // MARK: Calls

    /// Runs a transaction; the body runs on the connection's thread and is run again when the server asks
    /// for a repetition (40001, 40P01), so it must have no effects outside the database.
    ///
    /// - Throws: ``StoreError/transaction(_:)`` with the parts that failed, ``StoreError/refused(waiting:)``,
    ///   ``StoreError/acquireTimedOut(after:)``, ``StoreError/cancelled`` or ``StoreError/closed``.
    package func transaction<Value: Sendable>(
        _ options: TransactionOptions = .standard,
        _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws(StoreError) -> Value {
        let attempt = TransactionAttempt(options: options, body: body)
        var attempts = 1
        while true {
            do throws(StoreError) {
                return try await call { attempt.run(on: $0) }.get()
            } catch {
                guard error.isSerializationFailure, attempts < options.maximumAttempts,
                    await pause(options.delay(afterAttempt: attempts, jitter: pool.nextJitter()))
                else { throw error.counting(attempts) }
                attempts += 1
                pool.countRetry()
            }
        }
    }

    /// Runs statements outside a transaction; each is one of its own.
    ///
    /// - Throws: ``StoreError``; an error of the body's own arrives as ``StoreError/body(_:)``.
    package func withSession<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws(StoreError) -> Value {
        try await call { owner in
            do {
                return .success(try body(Session(connection: try owner.ready())))
            } catch {
                return .failure(error as? StoreError ?? .body(error))
            }
        }.get()
    }

    /// Runs one statement and returns its rows.
    ///
    /// - Throws: ``StoreError``.
    package func rows<Row: Sendable>(
        _ query: Query, named name: String = #function,
        _ read: @escaping @Sendable (inout RowReader) throws -> Row
    ) async throws(StoreError) -> [Row] {
        try await withSession { session in try session.rows(query, named: name, read) }
    }

    /// Runs one statement and returns its first row, `nil` when it has none.
    ///
    /// - Throws: ``StoreError``.
    package func first<Row: Sendable>(
        _ query: Query, named name: String = #function,
        _ read: @escaping @Sendable (inout RowReader) throws -> Row
    ) async throws(StoreError) -> Row? {
        try await withSession { session in try session.first(query, named: name, read) }
    }

    /// Runs one statement and returns how many rows it affected.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    package func execute(_ query: Query, named name: String = #function) async throws(StoreError) -> Int {
        try await withSession { session in try session.execute(query, named: name) }
    }

    /// Runs one statement and returns its rows.
    ///
    /// - Throws: ``StoreError``.
    package func rows<S: Statement>(_ statement: S) async throws(StoreError) -> [S.Row] {
        try await withSession { session in try session.rows(statement) }
    }

    /// Runs one statement and returns its first row, `nil` when it has none.
    ///
    /// - Throws: ``StoreError``.
    package func first<S: Statement>(_ statement: S) async throws(StoreError) -> S.Row? {
        try await withSession { session in try session.first(statement) }
    }

    /// Runs one statement and returns how many rows it affected.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    package func execute<S: Statement>(_ statement: S) async throws(StoreError) -> Int {
        try await withSession { session in try session.execute(statement) }
    }

    /// Listens on channels with a connection of its own, until the sequence is dropped or the database
    /// closed.
    package func listen(to channels: [String]) -> ListenEvents {
        let (events, listener) = Listener.make(
            pool.configuration, channels: channels, jitter: pool.nextJitter)
        // Added before the look: whoever closes meanwhile stops it.
        listeners.add(listener)
        if pool.isClosed { listener.stop() }
        listener.start()
        return events
    }

    /// Queues one call, waits for its answer, and takes it back when the time is over or the task cancelled.
    private func call<Value: Sendable>(
        _ body: @escaping @Sendable (ConnectionOwner) -> Result<Value, StoreError>
    ) async -> Result<Value, StoreError> {
        // So that a caller that repeats what failed comes to an end with its task.
        if Task.isCancelled { return .failure(.cancelled) }
        let id = pool.makeID()
        async let _ = pool.expire(id, after: pool.configuration.acquireTimeout)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let work = Work(
                    id: id,
                    run: { owner in
                        let result = body(owner)
                        return { continuation.resume(returning: result) }
                    },
                    fail: { continuation.resume(returning: .failure($0)) })
                pool.submit(work)
                // A cancellation before the call was queued found nothing to take back.
                if Task.isCancelled { pool.cancel(id) }
            }
        } onCancel: {
            pool.cancel(id)
        }
    }

    /// False when the task was cancelled meanwhile.
    private func pause(_ duration: Duration) async -> Bool {
        (try? await Task.sleep(for: duration)) != nil
    }

    // MARK: Life

    /// Waits for graceful shutdown or cancellation, then closes.
    package func run() async {
        // Cancellation is no error here: it means the same, sooner.
        try? await gracefulShutdown()
        await close()
    }

    /// Refuses new calls, lets running ones end (after two seconds or a cancellation: cancels them), and
    /// returns when every thread has ended.
    ///
    /// May be called again.
    package func close() async {
        pool.close()
        listeners.stopAll()
        async let _ = interrupt(after: Self.closeGrace)
        await withTaskCancellationHandler {
            await pool.allEnded()
            await listeners.allEnded()
        } onCancel: {
            pool.interruptAll()
        }
    }

    private func interrupt(after grace: Duration) async {
        guard await pause(grace) else { return }
        pool.interruptAll()
    }

    /// Makes a database for the time of one call, as a command needs it, and closes it in the end.
    ///
    /// - Throws: What the body throws.
    package static func use<Value>(
        _ configuration: StoreConfiguration, logger: Logger, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let database = Database(configuration: configuration, logger: logger)
        do {
            let value = try await body(database)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }
}

extension StoreError {
    /// Notes how often the transaction was tried.
    fileprivate func counting(_ attempts: Int) -> StoreError {
        guard case .transaction(var failure) = self else { return self }
        failure.attempts = attempts
        return .transaction(failure)
    }
}
