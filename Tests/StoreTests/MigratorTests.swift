import Support
import Testing

@testable import Store

private enum First: Migration {
    static let version = 1
    static let name = "it's the first"
    static let sql = "CREATE TABLE shop.first (id bigint)"
}

private enum Second: Migration {
    static let version = 2
    static let name = "second"
    static let sql = "CREATE TABLE shop.second (id bigint); INSERT INTO shop.second VALUES (1);"
}

private enum SecondEdited: Migration {
    static let version = 2
    static let name = "second"
    static let sql = "CREATE TABLE shop.second (id integer)"
}

private enum Broken: Migration {
    static let version = 2
    static let name = "broken"
    static let sql = "CREATE TABLE shop.third (id bigint); SELECT no_such_function()"
}

private enum Outside: Migration {
    static let version = 3
    static let name = "outside"
    static let sql = "CREATE INDEX CONCURRENTLY second_id ON shop.second (id)"
    static let isTransactional = false
}

private struct Recorded: Statement {
    static let sql = "SELECT array_agg(version || ' ' || name ORDER BY version) FROM shop.schema_migration"
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}

@Suite("Migrator", .timeLimit(.minutes(10)))
struct MigratorTests {
    private func migrate(
        _ migrations: [any Migration.Type], _ configuration: StoreConfiguration
    ) async throws(StoreError) -> MigrationReport {
        try await Migrator(schema: "shop", migrations: migrations).migrate(
            configuration, logger: TestDatabase.logger)
    }

    @Test("fills an empty database, records each step, and does nothing the second time")
    func fills() async throws {
        let configuration = try await TestDatabase.empty()
        let report = try await migrate([First.self, Second.self, Outside.self], configuration)
        #expect(report == MigrationReport(applied: [1, 2, 3], version: 3))
        let again = try await migrate([First.self, Second.self, Outside.self], configuration)
        #expect(again == MigrationReport(applied: [], version: 3))
        let recorded = try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.first(Recorded())
        }
        #expect(recorded == ["1 it's the first", "2 second", "3 outside"])
    }

    @Test("applies only what is missing, over data that is there")
    func continues() async throws {
        let configuration = try await TestDatabase.empty()
        _ = try await migrate([First.self], configuration)
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.script("INSERT INTO shop.first VALUES (1)")
        }
        #expect(try await migrate([First.self, Second.self], configuration).applied == [2])
    }

    @Test("refuses a step whose text was changed after it was applied")
    func drift() async throws {
        let configuration = try await TestDatabase.empty()
        _ = try await migrate([First.self, Second.self], configuration)
        let error = await storeError {
            try await migrate([First.self, SecondEdited.self], configuration)
        }
        guard case .migration(.checksumDrift("shop", 2, "second")) = error else { throw Unexpected() }
        #expect(error?.disposition == .fatal)
    }

    @Test("refuses a database that is newer than the program")
    func newer() async throws {
        let configuration = try await TestDatabase.empty()
        _ = try await migrate([First.self, Second.self], configuration)
        let error = await storeError { try await migrate([First.self], configuration) }
        guard case .migration(.databaseNewer("shop", 2, 1)) = error else { throw Unexpected() }
    }

    @Test("a step that fails leaves nothing of itself, and says why")
    func failure() async throws {
        let configuration = try await TestDatabase.empty()
        let error = await storeError {
            try await migrate([First.self, Broken.self], configuration)
        }
        guard case .migration(.failed("shop", 2, let cause)) = error else { throw Unexpected() }
        #expect(cause.sqlState == "42883")
        #expect(try await migrate([First.self, Second.self], configuration).applied == [2])
    }

    @Test("of ten runners at once each step is applied by one")
    func concurrent() async throws {
        let configuration = try await TestDatabase.empty()
        let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await self.migrate([First.self, Second.self, Outside.self], configuration).applied
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == [1, 2, 3])
    }
}
