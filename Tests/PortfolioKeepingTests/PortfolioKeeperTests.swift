import AccountStore
import Bus
import BusBroker
import Instruments
import Logging
import Operations
import Portfolio
import PortfolioKeeping
import PortfolioStore
import ServiceLifecycle
import Store
import Support
import Testing
import Wire

@Suite("Portfolio service", .timeLimit(.minutes(10)))
struct PortfolioKeeperTests {
    private static let user = UserID.localOperator
    private static let id = PortfolioID(
        rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001))
    private static let now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    private static func buy(_ amount: String, _ asset: String) throws -> Transaction {
        Transaction(
            time: now, kind: .buy, wallet: "Cold",
            subject: Holding(try Amount(parsing: amount), Asset(rawValue: asset)),
            counter: Holding(.one, Asset(rawValue: "USD")))
    }

    private static func index(_ pair: String, _ price: String, unavailable: String = "") -> WireEvent {
        var index = Bitpal_V1_IndexPrice()
        (index.pair, index.price, index.unavailable) = (pair, price, unavailable)
        index.computedTimeUnixNanos = 7
        return .indexPrice(index)
    }

    private static func add(_ rows: [Transaction], to database: Database) async throws {
        _ = try await database.transaction { session in
            try session.addTransactions(rows, to: id, of: user, at: now)
        }
    }

    @Test("values a portfolio on change, names what has no price, and marks what is not of now")
    func values() async throws {
        try await Self.run { database, publisher, reader in
            var reader = reader
            let topic = try publisher.topic(Topic.index(base: "BTC", quote: "USD"))
            func say(_ event: WireEvent) {
                var batch = OutboundBatch()
                batch.append(event, to: topic)
                publisher.offer(&batch)
            }
            say(Self.index("BTC-USD", "50000.5"))
            // 2 × 50000.5 less the 2 dollars that both purchases cost.
            let first = try await reader.next { $0.missing == ["ETH"] }
            #expect(first.knownValue == "99999")
            #expect(first.value.isEmpty && first.missing == ["ETH"] && first.base == "USD")
            #expect(first.portfolio == Self.id.description && first.change == 1)
            let ether = try publisher.topic(Topic.index(base: "ETH", quote: "USD"))
            var batch = OutboundBatch()
            batch.append(Self.index("ETH-USD", "0.1"), to: ether)
            publisher.offer(&batch)
            // And 10 × 0.1.
            let second = try await reader.next { !$0.value.isEmpty }
            #expect(second.value == "100000")
            #expect(second.positions.map(\.source) == ["index BTC-USD", "index ETH-USD", "itself"])
            say(Self.index("BTC-USD", "", unavailable: "1 of at least 2 markets can be believed"))
            let third = try await reader.next { !$0.stale.isEmpty }
            #expect(third.stale == ["BTC"] && third.positions[0].price == "50000.5")
            #expect(third.positions[0].stale == "1 of at least 2 markets can be believed")
            try await Self.add([try Self.buy("1", "BTC")], to: database)
            let fourth = try await reader.next { $0.change == 2 }
            #expect(fourth.positions[0].amount == "3")
            say(Self.index("BTC-USD", "50000"))
            let fifth = try await reader.next { $0.stale.isEmpty && $0.change == 2 }
            #expect(fifth.value == "149998")
        }
    }

    @Test("keeps the value of each day, and makes the days again that a change of the past touches")
    func history() async throws {
        var configuration = PortfolioKeepingConfiguration()
        configuration.historyInterval = .milliseconds(50)
        let now = Self.now.adding(nanoseconds: 3 * 86_400_000_000_000)
        try await Self.run(configuration, at: now) { database, _, _ in
            func deposit(_ amount: String) throws -> Transaction {
                Transaction(
                    time: Self.now, kind: .deposit, wallet: "Cold",
                    subject: Holding(try Amount(parsing: amount), Asset(rawValue: "USD")))
            }
            func values() async throws -> [String?] {
                try await database.rows(ListDays(of: Self.id)).map { $0.value?.description }
            }
            // Coins have no price here: their days are unknown, and no guess.
            while try await values() != [nil, nil, nil] { await Task.yield() }
            try await database.transaction { session in
                try session.removeTransactions([1, 2], from: Self.id, of: Self.user, at: now)
            }
            try await Self.add([try deposit("5.5")], to: database)
            while try await values() != ["5.5", "5.5", "5.5"] { await Task.yield() }
            try await Self.add([try deposit("1")], to: database)
            while try await values() != ["6.5", "6.5", "6.5"] { await Task.yield() }
            let days = try await database.rows(ListDays(of: Self.id))
            #expect(days.map(\.inflow.description) == ["6.5", "0", "0"])
        }
    }

    /// A broker, a database with a portfolio of 2 BTC and 10 ETH, the service, and a feed of prices.
    private static func run(
        _ settings: PortfolioKeepingConfiguration = PortfolioKeepingConfiguration(),
        at time: Timestamp? = nil,
        _ body: (Database, Publisher, ValuationReader) async throws -> Void
    ) async throws {
        var clock: (@Sendable () -> Timestamp)?
        if let time { clock = { time } }
        let configuration = try await TestDatabase.empty()
        try await PortfolioSchema.migrate(configuration, logger: TestDatabase.logger)
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        try await database.transaction { session in
            _ = try session.createPortfolio(
                id, named: "main", base: Asset(rawValue: "USD"), of: user, at: now)
            try session.putWallet("Cold", kind: .cold, in: id, of: user, at: now)
        }
        try await add([try buy("2", "BTC"), try buy("10", "ETH")], to: database)
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: .anyLoopbackPort),
            instance: "test", logger: TestDatabase.logger)
        try await running([broker]) {
            let addresses = try await broker.bound()
            let publisher = try Publisher(
                context: context,
                configuration: PublisherConfiguration(producer: "feed", addresses: addresses),
                logger: TestDatabase.logger)
            let subscriber = try Subscriber(
                context: context,
                configuration: SubscriberConfiguration(
                    name: "reader", addresses: addresses, prefixes: ["portfolio.valuation."]),
                logger: TestDatabase.logger)
            let keeper = try PortfolioKeeper.services(
                configuration: settings, context: context, addresses: addresses, database: database,
                health: HealthRegistry(), instance: "test", logger: TestDatabase.logger,
                clock: clock)
            try await running(keeper + [publisher, subscriber]) {
                for await event in publisher.events where event == .brokerAppeared { break }
                var reader = ValuationReader(subscriber)
                // The service values what it has read before anybody says a price.
                _ = try await reader.next { $0.missing == ["BTC", "ETH"] }
                try await body(database, publisher, reader)
            }
        }
        await database.close()
    }
}

/// Reads valuations, also those that were said before.
private struct ValuationReader {
    private var iterator: BusBatches.Iterator
    private var said: [Bitpal_V1_PortfolioValuation] = []

    init(_ subscriber: Subscriber) { iterator = subscriber.batches.makeAsyncIterator() }

    /// The next one of which something holds.
    mutating func next(_ holds: (Bitpal_V1_PortfolioValuation) -> Bool) async throws
        -> Bitpal_V1_PortfolioValuation
    {
        while true {
            while !said.isEmpty {
                let valuation = said.removeFirst()
                if holds(valuation) { return valuation }
            }
            guard let batch = await iterator.next() else { throw PropertyFailure("the subscriber ended") }
            for case .message(let message) in batch.events {
                if case .portfolioValuation(let valuation) = try batch.decode(message) {
                    said.append(valuation)
                }
            }
        }
    }
}

/// Runs services while `body` runs, then cancels them and waits for their end.
private func running(_ services: [any Service], _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for service in services { group.addTask { try await service.run() } }
        do {
            try await body()
        } catch {
            group.cancelAll()
            while let result = await group.nextResult() { try result.get() }
            throw error
        }
        group.cancelAll()
        try await group.waitForAll()
    }
}
