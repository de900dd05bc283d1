/// One SQL statement with its parameters and the shape of its rows.
///
/// A statement is a type, so that its text is written once and prepared once per connection:
///
///     struct TradeCount: Statement {
///         static let sql = "SELECT count(*) FROM market.trade WHERE instrument_id = $1"
///         let instrument: Int32
///         func bind(_ parameters: inout Parameters) { parameters.append(instrument) }
///         static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
///     }
///
/// Parameters and columns travel in PostgreSQL's binary formats; every name in the text has its schema.
package protocol Statement: Sendable {
    /// What one row becomes; `Void` for statements without rows.
    associatedtype Row: Sendable = Void

    /// The text, with `$1`, `$2`, … for the parameters; always the same for one type.
    static var sql: String { get }

    /// Appends the parameters in order, always of the same types.
    func bind(_ parameters: inout Parameters)

    /// Reads one row, column by column from the left.
    ///
    /// - Throws: ``StoreError/column(statement:index:problem:)`` from the reader's methods.
    static func decode(_ row: inout RowReader) throws(StoreError) -> Row
}

extension Statement {
    /// No parameters.
    package func bind(_ parameters: inout Parameters) {}

    /// The type's name, for errors and metrics.
    static var statementName: String { String(describing: Self.self) }
}

extension Statement where Row == Void {
    /// Ignores the row.
    package static func decode(_ row: inout RowReader) throws(StoreError) {}
}
