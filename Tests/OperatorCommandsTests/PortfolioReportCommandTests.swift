import Bus
import Foundation
import Instruments
import MarketState
import MarketStore
import Store
import Support
import Testing
import Wire

/// What is reckoned of a portfolio that a gateway keeps.
@Suite("Reports of a gateway's portfolios", .timeLimit(.minutes(10)))
struct PortfolioReportCommandTests {
    /// 2024-01-01.
    private static let day: Int64 = 19_723
    private static let length: Int64 = 86_400_000_000_000
    private static let ledger = """
        time,kind,wallet,asset,amount,counter_asset,counter_amount,external_id
        2024-01-01T00:00:00Z,opening,A,BTC,1,USD,100,o1

        """

    private static func file(_ text: String, name: String = "ledger.csv") throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// A gateway with a portfolio of one coin, and the command that asks it.
    private static func serve() async throws -> (CommandServer, BitpalExecutable) {
        let server = try await CommandServer.start()
        let bitpal = BitpalExecutable(environment: server.environment)
        _ = try await bitpal.run(["portfolio", "create", "main", "--base", "USD"])
        let taken = try await bitpal.run([
            "portfolio", "import", try file(ledger), "--into", "main", "--allow-unknown-assets",
        ])
        #expect(taken.status == 0, "\(taken.errors)")
        return (server, bitpal)
    }

    /// One market with daily closes from the portfolio's first day on.
    private static func close(_ prices: [Int64], on store: StoreConfiguration) async throws {
        let market = Instrument(
            id: InstrumentID(venue: .kraken, symbol: "BTC/USD"), base: Asset(rawValue: "BTC"),
            quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero, sizeScale: .zero)
        var batch = CandleBatch()
        for (index, price) in prices.enumerated() {
            let start = Timestamp(nanoseconds: (day + Int64(index)) * length)
            let (last, value) = (start.adding(nanoseconds: length - 1), Price(price))
            batch.append(
                CandleRow(
                    interval: .day, start: start, openTime: start, closeTime: last, open: value, high: value,
                    low: value, close: value, priceScale: .zero, sizeScale: .zero, tradeCount: 1,
                    volume: Amount(units: 1, places: 0), takerBuyVolume: nil, notional: nil, flags: .closed),
                of: market.id)
        }
        try await Database.use(store, logger: TestDatabase.logger) { database in
            try await database.store([market], at: .zero)
            _ = try await database.fill(batch)
        }
    }

