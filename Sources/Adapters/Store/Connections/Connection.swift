import CPostgres
import Glibc

/// One connection to PostgreSQL, confined to the thread that opened it.
///
/// libpq runs in non-blocking mode and this type waits in `poll`, so that every wait has an end: the answer,
/// the time limit, or an interruption, which cancels the statement on the server.
final class Connection {
    // SAFETY: libpq allows a connection to one thread at a time. This class is not Sendable, is made and used
    // inside one thread's function, and closes the handle in deinit.
    let handle: OpaquePointer
    let signal: WakeSignal
    private let configuration: StoreConfiguration
    /// Names of prepared statements by their texts.
    private var prepared: [String: String] = [:]
    /// Longest wait for the answer to one statement; zero is no limit.
    private var answerLimit: Duration
    /// True once nothing more can be expected of this connection.
    private(set) var isBroken = false
    /// Gets the duration and outcome of every exchange.
    var observe: ((Duration, StoreError?) -> Void)?

    /// - Throws: ``StoreError/connectFailed(reason:retryAfter:)``, ``StoreError/cancelled`` or an error of
    ///   the first settings.
    init(_ configuration: StoreConfiguration, signal: WakeSignal) throws(StoreError) {
        self.configuration = configuration
        self.signal = signal
        answerLimit = Self.answerLimit(configuration.statementTimeout, configuration)
        handle = try Self.connect(configuration, signal)
        // Without a processor of our own libpq prints notices to standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        PQsetnonblocking(handle, 1)
        let version = Int(PQserverVersion(handle))
        try script(ConnectionOptions.sessionScript(configuration, serverVersion: version), name: "SET")
    }

    deinit { PQfinish(handle) }

    /// Its descriptor.
    var socket: Int32 { PQsocket(handle) }
    /// The server process, as in `pg_stat_activity.pid`.
    var backendProcessID: Int32 { PQbackendPID(handle) }
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// Sets how long answers may take; `nil` goes back to the configuration.
    func limitAnswers(to statementTimeout: Duration?) {
        answerLimit = Self.answerLimit(statementTimeout ?? configuration.statementTimeout, configuration)
    }

    private static func answerLimit(_ timeout: Duration, _ configuration: StoreConfiguration) -> Duration {
        timeout > .zero ? timeout + configuration.answerGrace : .zero
    }

    /// Looks for what an idle connection received: a closed socket, most of all.
    func checkWhileIdle() {
        // A server that goes first says why and closes then: that is more than one look. Bounded, because
        // one that talks all the time is alive.
        for _ in 0..<8 {
            guard waitForSocket(socket, events: POLLIN, signal: nil, until: .now) == .ready else {
                return
            }
            guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else {
                isBroken = true
                return
            }
        }
    }

    func markBroken() { isBroken = true }

    // MARK: Statements

    /// Sends a prepared statement and hands over each result.
    func query(
        _ statement: StatementText, _ parameters: Parameters, rowByRow: Bool = false,
        _ take: (borrowing QueryResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        if let (index, problem) = parameters.firstProblem {
            throw .parameter(statement: statement.name, index: index, problem: problem)
        }
        let name = try prepare(statement, types: parameters.types)
        try exchange(statement.name, take: take) {
            let isSent = sendPrepared(name, parameters)
            return isSent && (!rowByRow || PQsetSingleRowMode(handle) == 1)
        }
    }

    func sendPrepared(_ name: String, _ parameters: Parameters) -> Bool {
        parameters.withPointers { values, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(parameters.slots.count), values, lengths, formats, 1) == 1
        }
    }

    /// Prepares a statement where this connection has not done so before.
    func prepare(_ statement: StatementText, types: [UInt32]) throws(StoreError) -> String {
        if let name = prepared[statement.sql] { return name }
        let name = "s\(prepared.count + 1)"
        let sql = configuration.rewriting?(statement.sql) ?? statement.sql
        try exchange(statement.name, take: { _ in }) {
            PQsendPrepare(handle, name, sql, Int32(types.count), types) == 1
        }
        prepared[statement.sql] = name
        return name
    }

