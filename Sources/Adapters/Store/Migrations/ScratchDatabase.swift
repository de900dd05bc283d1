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
        do throws(StoreError) {
            try drop()
            try owner.script(creation, name: "script")
        } catch {
            throw BackupProblem.uncheckable(cause: error)
        }
        do {
            try body(Session(connection: try open(name)))
        } catch {
            // The next run drops what is left, if this one cannot.
            try? drop()
            throw error
        }
        try drop()
    }

    /// Drops it, with whoever is connected to it.
    ///
    /// A drop by force wants the right to end every process in it, which nobody but a superuser has of an
    /// autovacuum worker's (`TerminateOtherDBBackends`). A plain one has the server end workers, for up to
    /// five seconds (`CountOtherDBBackends`): so force is for what a killed run's connections leave.
    private func drop() throws(StoreError) {
        let plain = "DROP DATABASE IF EXISTS \(name)"
        do throws(StoreError) {
            try owner.script(plain, name: "script")
        } catch {
            guard error.sqlState == Self.objectInUse else { throw error }
            try owner.script(plain + " WITH (FORCE)", name: "script")
        }
    }

    private static let objectInUse = "55006"
}
