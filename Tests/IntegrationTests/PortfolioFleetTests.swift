import AccountStore
import Bus
import Foundation
import Instruments
import MarketStore
import Portfolio
import PortfolioStore
import Store
import Support
import Testing
import Wire

/// A broker and some portfolio services as processes, for a feed of prices that the test speaks for.
private final class PortfolioFleet {
    static let places = 3

    let addresses: BusAddresses
    let store: StoreConfiguration
    let database: Database
    private let folder: String
    private let base: UInt16
    private var processes: [String: ChildProcess] = [:]

    init() async throws {
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 4 + Self.places)
        addresses = try BusAddresses(base: "tcp://127.0.0.1:\(base)")
        store = try await TestDatabase.empty()
        try await PortfolioSchema.migrate(store, logger: TestDatabase.logger)
        database = Database(configuration: store, logger: TestDatabase.logger)
        processes["bus-broker"] = try ChildProcess(
            "bus-broker",
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 3)",
            ], folder: folder)
    }

    static func name(_ place: Int) -> String { "portfolio-service \(place)" }

    func start(_ place: Int) throws {
        processes[Self.name(place)] = try ChildProcess(
            "portfolio-service",
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)", "BITPAL_DATABASE_URL": store.description,
                "BITPAL_PORTFOLIO_SERVICE_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4 + UInt16(place))",
                "BITPAL_PORTFOLIO_SERVICE_LEASES_DURATION": "2s",
                "BITPAL_PORTFOLIO_SERVICE_RATES_ADDRESS": "none",
                "BITPAL_PORTFOLIO_SERVICE_BACKFILL_ENABLED": "false",
            ], folder: folder)
    }

    func signal(_ number: Int32, _ place: Int) { processes[Self.name(place)]?.signal(number) }

    /// Ends one as a crash does.
    func crash(_ place: Int) async { await processes.removeValue(forKey: Self.name(place))?.crash() }

    /// The instance that runs at a place; `nil` until it says which it is.
    func instance(_ place: Int) -> String? {
        let words = processes[Self.name(place)]?.errors.split(whereSeparator: { " \n".contains($0) }) ?? []
        return words.first { $0.hasPrefix("instance=") }.map { String($0.dropFirst("instance=".count)) }
    }

    /// What it calls itself on the bus.
    func producer(_ place: Int) -> String? { instance(place).map { "portfolio-service-" + $0 } }

    /// Makes portfolios of one coin each, of shards that are far apart.
    func makePortfolios(_ count: Int) async throws -> Set<String> {
        var ids: Set<String> = []
        for number in 0..<count {
            let low = 0x8000_0000_0000_0000 | UInt64(number) << 8 | UInt64(number * 256 / count)
            let id = PortfolioID(rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: low))
            let coin = Transaction(
                time: .zero, kind: .deposit, wallet: "Cold",
                subject: Holding(Amount(units: Int64(number + 1)), Asset(rawValue: "BTC")))
            try await database.transaction { session in
                _ = try session.createPortfolio(
                    id, named: "p\(number)", base: Asset(rawValue: "USD"), of: .localOperator, at: .zero)
                try session.putWallet("Cold", kind: .cold, in: id, of: .localOperator, at: .zero)
                _ = try session.addTransactions([coin], to: id, of: .localOperator, at: .zero)
            }
            ids.insert(id.description)
        }
        return ids
    }

    /// Asks all of them to stop; their exit statuses.
    func stop() async -> [Int32] {
        var statuses: [Int32] = []
        for name in processes.keys.sorted().reversed() {
            processes[name]?.signal(SIGTERM)
            statuses.append(await processes[name]?.exitStatus() ?? -1)
        }
        await database.close()
        return statuses
    }

    var logs: String {
        processes.map { "\($0.key): …\($0.value.errors.suffix(1_500))" }.joined(separator: "\n")
    }
}

/// Says a new price whenever something was heard, and notes who told which portfolio when.
private struct PriceFeed {
    let publisher: Publisher
    private let topic: PublisherTopic
    private var iterator: BusBatches.Iterator
    private var price = 100
    /// The producer of the newest valuation of each portfolio.
    private(set) var tellers: [String: String] = [:]
    /// The times of all valuations of each portfolio, by the clock of whoever told them.
    private(set) var times: [String: [Int64]] = [:]

    init(_ publisher: Publisher, _ subscriber: Subscriber) throws {
        self.publisher = publisher
        topic = try publisher.topic(Topic.index(base: "BTC", quote: "USD"))
        iterator = subscriber.batches.makeAsyncIterator()
    }

    private mutating func say() {
        price += 1
        var index = Bitpal_V1_IndexPrice()
        (index.pair, index.price) = ("BTC-USD", "\(price)")
        index.computedTimeUnixNanos = Int64(price)
        var batch = OutboundBatch()
        batch.append(.indexPrice(index), to: topic)
        publisher.offer(&batch)
    }

