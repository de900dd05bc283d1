package import Store

/// The tables of a schema that show the rows of all users to everybody who may read them.
package struct OpenTables: Statement {
    /// The statement's text.
    package static let sql = """
        SELECT namespace.nspname || '.' || class.relname
        FROM pg_catalog.pg_class AS class
        JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
        WHERE class.relkind IN ('r', 'p') AND namespace.nspname = $1
            AND NOT (class.relrowsecurity AND class.relforcerowsecurity)
        ORDER BY 1
        """

    private let schema: String

    /// Names the schema.
    package init(schema: String) { self.schema = schema }

    /// Appends the name.
    package func bind(_ parameters: inout Parameters) { parameters.append(schema) }

    /// Reads a table's name.
    package static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}
