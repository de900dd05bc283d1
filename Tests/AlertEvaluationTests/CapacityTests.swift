import AccountStore
import Alerting
import Instruments
import Store
import Support
import Synchronization
import Testing
import Wire

@testable import AlertEvaluation
@testable import AlertStore
@testable import MarketStore

@Suite("More evaluators")
struct CapacityTests {
    private static let now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
    private static let instruments = (0..<2_000).map { InstrumentID(venue: .kraken, symbol: "A\($0)/USD") }

    @Test("have less to hear, each: two of them carry 1.7 times what one does, and miss nothing")
    func halves() throws {
        let rules = try Self.rules()
        let all = Self.tapes(of: Set(Shard.all), rules)
        try #require(all.count == Self.instruments.count)
        var growth = 0.0
        let pairs = 20
        for number in 0..<pairs {
            let owners = Rendezvous.assignment(among: ["first-\(number)", "second-\(number)"])
            let parts = Dictionary(grouping: Shard.all) { owners[$0] ?? "" }
                .mapValues { Self.tapes(of: Set($0), rules) }
            let heard = parts.values.reduce(into: Set<String>()) { $0.formUnion($1) }
            // Each trade is heard by one of them, and by one alone.
            try #require(heard == all && parts.values.map(\.count).reduce(0, +) == all.count)
            growth += Double(all.count) / Double(parts.values.map(\.count).max() ?? 1)
        }
        #expect(growth / Double(pairs) >= 1.7, "\(growth / Double(pairs)) times")
    }

    /// One rule of each instrument.
    private static func rules() throws -> [StoredRule] {
        var generator = SeededGenerator(seed: 20_261_127)
        return try instruments.map { instrument in
            let id = UniqueID(version7At: now.nanoseconds, using: &generator)
            let rule = try AlertRule(
                json: """
                    {"id":"\(id)","instrument":"\(instrument)",\
                    "condition":{"price":"last","crosses":"above","level":"5"}}
                    """)
            return StoredRule(
                id: id, user: .localOperator, rule: rule, shard: Shard(of: instrument), isEnabled: true,
                version: 1, change: 1, epoch: 0, created: now, updated: now)
        }
    }

    /// The topics of trades that an evaluator of some shards subscribes to.
    private static func tapes(of shards: Set<Shard>, _ rules: [StoredRule]) -> Set<String> {
        let topics = Mutex<[String]>([])
        var core = EvaluatorCore(
            queue: CommitQueue(limit: 100_000), limits: AlertLimits(journal: 4),
            pendingRequests: EvaluatorCore.Requests(
                subscribe: { new in topics.withLock { $0 += new } }, unsubscribe: { _ in },
                requestState: { _ in }, read: { _ in }, zone: { _ in .utc }))
        let byShard = Dictionary(grouping: rules, by: \.shard)
        for shard in shards.sorted() {
            core.adopt(LoadedShard(shard: shard, leaseEpoch: 1, rules: byShard[shard] ?? []), at: now)
        }
        let trades = Set(instruments.map { Topic.trade($0) })
        return topics.withLock { Set($0).intersection(trades) }
    }
}
