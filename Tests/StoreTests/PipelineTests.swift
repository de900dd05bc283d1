import Support
import Testing

@testable import Store

@Suite("Pipeline and COPY", .timeLimit(.minutes(10)))
struct PipelineTests {
    private func database() async throws -> (Database, StoreConfiguration) {
        let configuration = try await TestDatabase.empty()
        let database = Database.test(configuration, connections: 1)
        try await database.script(itemTable)
        return (database, configuration)
    }

    private func batch(_ ids: some Sequence<Int64>) -> StatementBatch {
        var batch = StatementBatch()
        for id in ids { batch.append(AddItem(id: id)) }
        return batch
    }

    @Test("a pipeline says how many rows each statement affected")
    func affected() async throws {
        let (database, _) = try await database()
        var batch = batch(1...1_000)
        batch.append(RenameAll())
        let affected = try await database.withSession { [batch] session in try session.send(batch) }
        #expect(affected == Array(repeating: 1, count: 1_000) + [1_000])
        await database.close()
    }

    @Test("a failed statement takes the whole pipeline back, is named, and the session goes on")
    func failure() async throws {
        let (database, _) = try await database()
        let batch = batch([1, 2, 1, 3])
        let error = await storeError {
            try await database.withSession { session in try session.send(batch) }
        }
        #expect(error?.sqlState == "23505")
        #expect(error?.serverError?.statement == "AddItem")
        #expect(try await database.first(Count()) == 0)
        #expect(database.statistics.connects == 1)
        await database.close()
    }

    @Test("a pipeline inside a transaction is part of it")
    func insideTransaction() async throws {
        let (database, _) = try await database()
        let batch = batch(1...10)
        _ = await storeError {
            try await database.transaction { session in
                try session.send(batch)
                throw Unexpected()
            }
        }
        #expect(try await database.first(Count()) == 0)
        try await database.transaction { session in _ = try session.send(batch) }
        #expect(try await database.first(Count()) == 10)
        await database.close()
    }

    @Test("a pipeline larger than all buffers does not lock up")
    func large() async throws {
        let (database, _) = try await database()
        var batch = StatementBatch()
        let name = String(repeating: "ü", count: 2_000)
        for id in 0..<4_000 { batch.append(AddItem(id: Int64(id), name: name)) }
        let count = try await database.withSession { [batch] session in try session.send(batch).count }
        #expect(count == 4_000)
        await database.close()
    }

    @Test("COPY takes all rows and counts them")
    func copies() async throws {
        let (database, _) = try await database()
        let copied = try await database.withSession { session in
            try session.copy((1...50_000).lazy.map { ItemRow(id: Int64($0), name: "Zürich ₿") })
        }
        #expect(copied == 50_000)
        #expect(try await database.first(Count()) == 50_000)
        await database.close()
    }

    @Test("COPY with a bad row in the middle leaves nothing behind, and the session goes on")
    func copyRefused() async throws {
        let (database, _) = try await database()
        let error = await storeError {
            try await database.withSession { session in
                try session.copy(
                    (1...20_000).lazy.map { ItemRow(id: Int64($0), name: $0 == 15_000 ? "a\0b" : "fine") })
            }
        }
        guard case .parameter("ItemRow", 2, .containsNUL) = error else { throw Unexpected() }
        let duplicate = await storeError {
            try await database.withSession { session in try session.copy([ItemRow(id: 1), ItemRow(id: 1)]) }
        }
        #expect(duplicate?.sqlState == "23505")
        #expect(try await database.first(Count()) == 0)
        #expect(database.statistics.connects == 1)
        await database.close()
    }

    @Test("COPY into a table that is not there is an error, and the session goes on")
    func copyNowhere() async throws {
        let (database, _) = try await database()
        let error = await storeError {
            try await database.withSession { session in try session.copy([Nowhere()]) }
        }
        #expect(error?.sqlState == "42P01")
        #expect(try await database.first(Count()) == 0)
        #expect(database.statistics.connects == 1)
        await database.close()
    }

    @Test("a connection killed in the middle of COPY leaves nothing, and the repetition leaves everything")
    func copyKilled() async throws {
        let (database, configuration) = try await database()
        let error = await storeError {
            try await database.withSession { session in
                let backend = session.backendProcessID
                return try session.copy(
                    (1...200_000).lazy.map { number in
                        if number == 100_000 { try? terminate(backend, configuration) }
                        return ItemRow(id: Int64(number))
                    })
            }
        }
        guard case .connectionLost = error else { throw Unexpected() }
        #expect(try await database.first(Count()) == 0)
        let copied = try await database.withSession { session in
            try session.copy((1...200_000).lazy.map { ItemRow(id: Int64($0)) })
        }
        #expect(copied == 200_000)
        await database.close()
    }

    @Test("rows come one by one in constant memory, and a reader may stop")
    func rowByRow() async throws {
        let (database, _) = try await database()
        let (sum, error) = try await database.withSession { session in
            try session.copy((1...10_000).lazy.map { ItemRow(id: Int64($0)) })
            var sum: Int64 = 0
            try session.forEach(Items()) { (id) throws(StoreError) in sum += id }
            var error: StoreError?
            do throws(StoreError) {
                try session.forEach(Items()) { (_) throws(StoreError) in throw .cancelled }
            } catch let stopped {
                error = stopped
            }
            _ = try session.first(Count())
            return (sum, error)
        }
        #expect(sum == 50_005_000)
        guard case .cancelled = error else { throw Unexpected() }
        await database.close()
    }
}

private struct RenameAll: Statement {
    typealias Row = Void
    static let sql = "UPDATE item SET name = 'renamed'"
}

private struct Nowhere: CopyRow {
    static let copySQL = "COPY nowhere (id) FROM STDIN (FORMAT binary)"
    static let columnCount = 1
    func write(_ row: inout CopyWriter) { row.append(Int64(1)) }
}
