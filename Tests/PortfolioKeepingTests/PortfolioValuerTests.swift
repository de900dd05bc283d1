import AccountStore
import Bus
import BusBroker
import Hosting
import Instruments
import Logging
import MarketData
import MarketStore
import NIOPosix
import Operations
import Portfolio
import PortfolioKeeping
import PortfolioStore
import Store
import Support
import Synchronization
import Testing
import VenueSimulation
import Wire

@Suite("Portfolio service", .timeLimit(.minutes(10)))
struct PortfolioValuerTests {
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

    @Test("values what no index prices by a venue's ticker and says so, until an index prices it")
    func tickers() async throws {
        try await Self.run { database, publisher, reader in
            var reader = reader
            let okx = Venue(rawValue: "okx")
            let market = Instrument(
                id: InstrumentID(venue: okx, symbol: "ETH-USD"), base: Asset(rawValue: "ETH"),
                quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero, sizeScale: .zero)
            _ = try await database.store([market], at: Self.now)
            func say(_ event: WireEvent, on topic: String) throws {
                var batch = OutboundBatch()
                batch.append(event, to: try publisher.topic(topic))
                publisher.offer(&batch)
            }
            let part = MarketTickerPart(
                venue: okx, number: 0, count: 1, receivedTime: Self.now,
                tickers: [
                    MarketTicker(symbol: "ETH-USD", last: try DecimalNumber(parsing: "0.25")),
                    MarketTicker(symbol: "BTC-USD", last: try DecimalNumber(parsing: "1")),
                ])
            try say(.marketTickers(part), on: Topic.marketTickers(okx, part: 0))
            let first = try await reader.next { $0.missing == ["BTC"] }
            // 10 × 0.25 less 2 dollars.
            #expect(first.knownValue == "0.5")
            let ether = first.positions.first { $0.asset == "ETH" }
            #expect(ether?.origin == "ticker" && ether?.source == "ticker okx:ETH-USD")
            try say(Self.index("ETH-USD", "0.3"), on: Topic.index(base: "ETH", quote: "USD"))
            let second = try await reader.next { $0.knownValue == "1" }
            #expect(second.positions.first { $0.asset == "ETH" }?.origin == "proven")
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
            // Nothing was put in; what it was worth at midnight nobody knows.
            #expect(second.profit == "100000" && second.dayChange.isEmpty)
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

    @Test("says the profit, and the change since midnight, without what came in and went out")
    func changes() async throws {
        try await Self.run(at: Self.now.adding(nanoseconds: 86_400_000_000_000)) {
            database, publisher, reader in
            var reader = reader
            try await database.transaction { session in
                try session.removeTransactions([1, 2], from: Self.id, of: Self.user, at: Self.now)
            }
            func move(_ kind: TransactionKind, _ amount: String, _ hours: Int64) throws -> Transaction {
                Transaction(
                    time: Self.now.adding(nanoseconds: hours * 3_600_000_000_000), kind: kind, wallet: "Cold",
                    subject: Holding(try Amount(parsing: amount), Asset(rawValue: "USD")))
            }
            // A thousand yesterday, of which a hundred went again; fifty today.
            try await Self.add(
                [
                    try move(.deposit, "1000", 1), try move(.withdrawal, "100", 2),
                    try move(.deposit, "50", 24),
                ],
                to: database)
            let plain = try await reader.next { $0.value == "950" }
            #expect(plain.profit == "0" && plain.dayChange == "0")
            var buy = try Self.buy("2", "BTC")
            buy.counter = Holding(try Amount(parsing: "900"), Asset(rawValue: "USD"))
            buy.time = Self.now.adding(nanoseconds: 24 * 3_600_000_000_000)
            try await Self.add([buy], to: database)
            let topic = try publisher.topic(Topic.index(base: "BTC", quote: "USD"))
            var batch = OutboundBatch()
            batch.append(Self.index("BTC-USD", "500"), to: topic)
            publisher.offer(&batch)
            // 50 dollars and two coins of 500.
            let grown = try await reader.next { $0.value == "1050" }
            #expect(grown.profit == "100" && grown.dayChange == "100")
        }
    }

    @Test("counts a transaction of the future once its time has come")
    func future() async throws {
        let time = Mutex(Self.now)
        try await Self.run(clock: { time.withLock { $0 } }) { database, _, reader in
            var reader = reader
            var late = try Self.buy("1", "BTC")
            late.time = Self.now.adding(nanoseconds: 1)
            try await Self.add([late], to: database)
            let before = try await reader.next { $0.change == 2 }
            #expect(before.positions[0].amount == "2")
            time.withLock { $0 = late.time }
            let after = try await reader.next { $0.positions[0].amount == "3" }
            #expect(after.change == 2)
        }
    }

    @Test("tells 10^30 and 18 decimals over the wire as they are stored")
    func wideAmounts() async throws {
        try await Self.run { database, publisher, reader in
            var reader = reader
            let large = "1000000000000000000000000000000.000000000000000001"
            try await Self.add([try Self.buy(large, "SHIB")], to: database)
            let topic = try publisher.topic(Topic.index(base: "SHIB", quote: "USD"))
            var batch = OutboundBatch()
            batch.append(Self.index("SHIB-USD", "0.000000000000000003"), to: topic)
            publisher.offer(&batch)
            let told = try await reader.next { $0.missing == ["BTC", "ETH"] && $0.change == 2 }
            let position = try #require(told.positions.first { $0.asset == "SHIB" })
            #expect(position.amount == large)
            #expect(position.value == "3000000000000.000000000000000000000000000000000003")
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
                try await database.withSession { session in
                    try session.days(of: Self.id, by: .localOperator).map { $0.value?.description }
                }
            }
            func see(_ wanted: [String?]) async throws {
                try await eventually { try await values() == wanted }
            }
            // Coins have no price here: their days are unknown, and no guess.
            try await see([nil, nil, nil])
            try await database.transaction { session in
                try session.removeTransactions([1, 2], from: Self.id, of: Self.user, at: now)
            }
            try await Self.add([try deposit("5.5")], to: database)
            try await see(["5.5", "5.5", "5.5"])
            try await Self.add([try deposit("1")], to: database)
            try await see(["6.5", "6.5", "6.5"])
            let days = try await database.withSession { try $0.days(of: Self.id, by: .localOperator) }
            #expect(days.map(\.inflow.description) == ["6.5", "0", "0"])
        }
    }

    @Test("compares a portfolio with its past on the day after it became the operator's, too")
    func adoption() async throws {
        var configuration = PortfolioKeepingConfiguration()
        configuration.historyInterval = .milliseconds(50)
        let day: Int64 = 86_400_000_000_000
        let time = Mutex(Self.now.adding(nanoseconds: day))
        try await Self.run(configuration, clock: { time.withLock { $0 } }) { database, _, reader in
            var reader = reader
            try await database.transaction { session in
                try session.removeTransactions([1, 2], from: Self.id, of: Self.user, at: Self.now)
            }
            let deposit = Transaction(
                time: Self.now.adding(nanoseconds: day / 2), kind: .deposit, wallet: "Cold",
                subject: Holding(try Amount(parsing: "1000"), Asset(rawValue: "USD")))
            try await Self.add([deposit], to: database)
            let first = try await reader.next { $0.value == "1000" }
            #expect(first.profit == "0")
            try await database.withSession { session in
                try session.script(
                    """
                    INSERT INTO accounts.app_user (user_id, name)
                    VALUES ('00000000-0000-7000-8000-000000000002', 'boss');
                    INSERT INTO accounts.account (user_id, email, email_folded, role, created_at)
                    VALUES ('00000000-0000-7000-8000-000000000002', 'boss@example.org', 'boss@example.org',
                        'operator', now());
                    """)
            }
            let next = Self.now.adding(nanoseconds: 2 * day)
            time.withLock { $0 = next }
            let second = try await reader.next {
                $0.timeUnixNanos >= next.nanoseconds && (!$0.dayChange.isEmpty || $0.profit != "0")
            }
            #expect(second.value == "1000" && second.profit == "0" && second.dayChange == "0")
        }
    }

    @Test("tells nothing in the place of a deleted portfolio's value, and leaves nothing of it on the bus")
    func deletion() async throws {
        try await Self.run { database, _, reader in
            var reader = reader
            try await database.transaction { session in
                try session.deletePortfolio(Self.id, of: Self.user, at: Self.now)
            }
            let last = try await reader.next { $0.positions.isEmpty }
            #expect(last.portfolio == Self.id.description && last.change == 1)
            #expect(last.value.isEmpty && last.knownValue.isEmpty && last.missing.isEmpty)
            // Who comes later is told nothing, because there is nothing.
            let topics = reader.topics
            try await eventually { try await topics().isEmpty }
        }
    }

    @Test("values what a restoration brought back, and nothing that it took away")
    func restoration() async throws {
        let backup = SchemaBackup(
            [
                .init("accounts", version: AccountSchema.migrator.version),
                .init("portfolio", version: PortfolioSchema.version),
            ], alongside: ["accounts.audit"])
        try await Self.run { database, _, reader in
            var reader = reader
            let path = try TestDatabase.temporaryDirectory() + "/file.bitpal"
            _ = try await backup.write(to: path, from: reader.store)
            let other = PortfolioID(rawValue: UniqueID(high: Self.id.rawValue.high, low: 1 << 63 | 9))
            try await database.transaction { session in
                _ = try session.createPortfolio(
                    other, named: "other", base: Asset(rawValue: "USD"), of: Self.user, at: Self.now)
                try session.putWallet("Cold", kind: .cold, in: other, of: Self.user, at: Self.now)
                _ = try session.addTransactions(
                    [try Self.buy("1", "SOL")], to: other, of: Self.user, at: Self.now)
            }
            try await Self.add([try Self.buy("1", "BTC")], to: database)
            try await Self.add([try Self.buy("1", "SHIB")], to: database)
            // Both follow, in either order.
            var (isOther, isThird) = (false, false)
            while !isOther || !isThird {
                let told = try await reader.next { _ in true }
                isOther = isOther || told.missing == ["SOL"]
                isThird = isThird || told.change == 3 && told.missing == ["BTC", "ETH", "SHIB"]
            }
            _ = try await backup.restore(from: path, into: reader.store, replacing: true)
            // And both here.
            var (isBack, isGone) = (false, false)
            while !isBack || !isGone {
                let told = try await reader.next { $0.change == 1 }
                if told.portfolio == other.description { isGone = isGone || told.positions.isEmpty }
                if told.portfolio == Self.id.description {
                    isBack = isBack || told.positions.map(\.amount).contains("2")
                }
            }
            // And it goes on from there.
            try await Self.add([try Self.buy("7", "BTC")], to: database)
            let next = try await reader.next { $0.change == 2 }
            #expect(next.positions.map(\.amount).contains("9"))
        }
    }

    @Test("values money of other currencies by reference rates, with their source and date")
    func rates() async throws {
        try await Self.simulating { address in
            var configuration = PortfolioKeepingConfiguration()
            configuration.ratesAddress = address + "/ecb/stats/eurofxref"
            try await Self.run(configuration) { database, _, reader in
                var reader = reader
                let franc = Transaction(
                    time: Self.now, kind: .deposit, wallet: "Cold",
                    subject: Holding(try Amount(parsing: "100"), Asset(rawValue: "CHF")))
                try await Self.add([franc], to: database)
                let told = try await reader.next { $0.missing == ["BTC", "ETH"] && $0.change == 2 }
                let position = try #require(told.positions.first { $0.asset == "CHF" })
                // Two rates of one day of the simulator's: francs in euros, euros in dollars.
                let rates = try await database.withSession { try $0.newestEuroRates() }
                let source = try #require(rates.first.map { "\($0.source) \($0.rate.date)" })
                #expect(source.hasPrefix("127.0.0.1:"))
                #expect(position.source == "\(source), \(source)" && position.stale.isEmpty)
                #expect(position.priceTimeUnixNanos == rates[0].rate.time.nanoseconds)
                let price = try #require(Double(position.price))
                #expect(price > 1 && price < 1.5)
            }
        }
    }

    @Test("says of a rate that is older than five days of which day it is")
    func staleRates() async throws {
        let old = try [("USD", "1.25"), ("CHF", "0.5")].map { currency, rate in
            EuroRate(day: 20_000, currency: Asset(rawValue: currency), rate: try Amount(parsing: rate))
        }
        try await Self.run(rates: old) { database, _, reader in
            var reader = reader
            let franc = Transaction(
                time: Self.now, kind: .deposit, wallet: "Cold",
                subject: Holding(try Amount(parsing: "100"), Asset(rawValue: "CHF")))
            try await Self.add([franc], to: database)
            let told = try await reader.next { $0.stale == ["CHF"] }
            let position = try #require(told.positions.first { $0.asset == "CHF" })
            #expect(position.value == "250" && position.source == "ECB 2024-10-04, ECB 2024-10-04")
            #expect(position.stale == "the newest rate of CHF is of 2024-10-04")
        }
    }

    /// A simulator; its address.
    private static func simulating(_ body: (String) async throws -> Void) async throws {
        let simulator = try VenueSimulator(
            configuration: VenueSimulatorConfiguration(address: NetworkAddress(host: "127.0.0.1", port: 0)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: TestDatabase.logger)
        try await running([simulator]) {
            let (host, port) = try await simulator.bound()
            try await body("http://\(host):\(port)")
        }
    }

    /// A broker, a database with a portfolio of 2 BTC and 10 ETH, the service, and a feed of prices.
    private static func run(
        _ settings: PortfolioKeepingConfiguration = PortfolioKeepingConfiguration(),
        at time: Timestamp? = nil, clock: (@Sendable () -> Timestamp)? = nil, rates: [EuroRate] = [],
        _ body: (Database, Publisher, ValuationReader) async throws -> Void
    ) async throws {
        var clock = clock
        if let time { clock = { time } }
        let configuration = try await TestDatabase.migrated("portfolio", by: PortfolioSchema.migrate)
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        try await database.transaction { session in
            _ = try session.createPortfolio(
                id, named: "main", base: Asset(rawValue: "USD"), of: user, at: now)
            try session.putWallet("Cold", kind: .cold, in: id, of: user, at: now)
        }
        try await add([try buy("2", "BTC"), try buy("10", "ETH")], to: database)
        try await database.transaction { session in try session.store(rates, from: "ECB") }
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
            let client = StateClient(context: context, addresses: addresses)
            let frame = ServiceFrame(instance: "test", logger: TestDatabase.logger, clock: clock)
            let keeper = try PortfolioValuer.services(
                settings, in: frame.on(context, at: addresses).with(database))
            try await running(keeper + [publisher, subscriber]) {
                for await event in publisher.events where event == .brokerAppeared { break }
                var reader = ValuationReader(subscriber, store: configuration) {
                    try await client.fetch(["portfolio.valuation."], timeout: .seconds(60)).messages
                        .map(\.topic)
                }
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

    /// Where portfolios are.
    let store: StoreConfiguration
    /// Topics of the valuations that the broker retains.
    let topics: () async throws -> [String]

    init(
        _ subscriber: Subscriber, store: StoreConfiguration, topics: @escaping () async throws -> [String]
    ) {
        iterator = subscriber.batches.makeAsyncIterator()
        self.store = store
        self.topics = topics
    }

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
