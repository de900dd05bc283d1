import AccountStore
import Foundation
import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

/// A PostgreSQL of its own with one portfolio, and the command that imports into it.
private final class ImportBench {
    static let id = PortfolioID(
        rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001))

    let cluster: PrivateCluster
    let store: StoreConfiguration
    let database: Database
    let folder: String

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
        }
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

    func `import`(_ path: String) throws -> ChildProcess {
        try ChildProcess(
            "bitpal", arguments: ["portfolio", "import", path, "--into", "main", "--data-dir", folder],
            environment: ["BITPAL_DATABASE_URL": store.description], folder: folder)
    }

    /// Suspends until an import has sent so many rows, or is over.
    func wait(for rows: Int, of process: ChildProcess) async throws {
        while process.isRunning {
            let sent = try await database.first(CopiedRows()) ?? -1
            if sent >= Int64(rows) { return }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The numbers of the transactions, and their external ids.
    func stored() async throws -> (numbers: [Int64], ids: Set<String>) {
        let id = Self.id
        let rows = try await insist(while: { $0 is StoreError }) {
            try await database.withSession { try $0.ledgerRows(of: id, by: .localOperator) }
        }
        return (rows.map(\.number), Set(rows.map(\.transaction.externalID)))
    }

    func stop() async throws {
        await database.close()
        try await cluster.stop()
    }
}

/// Rows of ledgers that are on their way into the table; none, NULL.
private struct CopiedRows: Statement {
    static let sql = """
        SELECT coalesce(max(tuples_processed), -1) FROM pg_stat_progress_copy
        WHERE relid = 'portfolio.revision'::regclass
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

@Suite("Imports through crashes", .serialized, .timeLimit(.minutes(60)))
struct PortfolioImportCrashTests {
    private static let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil
    private static let count = isSoak ? 100_000 : 8_000

    @Test("an import that is killed anywhere leaves nothing, and is whole when it is repeated")
    func killed() async throws {
        let bench = try await ImportBench()
        var generator = SeededGenerator(seed: 5)
        let path = try bench.file(0..<Self.count, name: "all.csv")
        for round in 0..<5 {
            let process = try bench.import(path)
            let place = round == 0 ? 0 : generator.int(0...(Self.count * 9 / 10))
            try await bench.wait(for: place, of: process)
            await process.crash()
            let found = try await bench.stored().numbers.count
            #expect(found == 0 || found == Self.count, "killed at row \(place)")
        }
        let last = try bench.import(path)
        #expect(await last.exitStatus() == 0, "\(last.errors)")
        #expect(try await bench.stored().numbers == Array(1...Int64(Self.count)))
        let again = try bench.import(path)
        #expect(await again.exitStatus() == 0)
        #expect(again.output.contains("\(Self.count) rows read, 0 added, \(Self.count) lines skipped"))
        try await bench.stop()
    }

    @Test("two writers of one portfolio, one of them killed, leave each row once and numbers without holes")
    func twoWriters() async throws {
        let bench = try await ImportBench()
        let half = Self.count / 2
        let first = try bench.file(0..<Self.count, name: "first.csv")
        let second = try bench.file(half..<(Self.count + half), name: "second.csv")
        let killed = try bench.import(first)
        let other = try bench.import(second)
        try await bench.wait(for: half / 2, of: killed)
        await killed.crash()
        let repeated = try bench.import(first)
        #expect(await other.exitStatus() == 0, "\(other.errors)")
        #expect(await repeated.exitStatus() == 0, "\(repeated.errors)")
        let (numbers, ids) = try await bench.stored()
        #expect(ids.count == Self.count + half)
        #expect(numbers == Array(1...Int64(Self.count + half)))
        try await bench.stop()
    }

    @Test("a PostgreSQL that dies in the middle ends an import with one line, and has all of it or nothing")
    func restarted() async throws {
        let bench = try await ImportBench()
        let path = try bench.file(0..<Self.count, name: "all.csv")
        let process = try bench.import(path)
        try await bench.wait(for: Self.count / 3, of: process)
        try await bench.cluster.crash()
        let status = await process.exitStatus()
        let found = try await bench.stored().numbers.count
        #expect(found == (status == 0 ? Self.count : 0), "status \(status)")
        if status != 0 {
            // Beside the lines of its progress.
            let complaints = process.errors.split(separator: "\n")
                .filter { !$0.hasPrefix("bitpal: import: ") }
            #expect(complaints.count == 1, "\(process.errors)")
        }
        let again = try bench.import(path)
        #expect(await again.exitStatus() == 0, "\(again.errors)")
        #expect(try await bench.stored().numbers.count == Self.count)
        try await bench.stop()
    }
}
