import Support
import Testing

@testable import Store

private enum Shelves: Migration {
    static let version = 1
    static let name = "shelves"
    static let sql = """
        CREATE TABLE shop.shelf (shelf_id bigint PRIMARY KEY, name text NOT NULL, price numeric NOT NULL);
        CREATE TABLE shop.book (book_id bigint PRIMARY KEY, shelf_id bigint REFERENCES shop.shelf);
        """
}

/// The same with a fault that shows only when rows come back.
private enum ChangingShelves: Migration {
    static let version = 1
    static let name = "shelves"
    static let sql =
        Shelves.sql + """
            CREATE FUNCTION shop.shout() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                NEW.name := upper(NEW.name);
                RETURN NEW;
            END
            $$;
            CREATE TRIGGER shout BEFORE INSERT ON shop.shelf FOR EACH ROW EXECUTE FUNCTION shop.shout();
            """
}

private enum LenientShelves: Migration {
    static let version = 1
    static let name = "shelves"
    static let sql = Shelves.sql + "ALTER TABLE shop.book DISABLE TRIGGER ALL;"
}

@Suite("Drills of backups", .timeLimit(.minutes(10)))
struct BackupDrillTests {
    private static let backup = SchemaBackup([.init("shop", version: 1)])
    private static let rule = BackupRule("no shelf is free of charge") { (session) throws(StoreError) in
        try session.first("SELECT count(*) FROM shop.shelf WHERE price = 0") { Int(try $0.int64()) } ?? 0
    }

    private static func migrator(_ migration: any Migration.Type) -> Migrator {
        Migrator(schema: "shop", migrations: [migration])
    }

    /// A database with rows, its backup, and what a drill says that makes the schema so.
    private static func drill(
        _ rows: String, in made: any Migration.Type = Shelves.self,
        restoring migration: any Migration.Type = Shelves.self
    ) async throws -> BackupProof {
        let configuration = try await TestDatabase.empty()
        try await migrator(made).migrate(configuration, logger: TestDatabase.logger)
        try await Database.use(configuration, logger: TestDatabase.logger) { try await $0.script(rows) }
        let path = try TestDatabase.temporaryDirectory() + "/file.bitpal"
        _ = try await backup.write(to: path, from: configuration)
        let drill = BackupDrill(backup, migrators: [migrator(migration)], rules: [rule])
        do {
            let proof = try await drill.run(path, beside: configuration)
            #expect(try await scratch(configuration) == 0)
            return proof
        } catch {
            #expect(try await scratch(configuration) == 0)
            throw error
        }
    }

    private static func scratch(_ configuration: StoreConfiguration) async throws -> Int64 {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.first(
                    """
                    SELECT count(*) FROM pg_catalog.pg_database WHERE datname = 'bitpal_drill_' || (
                        SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
                    """
                ) { try $0.int64() } ?? 0
            }
        }
    }

    private static let rows = """
        INSERT INTO shop.shelf VALUES (1, 'a', 1.50), (2, 'b', 0.001);
        INSERT INTO shop.book VALUES (1, 1), (2, NULL), (3, 2);
        """

    @Test("find what comes back whole, and say what they looked at")
    func whole() async throws {
        let proof = try await Self.drill(Self.rows)
        #expect(proof.report == BackupReport(tables: 2, rows: 5))
        #expect(proof.tables == 2 && proof.references == 1)
        #expect(proof.schemas == [.init("shop", version: 1)])
        #expect(proof.rules == ["no shelf is free of charge"])
    }

    @Test("find rows that come back as others")
    func changed() async throws {
        let problem = await #expect(throws: BackupProblem.self) {
            _ = try await Self.drill(Self.rows, restoring: ChangingShelves.self)
        }
        let words = "rows of shop.shelf come back as others than they were"
        #expect(problem?.description.hasSuffix(words) == true)
    }

    @Test("find rows without what they refer to, where the server did not")
    func orphans() async throws {
        let problem = await #expect(throws: BackupProblem.self) {
            _ = try await Self.drill(
                Self.rows + "INSERT INTO shop.book VALUES (4, 9);", in: LenientShelves.self,
                restoring: LenientShelves.self)
        }
        #expect(
            problem?.description.hasSuffix(
                "1 rows come back without what they refer to by shop.book.book_shelf_id_fkey") == true)
    }

    @Test("find rules that do not hold")
    func broken() async throws {
        let problem = await #expect(throws: BackupProblem.self) {
            _ = try await Self.drill(Self.rows + "INSERT INTO shop.shelf VALUES (3, 'c', 0);")
        }
        #expect(
            problem?.description.hasSuffix("has 1 exceptions to this: no shelf is free of charge") == true)
    }
}