    @Test("come of files whose remarks are told beside the error, where they are refused")
    func refusedRemarks() async throws {
        let (server, bitpal) = try await Self.serve()
        let sent = """
            time,kind,wallet,to_wallet,asset,amount,fee_asset,fee_amount
            2024-01-02T00:00:00Z,transfer,A,B,BTC,0.18,BTC,0.82

            """
        let short = try Self.file(sent + "2024-01-03T00:00:00Z,withdrawal,B,,BTC,7,,\n")
        let remark = "remark on line 2: fee_amount is 0.82 BTC, more than the 0.18 that arrived"
        let arguments = ["portfolio", "import", short, "--into", "main"]
        for more in [[], ["--preview"]] {
            let refused = try await bitpal.run(arguments + more)
            let lines = refused.errors.split(separator: "\n").map(String.init)
            #expect(refused.status == 1 && refused.output.isEmpty && lines.count == 2, "\(refused.errors)")
            #expect(lines.first == remark)
            #expect(lines.last?.contains("ledger.csv: line 3, column 6 (amount): wallet ") == true)
        }
        let taken = try await bitpal.run(["portfolio", "import", try Self.file(sent), "--into", "main"])
        #expect(taken.lines.first == "1 rows read, 1 added, 0 lines skipped", "\(taken.errors)")
        #expect(taken.errors == remark + "\n")
        let report = try await bitpal.run(["portfolio", "report", "main", "--json"])
        #expect(
            report.output.contains(#""warning":"fee_amount is 0.82 BTC, more than the 0.18 that arrived""#))
        await server.stop()
    }

    @Test("are by the stored closes, in a currency, until a day, and beside what is compared with")
    func closes() async throws {
        let (server, bitpal) = try await Self.serve()
        func report(_ more: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio", "report", "main", "--json"] + more)
        }
        #expect(try await report().output.contains(#""price":null"#))
        try await Self.close([150, 300], on: server.database)
        let now = try await report("--benchmark", "kraken:BTC/USD")
        #expect(now.output.contains(#""price":"300""#), "\(now.errors)")
        #expect(now.output.contains(#""source":"daily close""#))
        #expect(now.output.contains(#""benchmark":{"instrument":"kraken:BTC/USD""#))
        #expect(try await report("--as-of", "2024-01-01").output.contains(#""price":"150""#))
        #expect(try await report("--base", "EUR").output.contains(#""base":"EUR""#))
        let unknown = try await report("--benchmark", "ZZZ")
        #expect(unknown.status == 3 && unknown.hasOneErrorLine && unknown.output.isEmpty)
        #expect(
            unknown.errors.contains(#"--benchmark is "ZZZ"; accepted: an asset with daily closes in USD"#))
        // Prices of a file stand in place of all that is stored, and are of no source.
        let prices = try Self.file("time,asset,currency,price\n2024-01-02,BTC,USD,7\n", name: "prices.csv")
        let others = try await report("--prices", prices)
        #expect(others.output.contains(#""price":"7""#) && others.output.contains(#""source":null"#))
        let file = try await bitpal.run([
            "portfolio", "report", "--json", "--ledger", try Self.file(Self.ledger), "--prices", prices,
        ])
        #expect(file.status == 0 && file.output == others.output)
        let missing = try await bitpal.run(["portfolio", "report", "mian"])
        #expect(missing.status == 3 && missing.errors.contains("did you mean main?"))
        await server.stop()
    }

    @Test("history has the values that were stored at the time where no price is known any more")
    func history() async throws {
        let (server, bitpal) = try await Self.serve()
        func history(_ more: String...) async throws -> [String] {
            try await bitpal.run(["portfolio", "history", "main", "--json"] + more).lines
        }
        let unknown = try await history()
        #expect(unknown.count == 1 && unknown[0].contains(#""value":null"#))
        try await Database.use(server.database, logger: TestDatabase.logger) { database in
            try await database.transaction { session in
                try session.script(
                    """
                    INSERT INTO portfolio.day (portfolio_id, day, value, inflow, outflow)
                    SELECT portfolio_id, \(Self.day), 42.5, 100, 0 FROM portfolio.portfolio
                    """)
            }
        }
        let known = try await history()
        #expect(known.count == 1 && known[0].contains(#""day":"2024-01-01","value":"42.5""#))
        // Another question is not what was answered then.
        #expect(try await history("--base", "EUR")[0].contains(#""value":null"#))
        await server.stop()
    }

    @Test("value and reports are by the prices of the moment while somebody tells them")
    func live() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        let silent = try await run("value", "main")
        #expect(silent.status == 4 && silent.hasOneErrorLine)
        #expect(silent.errors.contains(#"nobody has valued "main" yet"#))
        #expect(try await run("value", "mian").status == 3)
        let list = try await run("list", "--json").output
        var valuation = Bitpal_V1_PortfolioValuation()
        let id = try #require(list.split(separator: #""id":""#).dropFirst().first)
        (valuation.portfolio, valuation.base) = (String(id.prefix { $0 != "\"" }), "USD")
        (valuation.change, valuation.value, valuation.knownValue) = (1_000, "64000.5", "64000.5")
        valuation.timeUnixNanos = BusClock.wall().nanoseconds
        var position = Bitpal_V1_PortfolioPosition()
        (position.asset, position.amount, position.price) = ("BTC", "1", "64000.5")
        (position.value, position.source) = ("64000.5", "index BTC-USD")
        position.priceTimeUnixNanos = valuation.timeUnixNanos
        valuation.positions = [position]
        try await Self.saying(valuation, on: server) {
            try await eventually { try await run("value", "main", "--json").status == 0 }
            let value = try await run("value", "main", "--json")
            #expect(
                value.output.hasPrefix(#"{"portfolio":"main","id":"\#(valuation.portfolio)","base":"USD""#))
            #expect(value.output.contains(#""value":"64000.5""#))
            let table = try await run("value", "main").lines
            #expect(table.last == "value 64000.50 USD")
            try await eventually {
                try await run("report", "main", "--json").output.contains(#""source":"index BTC-USD""#)
            }
            #expect(try await run("report", "main", "--json").output.contains(#""price":"64000.5""#))
            let then = try await run("report", "main", "--as-of", "2024-01-05", "--json")
            #expect(then.status == 0 && !then.output.contains("64000.5"))
        }
        await server.stop()
    }

    /// Runs `body` while somebody tells what a portfolio is worth.
    private static func saying(
        _ valuation: Bitpal_V1_PortfolioValuation, on server: CommandServer, _ body: () async throws -> Void
    ) async throws {
        let addresses = try BusAddresses(base: try #require(server.environment["BITPAL_BUS"]))
        let publisher = try Publisher(
            context: try BusContext(),
            configuration: PublisherConfiguration(producer: "portfolio-service", addresses: addresses),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            var batch = OutboundBatch()
            let topic = try publisher.topic(Topic.portfolioValuation(valuation.portfolio))
            batch.append(.portfolioValuation(valuation), to: topic)
            publisher.offer(&batch)
            try await body()
            group.cancelAll()
            // Ends of cancelled services are no failures of the test.
            while let _ = try? await group.next() {}
        }
    }

    @Test("without a gateway end with status 4 and say how to start one, but for those of files")
    func noGateway() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let bitpal = BitpalExecutable()
        for command in [
            ["report"], ["explain"], ["basis"], ["gains", "--year", "2024"], ["history"], ["value"],
            ["correlation"], ["whatif", "--with", "none.csv"],
        ] {
            let outcome = try await bitpal.run(["portfolio"] + command + ["main", "--data-dir", folder])
            #expect(outcome.status == 4 && outcome.hasOneErrorLine, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("bitpal up"))
        }
        let file = try await bitpal.run(["portfolio", "basis", "--ledger", try Self.file(Self.ledger)])
        #expect(file.status == 0 && file.lines.count == 1)
    }
}
