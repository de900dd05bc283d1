import Dispatch
import Logging
import Support
import Testing

@testable import Store

/// Holds a connection's thread until the test says so.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open(_ count: Int = 1) { for _ in 0..<count { semaphore.signal() } }
    func wait() { semaphore.wait() }
}

/// What the body threw; an issue when it threw nothing or something else.
func storeError<Value>(
    _ body: () async throws -> Value, at location: SourceLocation = #_sourceLocation
) async -> StoreError? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: location)
    } catch let error as StoreError {
        return error
    } catch {
        Issue.record(error, sourceLocation: location)
    }
    return nil
}

extension Database {
    /// A pool without pauses between attempts, so that tests wait for nothing but the server.
    static func test(
        _ configuration: StoreConfiguration, connections: Int = 4, waiting: Int = 256
    ) -> Database {
        var configuration = configuration
        configuration.maximumConnections = connections
        configuration.maximumWaiting = waiting
        return Database(configuration: configuration, logger: TestDatabase.logger, jitter: { 0 })
    }

    /// Runs text, for what no statement type is worth writing.
    func script(_ sql: String) async throws(StoreError) {
        try await withSession { session in try session.script(sql) }
    }
}

/// Ends another connection, from any thread.
func terminate(_ processID: Int32, _ configuration: StoreConfiguration) throws(StoreError) {
    let connection = try Connection(configuration, signal: try WakeSignal())
    try connection.script("SELECT pg_terminate_backend(\(processID), 5000)", name: "terminate")
}

/// Any statement with one `bigint`.
struct Count: Statement {
    static let sql = "SELECT count(*) FROM item"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

/// Adds a row to `item`.
struct AddItem: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO item (id, name) VALUES ($1, $2)"
    let id: Int64
    var name = "x"
    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(name)
    }
}

/// Reads `item`.
struct Items: Statement {
    static let sql = "SELECT id FROM item ORDER BY id"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

/// A row of `item` for COPY.
struct ItemRow: CopyRow {
    static let copySQL = "COPY item (id, name) FROM STDIN (FORMAT binary)"
    static let columnCount = 2
    let id: Int64
    var name = "copied"
    func write(_ row: inout CopyWriter) {
        row.append(id)
        row.append(name)
    }
}

let itemTable = "CREATE TABLE item (id bigint PRIMARY KEY, name text NOT NULL)"
