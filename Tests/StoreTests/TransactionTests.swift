import Support
import Testing

@testable import Store

private struct Mistake: Error, Equatable {}

@Suite("Transactions", .timeLimit(.minutes(10)))
struct TransactionTests {
    private func database(connections: Int = 4) async throws -> Database {
        let database = Database.test(try await TestDatabase.empty(), connections: connections)
        try await database.script(itemTable)
        return database
    }

    @Test("commits what the body did and returns its value")
    func commits() async throws {
        let database = try await database()
        let count = try await database.transaction { session in
            try session.execute(AddItem(id: 1)) + session.execute(AddItem(id: 2))
        }
        #expect(count == 2)
        #expect(try await database.rows(Items()) == [1, 2])
        await database.close()
    }

    @Test("an error of the body's own rolls back and is kept as it is")
    func bodyError() async throws {
        let database = try await database()
        let error = await storeError {
            try await database.transaction { session in
                try session.execute(AddItem(id: 1))
                throw Mistake()
            }
        }
        guard case .transaction(let failure) = error else { throw Unexpected() }
        #expect(error?.bodyError as? Mistake == Mistake())
        #expect(failure.begin == nil && failure.rollback == nil && failure.commit == nil)
        #expect(error?.disposition == .fatal)
        #expect(try await database.first(Count()) == 0)
        await database.close()
    }

    @Test("a violated constraint is named, and its text and data stay out of the description")
    func violation() async throws {
        let database = try await database()
        let error = await storeError {
            try await database.transaction { session in
                try session.execute(AddItem(id: 1, name: "secret"))
                try session.execute(AddItem(id: 1, name: "secret"))
            }
        }
        #expect(error?.sqlState == "23505")
        #expect(error?.serverError?.constraint == "item_pkey")
        #expect(error?.serverError?.statement == "AddItem")
        let text = try #require(error?.description)
        #expect(text.contains("item_pkey") && !text.contains("INSERT") && !text.contains("(id)=(1)"))
        #expect(String(reflecting: error).contains("(id)=(1)"))
        await database.close()
    }

    @Test("a swallowed error does not become a silent commit of half the work")
    func swallowed() async throws {
        let database = try await database()
        let error = await storeError {
            try await database.transaction { session in
                try session.execute(AddItem(id: 1))
                _ = try? session.execute(AddItem(id: 1))
            }
        }
        guard case .transaction(let failure) = error, case .rolledBack = failure.commit else {
            throw Unexpected()
        }
        #expect(try await database.first(Count()) == 0)
        await database.close()
    }

    @Test("a violation that is found at COMMIT is the commit's part")
    func deferred() async throws {
        let database = try await database()
        try await database.script(
            "CREATE TABLE child (item bigint REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)")
        let error = await storeError {
            try await database.transaction { session in try session.script("INSERT INTO child VALUES (7)") }
        }
        guard case .transaction(let failure) = error else { throw Unexpected() }
        #expect(failure.commit?.sqlState == "23503")
        #expect(failure.body == nil)
        await database.close()
    }

    @Test("a connection ended in the middle is seen as lost, worth a retry, and the next call works")
    func terminated() async throws {
        let configuration = try await TestDatabase.empty()
        let database = Database.test(configuration, connections: 1)
        try await database.script(itemTable)
        let error = await storeError {
            try await database.transaction { session in
                try session.execute(AddItem(id: 1))
                try terminate(session.backendProcessID, configuration)
                try session.execute(AddItem(id: 2))
            }
        }
        guard case .transaction(let failure) = error, case .connectionLost = failure.body as? StoreError
        else { throw Unexpected() }
        guard case .retry = error?.disposition else { throw Unexpected() }
        #expect(error?.isOutcomeUnknown == false)
        #expect(try await database.first(Count()) == 0)
        #expect(database.statistics.connectionsLost == 1)
        #expect(database.statistics.connects == 2)
        await database.close()
    }

    @Test("a connection that died before COMMIT leaves the outcome unknown to the caller")
    func unknownOutcome() async throws {
        let configuration = try await TestDatabase.empty()
        let database = Database.test(configuration, connections: 1)
        let error = await storeError {
            try await database.transaction { session in
                try session.script("SELECT 1")
                try terminate(session.backendProcessID, configuration)
            }
        }
        #expect(error?.isOutcomeUnknown == true)
        await database.close()
    }

    @Test("a connection that died while it was idle is replaced before anybody notices")
    func replacedWhenIdle() async throws {
        let configuration = try await TestDatabase.empty()
        let database = Database.test(configuration, connections: 1)
        try await database.script(itemTable)
        let backend = try await database.withSession { session in session.backendProcessID }
        try terminate(backend, configuration)
        try await database.transaction { session in _ = try session.execute(AddItem(id: 1)) }
        #expect(try await database.first(Count()) == 1)
        await database.close()
    }

    @Test("a serialization failure runs the whole body again until it succeeds")
    func serializable() async throws {
        let database = try await database()
        try await database.script("INSERT INTO item VALUES (1, 'a'), (2, 'a')")
        var options = TransactionOptions()
        options.isolation = .serializable
        options.maximumAttempts = 20
        let chosen = options
        // Both read both rows and write one, the textbook case of write skew: the second to commit must
        // repeat.
        let (hasRead, mayWrite) = (Gate(), Gate())
        async let left: Int = database.transaction(chosen) { session in
            let count = try session.rows(Items()).count
            hasRead.open()
            mayWrite.wait()
            try session.script("UPDATE item SET name = 'left' WHERE id = 1")
            return count
        }
        try await database.transaction(chosen) { session in
            hasRead.wait()
            _ = try session.rows(Items())
            try session.script("UPDATE item SET name = 'right' WHERE id = 2")
        }
        mayWrite.open(20)
        #expect(try await left == 2)
        #expect(database.statistics.retries == 1)
        await database.close()
    }

    @Test("gives up after the allowed attempts and says how many")
    func attempts() async throws {
        let database = try await database()
        try await database.script(
            """
            CREATE FUNCTION fail() RETURNS void LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$
            """)
        var options = TransactionOptions()
        options.maximumAttempts = 3
        let chosen = options
        let error = await storeError {
            try await database.transaction(chosen) { session in try session.script("SELECT fail()") }
        }
        guard case .transaction(let failure) = error else { throw Unexpected() }
        #expect(failure.attempts == 3)
        #expect(database.statistics.retries == 2)
        await database.close()
    }

    @Test("a read-only transaction refuses changes")
    func readOnly() async throws {
        let database = try await database()
        var options = TransactionOptions()
        options.isReadOnly = true
        let chosen = options
        let error = await storeError {
            try await database.transaction(chosen) { session in try session.execute(AddItem(id: 1)) }
        }
        #expect(error?.sqlState == "25006")
        await database.close()
    }

    @Test("only an undurable transaction does not wait for the disk")
    func undurable() async throws {
        let database = try await database(connections: 1)
        try await database.script("SET synchronous_commit = on")
        for (options, waits) in [(TransactionOptions.undurable, "off"), (.standard, "on")] {
            let found = try await database.transaction(options) { try $0.first(WaitsForDisk()) }
            #expect(found == waits)
        }
        await database.close()
    }

    @Test("a transaction left open by a session's script does not reach the next caller")
    func leftOpen() async throws {
        let database = try await database(connections: 1)
        try await database.script("BEGIN; INSERT INTO item VALUES (9, 'x')")
        #expect(try await database.first(Count()) == 0)
        await database.close()
    }
}

private struct WaitsForDisk: Statement {
    static let sql = "SHOW synchronous_commit"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}