    /// Forgets who told what before.
    mutating func forget() { tellers = [:] }

    /// Goes on until something holds.
    mutating func run(until holds: ([String: String]) async throws -> Bool) async throws {
        say()
        while try await !holds(tellers) {
            guard let batch = await iterator.next() else { throw PropertyFailure("the subscriber ended") }
            for case .message(let message) in batch.events where !message.isRetained {
                guard case .portfolioValuation(let told) = try batch.decode(message) else { continue }
                tellers[told.portfolio] = batch.producer(message.producer)
                times[told.portfolio, default: []].append(told.timeUnixNanos)
            }
            say()
        }
    }
}

@Suite("Portfolio services as processes", .serialized, .timeLimit(.minutes(30)))
struct PortfolioFleetTests {
    private static func running(
        _ fleet: PortfolioFleet, _ body: (inout PriceFeed) async throws -> Void
    ) async throws {
        let context = try BusContext()
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(producer: "index", addresses: fleet.addresses),
            logger: TestDatabase.logger)
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(
                name: "reader", addresses: fleet.addresses, prefixes: ["portfolio.valuation.", "heartbeat."]),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            group.addTask { try await subscriber.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            var feed = try PriceFeed(publisher, subscriber)
            try await body(&feed)
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    @Test("share portfolios, take over from one that dies or sleeps, and tell each twice a second at most")
    func sharing() async throws {
        let fleet = try await PortfolioFleet()
        // So many that each of three has some, whatever their names.
        let ids = try await fleet.makePortfolios(64)
        for place in 0..<PortfolioFleet.places { try fleet.start(place) }
        try await Self.running(fleet) { feed in
            // Everybody has some, and together they have all.
            try await feed.run { Set($0.keys) == ids && Set($0.values).count == PortfolioFleet.places }
            let dead = try #require(fleet.producer(0))
            await fleet.crash(0)
            feed.forget()
            try await feed.run { Set($0.keys) == ids && !$0.values.contains(dead) }
            // One that stands still is followed, and says nothing of what it lost when it goes on.
            let asleep = try #require(fleet.producer(1))
            fleet.signal(SIGSTOP, 1)
            feed.forget()
            try await feed.run { Set($0.keys) == ids && !$0.values.contains(asleep) }
            fleet.signal(SIGCONT, 1)
            feed.forget()
            try await feed.run { Set($0.keys) == ids && $0.values.contains(asleep) }
            for (id, times) in feed.times {
                let sorted = times.sorted()
                for (first, third) in zip(sorted, sorted.dropFirst(2)) {
                    #expect(third - first > 990_000_000, "\(id) was told three times in a second")
                }
            }
        }
        let statuses = await fleet.stop()
        #expect(statuses.allSatisfy { $0 == 0 }, "\(statuses)\n\(fleet.logs)")
    }

    @Test("stop in good order in the middle of a ledger of hundreds of thousands of rows")
    func stopping() async throws {
        let fleet = try await PortfolioFleet()
        _ = try await fleet.makePortfolios(1)
        for part in 0..<20 { try await fleet.database.execute(ManyRows(from: part * 20_000, count: 20_000)) }
        for _ in 0..<3 {
            try fleet.start(0)
            // Its leases are there before its ledgers are read; those of the one before may be there still,
            // where stopping took longer than they hold.
            try await eventually {
                guard let instance = fleet.instance(0) else { return false }
                return try await fleet.database.withSession { try $0.leases(of: "portfolio-service") }
                    .contains { $0.owner?.hasPrefix(instance) == true }
            }
            fleet.signal(SIGTERM, 0)
            let status = await fleet.exitStatus(0)
            #expect(status == 0, "\(fleet.logs)")
        }
        _ = await fleet.stop()
    }
}

extension PortfolioFleet {
    fileprivate func exitStatus(_ place: Int) async -> Int32? {
        await processes.removeValue(forKey: Self.name(place))?.exitStatus()
    }
}

/// Adds deposits to the only portfolio, without the checks of a change.
private struct ManyRows: Statement {
    typealias Row = Void
    static let sql = """
        WITH rows AS (
            INSERT INTO portfolio.revision (
                portfolio_id, number, revision, change, superseded, time, kind, wallet, to_wallet, asset,
                amount, external_id, note, tags, price_source, lots)
            SELECT portfolio_id, 1 + number, 1, 1, NULL, number * 1000000, 'deposit', 'Cold', NULL, 'BTC', 1,
                'x' || number, '', '{}', '', '{}'
            FROM portfolio.portfolio, generate_series($1::bigint + 1, $1::bigint + $2::bigint) AS number
            RETURNING 1)
        SELECT count(*) FROM rows
        """
    let from: Int
    let count: Int
    func bind(_ parameters: inout Parameters) {
        parameters.append(Int64(from))
        parameters.append(Int64(count))
    }
}
