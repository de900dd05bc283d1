/// A connection during one call of ``Database/withSession(_:)`` or ``Database/transaction(_:_:)``.
///
/// Every method blocks the connection's own thread until the server has answered. The compiler lets no
/// session escape from the closure that it was given to.
package struct Session: ~Copyable {
    let connection: Connection
    /// Whether it sees the rows of one owner only.
    ///
    /// PostgreSQL refuses COPY then (manual 15, COPY, "Notes"): rows are inserted instead.
    package let isLimited: Bool

    init(connection: Connection, isLimited: Bool = false) {
        self.connection = connection
        self.isLimited = isLimited
    }

    /// The server process that serves this session, as in `pg_stat_activity.pid`.
    package var backendProcessID: Int32 { connection.backendProcessID }

    /// Runs a statement and returns all its rows; for more rows than memory should hold, see `forEach`.
    ///
    /// - Parameters:
    ///   - query: The statement.
    ///   - name: What errors call it.
    ///   - read: Reads one row, every column from the left.
    /// - Returns: What it made of the rows, in their order.
    /// - Throws: ``StoreError``; inside a transaction nothing but the end of it can follow.
    package func rows<Row>(
        _ query: Query, named name: String = #function, _ read: (inout RowReader) throws -> Row
    ) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        try run(query, name) { (result) throws(StoreError) in
            rows.reserveCapacity(Int(result.rowCount))
            for index in 0..<result.rowCount { rows.append(try result.read(index, name, read)) }
        }
        return rows
    }

    /// Runs a statement and returns its first row, `nil` when it has none.
    ///
    /// - Throws: ``StoreError``.
    package func first<Row>(
        _ query: Query, named name: String = #function, _ read: (inout RowReader) throws -> Row
    ) throws(StoreError) -> Row? {
        var first: Row?
        try run(query, name) { (result) throws(StoreError) in
            if result.rowCount > 0 { first = try result.read(0, name, read) }
        }
        return first
    }

    /// Whether a statement has a row.
    ///
    /// - Throws: ``StoreError``.
    package func exists(_ query: Query, named name: String = #function) throws(StoreError) -> Bool {
        var exists = false
        try run(query, name) { (result) throws(StoreError) in exists = result.rowCount > 0 }
        return exists
    }

    /// Runs a statement and returns how many rows it affected.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    package func execute(_ query: Query, named name: String = #function) throws(StoreError) -> Int {
        var affected = 0
        try run(query, name) { (result) throws(StoreError) in affected = result.affectedRows }
        return affected
    }

    /// Runs a statement and hands over its rows one by one, in constant memory.
    ///
    /// - Throws: ``StoreError``; after an error of `body` the rest of the rows is read and discarded.
    package func forEach<Row>(
        _ query: Query, named name: String = #function, _ read: (inout RowReader) throws -> Row,
        _ body: (Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        try run(query, name, rowByRow: true) { (result) throws(StoreError) in
            for index in 0..<result.rowCount { try body(try result.read(index, name, read)) }
        }
    }

    /// Runs a statement and returns all its rows.
    ///
    /// - Throws: ``StoreError``.
    package func rows<S: Statement>(_ statement: S) throws(StoreError) -> [S.Row] {
        try rows(Query(statement), named: S.statementName, S.decode)
    }

    /// Runs a statement and returns its first row, `nil` when it has none.
    ///
    /// - Throws: ``StoreError``.
    package func first<S: Statement>(_ statement: S) throws(StoreError) -> S.Row? {
        try first(Query(statement), named: S.statementName, S.decode)
    }

    /// Runs a statement and returns how many rows it affected.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    package func execute<S: Statement>(_ statement: S) throws(StoreError) -> Int {
        try execute(Query(statement), named: S.statementName)
    }

    /// Runs a statement and hands over its rows one by one, in constant memory.
    ///
    /// - Throws: ``StoreError``; after an error of `body` the rest of the rows is read and discarded.
    package func forEach<S: Statement>(
        _ statement: S, _ body: (S.Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        try forEach(Query(statement), named: S.statementName, S.decode, body)
    }

    /// Sends all statements in one round trip and returns how many rows each affected.
    ///
    /// Outside a transaction the batch is one of its own.
    ///
    /// - Throws: The error of the first statement that failed.
    @discardableResult
    package func send(_ batch: StatementBatch) throws(StoreError) -> [Int] {
        batch.isEmpty ? [] : try connection.pipeline(batch.entries)
    }

    /// Copies rows into a table and returns how many the server took; all of them, or none when it throws.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    package func copy<Rows: Sequence>(_ rows: Rows) throws(StoreError) -> Int where Rows.Element: CopyRow {
        try connection.copy(rows)
    }

    /// Runs several statements without parameters or rows, separated by semicolons.
    ///
    /// - Parameter sql: Never made from input; for migrations and tests.
    /// - Throws: ``StoreError``.
    package func script(_ sql: String) throws(StoreError) {
        try connection.script(sql, name: "script")
    }

    /// Runs text that is made at run time, for statements whose schema is a parameter of this module.
    func rows(sql: String, _ body: (inout RowReader) throws(StoreError) -> Void) throws(StoreError) {
        try connection.once(sql, name: "query") { (result) throws(StoreError) in
            for row in 0..<result.rowCount {
                var reader = RowReader(result: result.pointer, row: row, statement: "query")
                try body(&reader)
            }
        }
    }

    /// Runs text that is made at run time and hands over its only column row by row, in constant memory.
    func lines(_ sql: String, _ body: (String) throws -> Void) throws {
        var failure: (any Error)?
        try connection.lines(sql) { (result) throws(StoreError) in
            for row in 0..<result.rowCount where failure == nil {
                var reader = RowReader(result: result.pointer, row: row, statement: "lines")
                let line = try reader.text()
                do { try body(line) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    private func run(
        _ query: Query, _ name: String, rowByRow: Bool = false,
        _ take: (borrowing QueryResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = StatementText(name: name, sql: query.text)
        try connection.query(statement, query.parameters, rowByRow: rowByRow, take)
    }
}
