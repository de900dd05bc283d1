import Glibc
import Instruments
import Support
import Testing

@testable import MarketStore
@testable import Store

/// What a write that was allowed leaves behind, in the order in which the leases let them through.
private struct Passage: Statement {
    static let sql = "SELECT number, instance, shard, epoch FROM passage ORDER BY number"
    static func decode(
        _ row: inout RowReader
    ) throws(StoreError) -> (number: Int64, instance: String, shard: Int16, epoch: Int64) {
        (try row.int64(), try row.text(), try row.int16(), try row.int64())
    }
}

private struct Pass: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO passage (instance, shard, epoch) VALUES ($1, $2, $3)"
    let instance: String
    let shard: Shard
    let epoch: Int64
    func bind(_ parameters: inout Parameters) {
        parameters.append(instance)
        parameters.append(Int16(shard.rawValue))
        parameters.append(epoch)
    }
}

/// An instance that writes with what it believes to have, however old that is.
private actor Writer {
    let name: String
    private let database: Database
    private var claims: LeaseClaims
    private(set) var passed = 0
    private(set) var refused = 0

    init(_ name: String, _ database: Database) {
        self.name = name
        self.database = database
        claims = LeaseClaims(service: Market.service, instance: name)
    }

    func tend() async throws { claims = try await database.tendLeases(Market.term(name)).claims }

    func write(_ shard: Shard) async throws {
        let (claims, name) = (claims, name)
        let result: Result<Int, StoreError>
        do throws(StoreError) {
            result = .success(
                try await database.fenced(claims) { session in
                    try session.check([shard], of: claims)
                    let epoch = claims.epochs[shard] ?? 0
                    return try session.execute(Pass(instance: name, shard: shard, epoch: epoch))
                })
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success: passed += 1
        case .failure(let error):
            guard error.bodyError is MarketStoreError else { throw error }
            refused += 1
        }
    }
}

@Suite("Two writers", .timeLimit(.minutes(10)))
struct TwoWriterTests {
    @Test(
        "never both succeed, whatever they do at the same time: epochs only rise, and each has one writer",
        arguments: (1...(getenv("SOAK") == nil ? 8 : 200)).map { UInt64($0) })
    func interleavings(seed: UInt64) async throws {
        let (database, _) = try await Market.database(connections: 6)
        try await database.script(
            "CREATE TABLE passage (number bigserial, instance text, shard smallint, epoch bigint)")
        let writers = ["a", "b", "c"].map { Writer($0, database) }
        let shards = [3, 77, 200].map { Shard(rawValue: $0) }
        for writer in writers { try await writer.tend() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, writer) in writers.enumerated() {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 31 &+ UInt64(index))
                    for _ in 0..<60 {
                        switch random.int(0...9) {
                        case 0...1: try await writer.tend()
                        case 2: try await Market.expire(random.pick(["a", "b", "c"]), database)
                        default: try await writer.write(random.pick(shards))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        var last: [Int16: (epoch: Int64, instance: String)] = [:]
        let passages = try await database.rows(Passage())
        for passage in passages {
            if let before = last[passage.shard] {
                #expect(passage.epoch >= before.epoch, "seed \(seed)")
                #expect(
                    passage.epoch > before.epoch || passage.instance == before.instance, "seed \(seed)")
            }
            last[passage.shard] = (passage.epoch, passage.instance)
        }
        var passed = 0
        var refused = 0
        for writer in writers {
            passed += await writer.passed
            refused += await writer.refused
        }
        #expect(passed == passages.count && passed > 0 && refused > 0, "seed \(seed)")
        await database.close()
    }
}
