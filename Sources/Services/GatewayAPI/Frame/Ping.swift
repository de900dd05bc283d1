import Store

/// Asks whether the database answers.
struct Ping: Statement {
    static let sql = "SELECT 1"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int32 { try row.int32() }
}