    /// Runs one text without parameters and without preparing it; results are in binary format.
    func once(
        _ sql: String, name: String, _ take: (borrowing QueryResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        try exchange(name, take: take) {
            PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1
        }
    }

    /// Runs one text without parameters; rows come one by one.
    func lines(
        _ sql: String, _ take: (borrowing QueryResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        try exchange("lines", take: take) {
            PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 && PQsetSingleRowMode(handle) == 1
        }
    }

    /// Sends text by the simple protocol, several statements at once; hands over each command's tag.
    func script(
        _ sql: String, name: String, isInterruptible: Bool = true, _ take: (String) -> Void = { _ in }
    ) throws(StoreError) {
        guard !sql.utf8.contains(0) else {
            throw .parameter(statement: name, index: 0, problem: .containsNUL)
        }
        try exchange(name, isInterruptible: isInterruptible, take: { result in take(result.commandTag) }) {
            PQsendQuery(handle, sql) == 1
        }
    }

    // MARK: Sending and waiting

    /// Sends something and takes all results, to the end even after an error.
    func exchange(
        _ name: String, isInterruptible: Bool = true,
        take: (borrowing QueryResult) throws(StoreError) -> Void, send: () -> Bool
    ) throws(StoreError) {
        var exchange = try begin(name, isInterruptible: isInterruptible)
        guard send() else { throw finish(exchange, with: lost(name)) }
        var failure: StoreError?
        while let result = try next(&exchange) {
            do throws(StoreError) {
                try check(result, exchange)
                if failure == nil { try take(result) }
            } catch {
                failure = failure ?? error
                if isBroken { break }
            }
        }
        if PQstatus(handle) != CONNECTION_OK { isBroken = true }
        if let failure { throw finish(exchange, with: failure) }
        finish(exchange)
    }

    /// - Throws: ``StoreError/cancelled`` before anything is sent.
    func begin(_ name: String, isInterruptible: Bool = true) throws(StoreError) -> Exchange {
        if isInterruptible, signal.isInterrupted { throw .cancelled }
        return Exchange(name: name, limit: answerLimit, isInterruptible: isInterruptible)
    }

    /// The next result, `nil` at the end of a statement's results.
    func next(_ exchange: inout Exchange) throws(StoreError) -> QueryResult? {
        while PQisBusy(handle) == 1 {
            try wait(&exchange, isSending: try flush(exchange))
        }
        return PQgetResult(handle).map(QueryResult.init)
    }

    /// Sends what the socket takes; true when something is left.
    func flush(_ exchange: Exchange) throws(StoreError) -> Bool {
        let unsent = PQflush(handle)
        guard unsent >= 0 else { throw finish(exchange, with: lost(exchange.name)) }
        return unsent > 0
    }

    /// Waits until the socket has something or, when sending, takes something; then reads.
    ///
    /// Whoever waits without being about to send must have flushed everything: the server waits for it.
    func wait(_ exchange: inout Exchange, isSending: Bool) throws(StoreError) {
        switch waitForSocket(
            socket, events: isSending ? POLLIN | POLLOUT : POLLIN,
            signal: exchange.isInterruptible ? signal : nil, until: exchange.deadline)
        {
        case .ready:
            if PQconsumeInput(handle) != 1 { throw finish(exchange, with: lost(exchange.name)) }
        case .woken: interruptIfAsked(&exchange)
        case .timedOut:
            isBroken = true
            let error: StoreError =
                exchange.wasInterrupted
                ? .cancelled : .noAnswer(statement: exchange.name, after: exchange.limit)
            throw finish(exchange, with: error)
        }
    }

    /// Asks the server to end the statement; it answers with 57014, or the wait ends after a second.
    private func interruptIfAsked(_ exchange: inout Exchange) {
        signal.drain()
        guard signal.isInterrupted else { return }
        exchange.interrupt()
        guard let cancel = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(cancel) }
        var message = [CChar](repeating: 0, count: 256)
        PQcancel(cancel, &message, Int32(message.count))
    }

    func finish(_ exchange: Exchange) { observe?(exchange.elapsed, nil) }

    func finish(_ exchange: Exchange, with error: StoreError) -> StoreError {
        let isOurs = exchange.wasInterrupted && error.sqlState == "57014"
        let error = isOurs ? .cancelled : error
        observe?(exchange.elapsed, error)
        return error
    }

    /// - Throws: The error that the result is, or ``StoreError/unexpectedAnswer(statement:status:)``.
    func check(_ result: borrowing QueryResult, _ exchange: Exchange) throws(StoreError) {
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_SYNC:
            return
        case _ where result.isError: throw error(of: result, statement: exchange.name)
        default:
            // A COPY that nobody expected leaves the connection in a state that no statement can be sent in.
            isBroken = true
            let status = String(cString: PQresStatus(result.status))
            throw .unexpectedAnswer(statement: exchange.name, status: status)
        }
    }

    func error(of result: borrowing QueryResult, statement: String) -> StoreError {
        guard let error = result.serverError(statement: statement) else { return lost(statement) }
        // A migration changed what prepared statements stand on: the next caller gets a fresh connection.
        if error.sqlState == "0A000" || error.sqlState == "26000" { isBroken = true }
        // The server says goodbye with these and closes; the caller sees a lost connection either way.
        guard ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(error.sqlState) else {
            return .server(error)
        }
        isBroken = true
        return .connectionLost(statement: statement, detail: error.message)
    }

    func lost(_ statement: String) -> StoreError {
        isBroken = true
        let detail = ConnectionOptions.firstLine(of: String(cString: PQerrorMessage(handle)))
        return .connectionLost(statement: statement, detail: detail)
    }
}
