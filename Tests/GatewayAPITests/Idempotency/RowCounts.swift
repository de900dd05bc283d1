import Store

/// How many rows each table has that belongs to people.
struct RowCounts: Statement {
    static let sql = """
        SELECT table_schema || '.' || table_name, (xpath('/row/c/text()', query_to_xml(
            format('SELECT count(*) AS c FROM %I.%I', table_schema, table_name), false, true, ''
        )))[1]::text::bigint
        FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND (table_schema IN ('accounts', 'alerts', 'gateway', 'portfolio')
            OR (table_schema, table_name) = ('market', 'subscription'))
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> (String, Int64) {
        (try row.text(), try row.int64())
    }
}

/// The tables of which a row, as text, holds a text.
struct TablesNaming: Statement {
    static let sql = """
        SELECT table_schema || '.' || table_name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema IN ('accounts', 'alerts', 'portfolio')
            AND (xpath('/row/c/text()', query_to_xml(format(
                'SELECT count(*) AS c FROM %I.%I AS item WHERE item::text LIKE %L',
                table_schema, table_name, '%' || $1 || '%'), false, true, '')))[1]::text::bigint > 0
        """
    let text: String

    func bind(_ parameters: inout Parameters) { parameters.append(text) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}
