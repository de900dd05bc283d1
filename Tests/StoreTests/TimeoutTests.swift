import Support
import Testing

@testable import Store

@Suite("Timeouts", .timeLimit(.minutes(10)))
struct TimeoutTests {
    @Test("a statement that takes too long is ended by the server, and the session goes on")
    func statement() async throws {
        var configuration = try await TestDatabase.empty()
        configuration.statementTimeout = .milliseconds(500)
        // The server's word is waited for, however slow it is.
        configuration.answerGrace = .seconds(60)
        let database = Database.test(configuration, connections: 1)
        let error = await storeError { try await database.script("SELECT pg_sleep (600)") }
        #expect(error?.sqlState == "57014")
        try await database.script("SELECT 1")
        #expect(database.statistics.connects == 1)
        await database.close()
    }

    @Test("a transaction may have a limit of its own")
    func transaction() async throws {
        var configuration = try await TestDatabase.empty()
        configuration.answerGrace = .seconds(60)
        let database = Database.test(configuration, connections: 1)
        var options = TransactionOptions()
        options.statementTimeout = .milliseconds(20)
        let chosen = options
        let error = await storeError {
            try await database.transaction(chosen) { session in try session.script("SELECT pg_sleep (600)") }
        }
        #expect(error?.sqlState == "57014")
        await database.close()
    }

    @Test("a lock that is not released in time is reported as such, worth a retry")
    func lock() async throws {
        var configuration = try await TestDatabase.empty()
        configuration.lockTimeout = .milliseconds(20)
        let database = Database.test(configuration)
        try await database.script(itemTable)
        let (isLocked, mayEnd) = (Gate(), Gate())
        async let holder: Void = database.transaction { session in
            try session.script("LOCK TABLE item")
            isLocked.open()
            mayEnd.wait()
        }
        let error = await storeError {
            try await database.transaction { session in
                isLocked.wait()
                try session.script("LOCK TABLE item")
            }
        }
        mayEnd.open()
        try await holder
        #expect(error?.sqlState == "55P03")
        guard case .retry = error?.disposition else { throw Unexpected() }
        await database.close()
    }

    @Test("a server that does not answer is given up, and the next call gets a new connection")
    func silence() async throws {
        var configuration = try await TestDatabase.empty()
        configuration.answerGrace = .milliseconds(20)
        let database = Database.test(configuration, connections: 1)
        let error = await storeError {
            try await database.withSession { session in
                // The client's limit only: the server goes on, as behind a stalled network.
                session.connection.limitAnswers(to: .milliseconds(20))
                try session.script("SELECT pg_sleep (600)")
            }
        }
        guard case .noAnswer = error, case .retry = error?.disposition else { throw Unexpected() }
        try await database.script("SELECT 1")
        #expect(database.statistics.connects == 2)
        await database.close()
    }

    @Test("every connection has the configured limits")
    func settings() async throws {
        var configuration = try await TestDatabase.empty()
        configuration.statementTimeout = .seconds(11)
        configuration.lockTimeout = .seconds(4)
        configuration.idleInTransactionTimeout = .seconds(21)
        configuration.applicationName = "limits"
        let database = Database.test(configuration, connections: 1)
        let row = try await database.first(Settings())
        #expect(row == ["11s", "4s", "21s", "UTC", "limits", "UTF8"])
        await database.close()
    }
}

private struct Settings: Statement {
    static let sql = """
        SELECT ARRAY[current_setting('statement_timeout'), current_setting('lock_timeout'),
            current_setting('idle_in_transaction_session_timeout'), current_setting('TimeZone'),
            current_setting('application_name'), current_setting('client_encoding')]
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}
