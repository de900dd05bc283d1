/// Who may change a schema, or migrate the installation, at a time.
enum MigrationLock {
    /// How long another program's run is waited for.
    private static let wait: Duration = .seconds(60)
    private static let pause: Duration = .milliseconds(50)
    /// Keeps our locks apart from those of other programs: "bpal" in ASCII.
    private static let program = 0x6270_616C

    /// Takes the lock of a name until the session ends; again by the same session as often as it likes.
    ///
    /// Tries again and again instead of waiting in the server: a session that waits there holds a snapshot,
    /// which CREATE INDEX CONCURRENTLY of the running program would wait for in turn.
    static func take(_ name: String, _ session: borrowing Session) throws(StoreError) {
        let number = Int32(truncatingIfNeeded: name.utf8.reduce(Int64(5381)) { $0 &* 33 &+ Int64($1) })
        let sql = "SELECT pg_try_advisory_lock(\(program), \(number))"
        let deadline = Deadline(after: wait)
        while true {
            var isLocked = false
            try session.rows(sql: sql) { (row) throws(StoreError) in isLocked = try row.bool() }
            if isLocked { return }
            if deadline.isOver { throw .migration(.busy(schema: name)) }
            let next = Deadline(after: pause)
            _ = waitForSocket(-1, events: 0, signal: session.connection.signal, until: next)
        }
    }
}
