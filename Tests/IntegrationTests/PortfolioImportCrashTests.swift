import AccountStore
import Foundation
import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

/// A PostgreSQL of its own with one portfolio, a gateway in front of it, and the command that imports.
private final class ImportFixture {
    static let id = PortfolioID(
        rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001))

    let cluster: PrivateCluster
    let store: StoreConfiguration
    let database: Database
    let folder: String
    private(set) var server: CommandServer

    init() async throws {
        folder = try TestDatabase.temporaryDirectory()
        // One that keeps what it confirmed, also when it is killed.
        cluster = PrivateCluster(directory: folder)
        store = try await cluster.start()
        try await PortfolioSchema.migrate(store, logger: TestDatabase.logger)
        database = Database(configuration: store, logger: TestDatabase.logger)
        try await database.transaction { session in
            _ = try session.createPortfolio(
                Self.id, named: "main", base: Asset(rawValue: "USD"), of: .localOperator, at: .zero)
            // What was given up stays where it is: how far an import is, the length of its table says.
            try session.script("ALTER TABLE portfolio.revision SET (autovacuum_enabled = off)")
        }
        server = try await CommandServer.start(database: store)
    }

    /// A file of purchases with the numbers as external ids.
    func file(_ numbers: Range<Int>, name: String) throws -> String {
        var text =
            "time,kind,wallet,to_wallet,asset,amount,counter_asset,counter_amount,fee_asset,fee_amount,"
            + "external_id,note\n"
        for number in numbers {
            let time = Timestamp(nanoseconds: 1_600_000_000_000_000_000 + Int64(number) * 1_000_000_000)
            text += "\(time.plain),buy,Cold,,BTC,0.00000001,USD,1,,,b\(number),\n"
        }
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        return "\(folder)/\(name)"
    }

    /// Imports by this bench's gateway, or by another one.
    func `import`(_ path: String, by other: CommandServer? = nil) throws -> ChildProcess {
        try ChildProcess(
            "bitpal", arguments: ["portfolio", "import", path, "--into", "main"],
            environment: (other ?? server).environment, folder: folder)
    }

    /// Imports, and suspends until so many rows are on their way into the table, or it is over.
    func `import`(_ path: String, rows: Int) async throws -> ChildProcess {
        let start = try await length()
        let process = try `import`(path)
        var looks = PollPauses()
        // A row takes more.
        while process.isRunning, try await length() < start + Int64(rows) * 128 { try await looks.pause() }
        return process
    }

    /// Kills the gateway, and starts it again once the import that asked it is over; how that ended.
    func crash(during process: ChildProcess) async throws -> Int32 {
        await server.running.gateway.crash()
        let status = await process.exitStatus()
        try await server.startAgain()
        return status
    }

    private func length() async throws -> Int64 { try await database.first(TableLength()) ?? 0 }

    /// The numbers of the transactions, and their external ids.
    func stored() async throws -> (numbers: [Int64], ids: Set<String>) {
        let id = Self.id
        let rows = try await insist(while: { $0 is StoreError }) {
            try await database.withSession { try $0.ledgerRows(of: id, by: .localOperator) }
        }
        return (rows.map(\.number), Set(rows.map(\.transaction.externalID)))
    }

    func stop() async throws {
        await server.stop()
        await database.close()
        try await cluster.stop()
    }
}

/// The bytes of all rows of ledgers, also of those that are not committed yet.
private struct TableLength: Statement {
    static let sql = "SELECT pg_relation_size('portfolio.revision')"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

@Suite("Imports through crashes", .serialized, .timeLimit(.minutes(60)))
struct PortfolioImportCrashTests {
    private static let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil
    private static let count = isSoak ? 100_000 : 8_000

    @Test("one whose gateway is killed anywhere leaves nothing or all, and is whole when it is repeated")
    func killed() async throws {
        let fixture = try await ImportFixture()
        var generator = SeededGenerator(seed: 5)
        let path = try fixture.file(0..<Self.count, name: "all.csv")
        for round in 0..<5 {
            let place = round == 0 ? 0 : generator.int(0...(Self.count * 9 / 10))
            let process = try await fixture.import(path, rows: place)
            let status = try await fixture.crash(during: process)
            let found = try await fixture.stored().numbers.count
            #expect(found == Self.count || found == 0 && status == 4, "killed at row \(place): \(status)")
            #expect(status == 0 || Self.complaints(of: process) == 1, "\(process.errors)")
        }
        let last = try fixture.import(path)
        #expect(await last.exitStatus() == 0, "\(last.errors)")
        #expect(try await fixture.stored().numbers == Array(1...Int64(Self.count)))
        let again = try fixture.import(path)
        #expect(await again.exitStatus() == 0)
        #expect(again.output.contains("\(Self.count) rows read, 0 added, \(Self.count) lines skipped"))
        try await fixture.stop()
    }

    @Test("two gateways that write one portfolio, one of them killed, leave each row once, without holes")
    func twoWriters() async throws {
        let fixture = try await ImportFixture()
        let second = try await CommandServer.start(
            database: fixture.store, more: ["BITPAL_KEY_FILE": fixture.server.folder + "/accounts.key"])
        let half = Self.count / 2
        let first = try fixture.file(0..<Self.count, name: "first.csv")
        let killed = try await fixture.import(first, rows: half / 2)
        let other = try fixture.import(
            try fixture.file(half..<(Self.count + half), name: "second.csv"), by: second)
        _ = try await fixture.crash(during: killed)
        let repeated = try fixture.import(first)
        #expect(await other.exitStatus() == 0, "\(other.errors)")
        #expect(await repeated.exitStatus() == 0, "\(repeated.errors)")
        let (numbers, ids) = try await fixture.stored()
        #expect(ids.count == Self.count + half)
        #expect(numbers == Array(1...Int64(Self.count + half)))
        await second.stop()
        try await fixture.stop()
    }

    @Test("one whose command is killed has all of it or nothing, and is whole when it is repeated")
    func abandoned() async throws {
        let fixture = try await ImportFixture()
        let path = try fixture.file(0..<Self.count, name: "all.csv")
        let process = try await fixture.import(path, rows: Self.count / 2)
        await process.crash()
        let found = try await fixture.stored().numbers.count
        #expect(found == 0 || found == Self.count)
        let again = try fixture.import(path)
        #expect(await again.exitStatus() == 0, "\(again.errors)")
        #expect(try await fixture.stored().numbers == Array(1...Int64(Self.count)))
        try await fixture.stop()
    }

    @Test("a PostgreSQL that dies in the middle ends an import with one line, and has all of it or nothing")
    func restarted() async throws {
        let fixture = try await ImportFixture()
        let path = try fixture.file(0..<Self.count, name: "all.csv")
        let process = try await fixture.import(path, rows: Self.count / 3)
        try await fixture.cluster.crash()
        let status = await process.exitStatus()
        let found = try await fixture.stored().numbers.count
        #expect(found == (status == 0 ? Self.count : 0), "status \(status)")
        #expect(status == 0 || status == 4 && Self.complaints(of: process) == 1, "\(process.errors)")
        // Until the gateway has found the database again, it says that it has none.
        var again = process
        try await eventually {
            again = try fixture.import(path)
            return await again.exitStatus() != 4
        }
        #expect(await again.exitStatus() == 0, "\(again.errors)")
        #expect(try await fixture.stored().numbers.count == Self.count)
        try await fixture.stop()
    }

    private static func complaints(of process: ChildProcess) -> Int {
        process.errors.split(separator: "\n").count
    }
}
