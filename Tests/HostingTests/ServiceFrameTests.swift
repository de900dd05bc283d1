import Bus
import Hosting
import Operations
import Store
import Support
import Testing

@Suite("Service frame", .timeLimit(.minutes(5)))
struct ServiceFrameTests {
    private static let refusing = "postgresql://nobody@127.0.0.1:1/none"

    private static func process(_ settings: [String: String]) throws -> ServiceProcess {
        ServiceProcess(
            name: "notifier", settings: try Settings.load(service: "notifier", overrides: settings),
            logger: TestDatabase.logger)
    }

    @Test("without a database or a bus has nothing to run, and looks at no setting of theirs")
    func bare() async throws {
        let process = try Self.process(["bus": "nowhere", "database.url": Self.refusing])
        let frame = try await ServiceFrame.open(process, schemas: nil, isOnBus: false)
        #expect(frame.services.isEmpty)
        #expect(frame.instance == process.instance)
    }

    @Test("a bus address that is none is told with its setting")
    func busAddress() async throws {
        let process = try Self.process(["bus": "nowhere"])
        let refusal = process.settings.refusal(
            SharedSettings.bus, value: "nowhere", accepted: "an address such as tcp://127.0.0.1:7411")
        await #expect(throws: refusal) { try await ServiceFrame.open(process, schemas: nil) }
    }

    @Test(
        "without the address of a database says what to set, and what else may be done",
        arguments: [
            (nil, "URL of PostgreSQL"),
            ("set store.enabled to false", "URL of PostgreSQL; or set store.enabled to false"),
        ])
    func missing(alternative: String?, summary: String) async throws {
        let schemas = RequiredSchemas(by: { _, _ in }, alternative: alternative)
        let missing = ConfigurationError.missing(
            key: "database.url", variable: "BITPAL_DATABASE_URL", summary: summary)
        await #expect(throws: missing) {
            try await ServiceFrame.open(try Self.process([:]), schemas: schemas)
        }
    }

    @Test("a database whose schemas cannot be brought up to date is told with what to do")
    func refused() async throws {
        let schemas = RequiredSchemas { (_, _) throws(StoreError) in throw .configuration("away") }
        let unavailable = ConfigurationError.unavailable(
            "PostgreSQL cannot be used: \(StoreError.configuration("away"))",
            advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
        await #expect(throws: unavailable) {
            try await ServiceFrame.open(
                try Self.process(["database.url": Self.refusing]), schemas: schemas)
        }
    }

    @Test("a database of another version is told with what to do about that")
    func otherVersion() async throws {
        let problem = MigrationProblem.databaseOlder(schema: "shop", database: 1, program: 2)
        let schemas = RequiredSchemas { (_, _) throws(StoreError) in throw .migration(problem) }
        let unavailable = ConfigurationError.unavailable(
            "PostgreSQL cannot be used: schema shop is at version 1, and this program needs version 2",
            advice: "run `bitpal migrate` of this version, which backs up first")
        await #expect(throws: unavailable) {
            try await ServiceFrame.open(
                try Self.process(["database.url": Self.refusing]), schemas: schemas)
        }
    }

    @Test("runs the bus context before the database, and the clock that asks it after it")
    func order() async throws {
        // No service with a role of its own, whose rights would be looked at.
        let process = ServiceProcess(
            name: "up",
            settings: try Settings.load(service: "up", overrides: ["database.url": Self.refusing]),
            logger: TestDatabase.logger)
        let frame = try await ServiceFrame.open(process, schemas: RequiredSchemas { _, _ in })
        try #require(frame.services.count == 3)
        #expect(frame.services[0] is BusContext)
        #expect(frame.services[1] is Database)
        #expect(frame.services[2] is DatabaseClock)
    }
}
