import Logging
import ServiceLifecycle
import Support
import Testing

@testable import Store

private struct Sleep: Statement {
    typealias Row = Void
    static let sql = "SELECT pg_sleep (600)"
}

@Suite("Pool", .timeLimit(.minutes(10)))
struct PoolTests {
    @Test("never has more connections than allowed, and serves everybody in the end")
    func bounded() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 2)
        try await database.script(itemTable)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<100 {
                group.addTask { _ = try await database.execute(AddItem(id: Int64(id))) }
            }
            try await group.waitForAll()
        }
        #expect(try await database.first(Count()) == 100)
        #expect(database.statistics.connects <= 2)
        await database.close()
    }

    @Test("calls one after the other use one connection")
    func reuse() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 4)
        try await database.script(itemTable)
        for id in 0..<20 { try await database.execute(AddItem(id: Int64(id))) }
        #expect(database.statistics.connects == 1)
        await database.close()
    }

    @Test("refuses a call when the queue is full, with its length")
    func refuses() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 1, waiting: 1)
        let gate = Gate()
        async let running: Void = database.withSession { _ in gate.wait() }
        try await eventually { database.statistics.busy == 1 }
        async let waiting: Void = database.withSession { _ in }
        try await eventually { database.statistics.waiting == 1 }
        let error = await storeError { try await database.withSession { _ in } }
        guard case .refused(waiting: 1) = error, case .retry = error?.disposition else { throw Unexpected() }
        gate.open()
        try await running
        try await waiting
        #expect(database.statistics.refused == 1)
        await database.close()
    }

    @Test("a call that waits too long is answered, and the connection is not disturbed")
    func acquireTimeout() async throws {
        var configuration = try await TestDatabase.empty()
        configuration.acquireTimeout = .milliseconds(20)
        let database = Database.test(configuration, connections: 1)
        let gate = Gate()
        async let running: Int = database.withSession { _ in
            gate.wait()
            return 7
        }
        try await eventually { database.statistics.busy == 1 }
        let error = await storeError { try await database.withSession { _ in } }
        guard case .acquireTimedOut = error else { throw Unexpected() }
        gate.open()
        #expect(try await running == 7)
        #expect(database.statistics.timedOut == 1)
        await database.close()
    }

    @Test("cancelling a waiting call takes it out of the queue")
    func cancelWaiting() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 1)
        let gate = Gate()
        async let running: Void = database.withSession { _ in gate.wait() }
        try await eventually { database.statistics.busy == 1 }
        let waiting = Task { try await database.withSession { _ in } }
        try await eventually { database.statistics.waiting == 1 }
        waiting.cancel()
        let result = await waiting.result
        guard case .failure(let error) = result, case .cancelled = error as? StoreError else {
            throw Unexpected()
        }
        #expect(database.statistics.waiting == 0)
        gate.open()
        try await running
        await database.close()
    }

    @Test("cancelling a running statement ends it on the server, and the connection lives on")
    func cancelRunning() async throws {
        let configuration = try await TestDatabase.empty()
        let database = Database.test(configuration, connections: 1)
        let running = Task { try await database.execute(Sleep()) }
        let observer = Database.test(configuration, connections: 1)
        try await eventually { try await observer.first(Sleeping()) == 1 }
        running.cancel()
        let result = await running.result
        guard case .failure(let error) = result, case .cancelled = error as? StoreError else {
            throw Unexpected()
        }
        try await database.withSession { _ in }
        #expect(database.statistics.connects == 1)
        #expect(try await observer.first(Sleeping()) == 0)
        await observer.close()
        await database.close()
    }

    @Test("a call of a cancelled task is not begun")
    func cancelledBefore() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 1)
        try await database.script(itemTable)
        let gate = Gate()
        async let running: Void = database.withSession { _ in gate.wait() }
        try await eventually { database.statistics.busy == 1 }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await database.execute(AddItem(id: 1))
        }
        let result = await late.result
        guard case .failure(let error) = result, case .cancelled = error as? StoreError else {
            throw Unexpected()
        }
        gate.open()
        try await running
        #expect(try await database.first(Count()) == 0)
        await database.close()
    }

    @Test("closing answers the waiting calls, lets the running one end, and refuses the next")
    func closing() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 1)
        let gate = Gate()
        async let running: Int = database.withSession { _ in
            gate.wait()
            return 1
        }
        try await eventually { database.statistics.busy == 1 }
        let waiting = Task { try await database.withSession { _ in } }
        try await eventually { database.statistics.waiting == 1 }
        async let closed: Void = database.close()
        let result = await waiting.result
        guard case .failure(let error) = result, case .closed = error as? StoreError else {
            throw Unexpected()
        }
        gate.open()
        #expect(try await running == 1)
        await closed
        let refusal = await storeError { try await database.withSession { _ in } }
        guard case .closed = refusal else { throw Unexpected() }
        #expect(database.statistics.connections == 0)
        await database.close()
    }

    @Test("closing cancels a statement that does not end by itself")
    func closingCancels() async throws {
        let configuration = try await TestDatabase.empty()
        let database = Database.test(configuration, connections: 1)
        let running = Task { try await database.execute(Sleep()) }
        let observer = Database.test(configuration, connections: 1)
        try await eventually { try await observer.first(Sleeping()) == 1 }
        await database.close()
        let result = await running.result
        guard case .failure(let error) = result, case .cancelled = error as? StoreError else {
            throw Unexpected()
        }
        await observer.close()
    }

    @Test("an unused connection is closed, and its thread ends")
    func idle() async throws {
        var configuration = try await TestDatabase.empty()
        configuration.idleTimeout = .milliseconds(1)
        let database = Database.test(configuration)
        try await database.withSession { _ in }
        try await eventually { database.statistics.connections == 0 }
        try await database.withSession { _ in }
        #expect(database.statistics.connects == 2)
        await database.close()
    }

    @Test("a server that is not there is one clear line, and the next attempt waits for its time")
    func unreachable() async throws {
        var configuration = StoreConfiguration(
            socketDirectory: try TestDatabase.temporaryDirectory(), database: "none", user: "nobody")
        configuration.reconnectDelay = .seconds(60)...(.seconds(60))
        let database = Database(configuration: configuration, logger: TestDatabase.logger, jitter: { 0.5 })
        let first = await storeError { try await database.withSession { _ in } }
        guard case .connectFailed(let reason, _) = first else { throw Unexpected() }
        #expect(!reason.contains("\n") && reason.contains("No such file or directory"))
        let second = await storeError { try await database.withSession { _ in } }
        guard case .unavailable(let pause) = second else { throw Unexpected() }
        #expect(pause <= .seconds(30))
        #expect(database.statistics.connectFailures == 1)
        #expect(!database.statistics.isReachable)
        await database.close()
    }

    @Test("a service group stops it, and everything is closed")
    func service() async throws {
        let database = Database.test(try await TestDatabase.empty())
        try await database.withSession { _ in }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: database)], gracefulShutdownSignals: [], logger: TestDatabase.logger
            ))
        async let running: Void = group.run()
        await group.triggerGracefulShutdown()
        try await running
        #expect(database.statistics.connections == 0)
    }
}

/// How many statements of this database sleep.
private struct Sleeping: Statement {
    static let sql = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'PgSleep' AND state = 'active'
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
