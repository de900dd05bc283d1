/// A database beside another, of its encoding and order, that is there while something is tried in it.
struct ScratchDatabase {
    private let owner: Connection
    private let name: String
    private let creation: String

    /// Names it after what it is for and the other's number in the server, so that what a run left behind
    /// that was killed is found by the next.
    init(_ purpose: String = "check", for session: borrowing Session) throws(StoreError) {
        owner = session.connection
        var words: (number: Int64, encoding: String, collate: String, type: String)?
        try session.rows(
            sql: """
                SELECT oid::bigint, pg_encoding_to_char(encoding)::text,
                    quote_literal(datcollate)::text, quote_literal(datctype)::text
                FROM pg_catalog.pg_database WHERE datname = current_database()
                """
        ) { (row) throws(StoreError) in
            words = (try row.int64(), try row.text(), try row.text(), try row.text())
        }
        guard let words else { throw .unexpectedAnswer(statement: "query", status: "no row") }
        name = "bitpal_\(purpose)_\(words.number)"
        creation = """
            CREATE DATABASE \(name) TEMPLATE template0 ENCODING '\(words.encoding)'
            LC_COLLATE \(words.collate) LC_CTYPE \(words.type)
            """
    }

    /// Makes it, uses it and drops it, whatever happens.
    ///
    /// - Throws: ``BackupProblem/uncheckable(cause:)`` where it cannot be made; what the body throws.
    func use(_ open: DirectWork.Opening, _ body: (borrowing Session) throws -> Void) throws {
        let drop = "DROP DATABASE IF EXISTS \(name) WITH (FORCE)"
        do throws(StoreError) {
            try owner.script(drop, name: "script")
            try owner.script(creation, name: "script")
        } catch {
            throw BackupProblem.uncheckable(cause: error)
        }
        do {
            try body(Session(connection: try open(name)))
        } catch {
            // The next run drops what is left, if this one cannot.
            try? owner.script(drop, name: "script")
            throw error
        }
        try owner.script(drop, name: "script")
    }
}
