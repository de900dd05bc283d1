import Threads

/// Work on whole databases: on a thread and connections of its own, beside every pool.
enum DirectWork {
    /// Opens another database of the server, on the same thread.
    typealias Opening = (_ database: String) throws(StoreError) -> Connection

    /// Runs a closure with a connection; cancelling the task interrupts it.
    ///
    /// - Parameters:
    ///   - name: What the thread is called, and what the server shows behind the application's name.
    ///   - configuration: The database.
    ///   - body: Blocks the thread as long as it likes.
    /// - Returns: What the body returned.
    /// - Throws: What the body throws; ``StoreError`` where there is no connection.
    static func run<Value: Sendable>(
        _ name: String, _ configuration: StoreConfiguration,
        _ body: @escaping @Sendable (borrowing Session, Opening) throws -> Value
    ) async throws -> Value {
        var direct = configuration
        // A table may take long, to be copied as to be written anew.
        direct.statementTimeout = .seconds(3_600)
        direct.applicationName += " " + name
        let (signal, settings) = (try WakeSignal(), direct)
        let result: Result<Value, any Error> = await withTaskCancellationHandler {
            await NamedThread.run(name: name) {
                Result {
                    let open: Opening = { (name) throws(StoreError) in
                        try Connection(settings.database(name), signal: signal)
                    }
                    return try body(Session(connection: try Connection(settings, signal: signal)), open)
                }
            }
        } onCancel: {
            signal.interrupt()
        }
        return try result.get()
    }
}
