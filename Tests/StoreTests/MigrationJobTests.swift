import Foundation
import Support
import Synchronization
import Testing

@testable import Store

private enum Articles: Migration {
    static let version = 1
    static let name = "items"
    static let sql = """
        CREATE TABLE shop.item (
            item_id bigint PRIMARY KEY, price numeric NOT NULL CONSTRAINT price_is_one CHECK (price > 0)
        )
        """
}

private enum Notes: Migration {
    static let version = 2
    static let name = "notes"
    static let sql = "ALTER TABLE shop.item ADD COLUMN note text; CREATE TABLE shop.note (id bigint)"
}

private struct Prices: Statement {
    static let sql = "SELECT array_agg(price::text ORDER BY item_id) FROM shop.item"
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}

/// Whether the database in which this one's backup is tried is there.
private struct ScratchIsThere: Statement {
    static let sql = """
        SELECT EXISTS (
            SELECT FROM pg_catalog.pg_database WHERE datname = 'bitpal_check_' || (
                SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()
            )
        )
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}

@Suite("Migration job", .timeLimit(.minutes(10)))
struct MigrationJobTests {
    private let folder: String

    init() throws { folder = try TestDatabase.temporaryDirectory() }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    /// What the job of a program of a version tells.
    @discardableResult
    private func run(
        _ version: Int, _ configuration: StoreConfiguration, first: MigrationJob.Precaution? = nil
    ) async throws -> [String] {
        let all: [any Migration.Type] = [Articles.self, Notes.self]
        let migrator = Migrator(schema: "shop", migrations: all).limited(to: version)
        let job = MigrationJob([migrator], backup: SchemaBackup([.init("shop", version: version)]))
        let news = Mutex<[String]>([])
        try await job.run(
            configuration, first: first ?? .checkedBackup(file), logger: TestDatabase.logger
        ) { told in news.withLock { $0.append("\(told)") } }
        return news.withLock { $0 }
    }

    private var file: @Sendable () throws -> String {
        { [folder] in "\(folder)/\(UUID()).bitpal" }
    }

    /// A database as version 1 left it, with rows.
    private func older(_ more: String = "") async throws -> StoreConfiguration {
        let configuration = try await TestDatabase.empty()
        try await run(1, configuration)
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.script("INSERT INTO shop.item VALUES (1, 10.50), (2, 0.001); \(more)")
        }
        return configuration
    }

    private func columns(_ configuration: StoreConfiguration) async throws -> [String] {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            #expect(try await database.first(ScratchIsThere()) == false)
            #expect(try await database.first(Prices())?.count ?? 0 >= 2)
            return try await database.withSession { session in
                try session.rows(
                    """
                    SELECT attname::text FROM pg_catalog.pg_attribute
                    WHERE attrelid = 'shop.item'::regclass AND attnum > 0 ORDER BY attnum
                    """
                ) { try $0.text() }
            }
        }
    }

    @Test("makes what a new database lacks, without a backup of nothing")
    func new() async throws {
        let configuration = try await TestDatabase.empty()
        #expect(
            try await run(2, configuration) == [
                "shop: not there; to be made at version 2", "shop: now at version 2",
            ])
        #expect(try await run(2, configuration) == ["shop: at version 2", "nothing is to be done"])
        #expect(try files.isEmpty)
    }

    @Test("says what is to be done, backs up, tries the backup and migrates")
    func upgrade() async throws {
        let configuration = try await older()
        let news = try await run(2, configuration)
        let backup = "\(folder)/\(try #require(try files.first))"
        #expect(
            news == [
                "shop: at version 1; to be applied: 2 (notes)", "backed up to \(backup): 2 rows of 1 tables",
                "the backup was restored into a database of its own, and is whole", "shop: now at version 2",
            ])
        #expect(try await columns(configuration) == ["item_id", "price", "note"])
        let text = try String(contentsOfFile: backup, encoding: .utf8)
        #expect(text.contains("\nschema shop 1\n") && text.hasSuffix("\nend 2\n"))
    }

    @Test("a program of the version before leaves a newer database as it is")
    func back() async throws {
        let configuration = try await older()
        try await run(2, configuration)
        #expect(
            try await run(1, configuration) == [
                "shop: at version 2, newer than this program's 1, which can work on it",
                "nothing is to be done",
            ])
        #expect(try files.count == 1)
    }

    @Test("changes nothing when there is no place for the backup")
    func noPlace() async throws {
        let configuration = try await older()
        let nowhere = folder + "/none/file.bitpal"
        await #expect(throws: BackupProblem.self) {
            try await run(2, configuration, first: .checkedBackup { nowhere })
        }
        #expect(try await columns(configuration) == ["item_id", "price"])
    }

    @Test("changes nothing when the backup does not come back, and leaves no database behind")
    func badBackup() async throws {
        let configuration = try await older(
            "ALTER TABLE shop.item DROP CONSTRAINT price_is_one; INSERT INTO shop.item VALUES (3, 0);")
        let problem = await #expect(throws: BackupProblem.self) { try await run(2, configuration) }
        #expect(problem.map { "\($0)".contains("are refused") } == true)
        #expect(try await columns(configuration) == ["item_id", "price"])
        // Who knows better says so.
        let news = try await run(2, configuration, first: .backup(file))
        #expect(news.count == 3 && news[1].hasPrefix("backed up to "))
        #expect(try await columns(configuration) == ["item_id", "price", "note"])
    }

    @Test("migrates without a backup where that is asked for")
    func unprotected() async throws {
        let configuration = try await older()
        let news = try await run(2, configuration, first: MigrationJob.Precaution.none)
        #expect(news.count == 3 && news[1] == "no backup is made, as was asked for")
        #expect(try files.isEmpty)
    }

    @Test("of several at once one does the work, and the others find it done")
    func together() async throws {
        let configuration = try await older()
        let news = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { try await run(2, configuration) } }
            return try await group.reduce(into: [[String]]()) { $0.append($1) }
        }
        #expect(news.count { $0.last == "nothing is to be done" } == 3)
        #expect(try files.count == 1)
        #expect(try await columns(configuration) == ["item_id", "price", "note"])
    }
}
