import CPostgres

/// One result of libpq, cleared when it goes out of scope.
struct QueryResult: ~Copyable {
    // SAFETY: owned by this value alone, which the compiler does not let be copied.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var rowCount: Int32 { PQntuples(pointer) }

    /// Rows that an INSERT, UPDATE, DELETE, SELECT or COPY affected; 0 for everything else.
    var affectedRows: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }
    /// The command's tag, such as `COMMIT`.
    var commandTag: String { String(cString: PQcmdStatus(pointer)) }

    /// Reads one row, all of its columns or none.
    func read<Row>(
        _ index: Int32, _ statement: String, _ read: (inout RowReader) throws -> Row
    ) throws(StoreError) -> Row {
        var reader = RowReader(result: pointer, row: index, statement: statement)
        do {
            let row = try read(&reader)
            try reader.finish()
            return row
        } catch {
            throw error as? StoreError ?? .body(error)
        }
    }

    var isError: Bool {
        switch status {
        case PGRES_FATAL_ERROR, PGRES_NONFATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_PIPELINE_ABORTED: true
        default: false
        }
    }

    /// What the server said, or `nil` when libpq made the error itself, as it does for a lost connection.
    func serverError(statement: String) -> ServerError? {
        guard let sqlState = field("C") else { return nil }
        let table = field("t").map { table in field("s").map { "\($0).\(table)" } ?? table }
        return ServerError(
            sqlState: sqlState, message: field("M") ?? "", detail: field("D"), hint: field("H"),
            constraint: field("n"), table: table, column: field("c"), position: field("P").flatMap(Int.init),
            statement: statement)
    }

    /// Source: PostgreSQL 15, `postgres_ext.h`, the PG_DIAG codes, which are the protocol's letters.
    private func field(_ code: Unicode.Scalar) -> String? {
        PQresultErrorField(pointer, Int32(code.value)).map { String(cString: $0) }
    }
}
