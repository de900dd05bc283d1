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

/// Takes away what programs use no more since version 2.
private enum Contracting: Migration {
    static let version = 4
    static let name = "contracting"
    static let sql = "DROP TABLE shop.first"
    static let readableFrom: Int? = 2
}

/// Only adds, after that.
private enum Later: Migration {
    static let version = 5
    static let name = "later"
    static let sql = "ALTER TABLE shop.second ADD COLUMN note text"
}

private struct ReadableFrom: Statement {
    static let sql = """
        SELECT array_agg(coalesce(readable_from::text, 'unsaid') ORDER BY version)
        FROM shop.schema_migration
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
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

    private func prepare(
        _ migrations: [any Migration.Type], _ configuration: StoreConfiguration
    ) async throws(StoreError) {
        try await Migrator(schema: "shop", migrations: migrations).prepare(
            configuration, logger: TestDatabase.logger)
    }

    private func recorded(_ configuration: StoreConfiguration) async throws -> [String] {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.first(Recorded()) ?? []
        }
    }

    @Test("fills an empty database, records each step, and does nothing the second time")
    func fills() async throws {
        let configuration = try await TestDatabase.empty()
        let report = try await migrate([First.self, Second.self, Outside.self], configuration)
        #expect(report == MigrationReport(applied: [1, 2, 3], version: 3))
        let again = try await migrate([First.self, Second.self, Outside.self], configuration)
        #expect(again == MigrationReport(applied: [], version: 3))
        #expect(try await recorded(configuration) == ["1 it's the first", "2 second", "3 outside"])
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

    @Test("leaves a newer database as it is where every later step only adds")
    func newerReadable() async throws {
        let configuration = try await TestDatabase.empty()
        _ = try await migrate([First.self, Second.self, Outside.self], configuration)
        let report = try await migrate([First.self], configuration)
        #expect(report == MigrationReport(applied: [], version: 3))
        try await prepare([First.self], configuration)
        #expect(try await recorded(configuration) == ["1 it's the first", "2 second", "3 outside"])
    }

    @Test("refuses a newer database of which something was taken away that the program uses")
    func newerContracted() async throws {
        let configuration = try await TestDatabase.empty()
        let newest: [any Migration.Type] = [
            First.self, Second.self, Outside.self, Contracting.self, Later.self,
        ]
        _ = try await migrate(newest, configuration)
        let readable = try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.first(ReadableFrom())
        }
        #expect(readable == ["1", "1", "1", "2", "2"])
        try await prepare([First.self, Second.self], configuration)
        for isPreparing in [true, false] {
            let error = await storeError {
                if isPreparing { return try await prepare([First.self], configuration) }
                _ = try await migrate([First.self], configuration)
            }
            guard case .migration(.databaseNewer("shop", 5, 1, 2)) = error else { throw Unexpected() }
            #expect(error?.disposition == .fatal)
        }
    }

    @Test("refuses a newer database whose record does not say who can work on it")
    func newerUnsaid() async throws {
        let configuration = try await TestDatabase.empty()
        _ = try await migrate([First.self, Second.self], configuration)
        // As a program recorded it that did not know the column.
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.script("ALTER TABLE shop.schema_migration DROP COLUMN readable_from")
        }
        let error = await storeError { try await prepare([First.self], configuration) }
        guard case .migration(.databaseNewer("shop", 2, 1, 2)) = error else { throw Unexpected() }
        #expect(try await migrate([First.self, Second.self, Outside.self], configuration).applied == [3])
        let readable = try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.first(ReadableFrom())
        }
        #expect(readable == ["unsaid", "unsaid", "2"])
    }

    @Test("prepares a schema that is not there, and changes none that is")
    func prepares() async throws {
        let configuration = try await TestDatabase.empty()
        try await prepare([First.self], configuration)
        try await prepare([First.self], configuration)
        let error = await storeError { try await prepare([First.self, Second.self], configuration) }
        guard case .migration(.databaseOlder("shop", 1, 2)) = error else { throw Unexpected() }
        #expect(error.map { "\($0)".contains("run `bitpal migrate`") } == true)
        #expect(try await recorded(configuration) == ["1 it's the first"])
    }

    @Test("of ten that prepare a new schema at once each finds it whole")
    func preparesTogether() async throws {
        let configuration = try await TestDatabase.empty()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await self.prepare([First.self, Second.self, Outside.self], configuration)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await recorded(configuration).count == 3)
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
