import Instruments
import LedgerFiles
import MarketState
import MarketStore
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

/// What daily closes and reference rates that are stored are good for.
@Suite("Stored prices of a portfolio", .timeLimit(.minutes(10)))
struct StoredPriceTests {
    private static let (usdt, bnb) = (Asset(rawValue: "USDT"), Asset(rawValue: "BNB"))
    /// 2025-01-01, the day that ``PortfolioFixture/row(_:_:_:for:hour:wallet:id:)`` counts hours from.
    private static let day: Int64 = 20_089

    private static func market(_ base: String, _ quote: String) -> Instrument {
        Instrument(
            id: InstrumentID(venue: .kraken, symbol: "\(base)/\(quote)"), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: .spot, priceScale: .zero, sizeScale: .zero)
    }

    /// Closes of whole days from the day before on.
    private static func close(
        _ market: Instrument, _ prices: [Int64], in database: Database
    ) async throws {
        try await database.store([market], at: .zero)
        var batch = CandleBatch()
        for (index, price) in prices.enumerated() {
            let start = Timestamp(nanoseconds: (day - 1 + Int64(index)) * 86_400_000_000_000)
            let (last, value) = (start.adding(nanoseconds: 86_400_000_000_000 - 1), Price(price))
            batch.append(
                CandleRow(
                    interval: .day, start: start, openTime: start, closeTime: last, open: value, high: value,
                    low: value, close: value, priceScale: .zero, sizeScale: .zero, tradeCount: 1,
                    volume: Amount(units: 1, places: 0), takerBuyVolume: nil, notional: nil, flags: .closed),
                of: market.id)
        }
        _ = try await database.fill(batch)
    }

    private static func benchmark(
        _ name: String, in base: Asset = PortfolioFixture.usd, _ database: Database
    ) async throws -> Benchmark {
        try await database.transaction(.snapshot) { session in try session.benchmark(name, in: base) }
    }

    @Test("make any instrument a benchmark, by way of what it is quoted in")
    func benchmarks() async throws {
        let database = try await PortfolioFixture.database()
        try await Self.close(Self.market("ETH", "USDT"), [100, 110], in: database)
        try await Self.close(Self.market("USDT", "USD"), [1, 1], in: database)
        let end = Timestamp(nanoseconds: (Self.day + 1) * 86_400_000_000_000 - 1)
        for name in ["kraken:ETH/USDT", "ETH"] {
            let found = try await Self.benchmark(name, database)
            #expect(found.price(in: PortfolioFixture.usd, at: end)?.price.description == "110")
            #expect(found.isInstrument == (name != "ETH"))
        }
        await database.close()
    }

    @Test(
        "refuse a benchmark that nothing is known of, with what is accepted",
        arguments: [
            ("ZZZ", "an asset with daily closes in USD, or an instrument such as kraken:BTC/USD"),
            ("kraken:ETH/USTD", "nearest are kraken:ETH/USDT"),
            (
                "kraken:BTC/USD",
                "`bitpal candles kraken BTC/USD --interval 1d --from TIME --backfill` fetches"
            ),
            ("kraken:ETH/USDT", "an instrument that is quoted in what has a price in USD"),
        ])
    func refusals(name: String, words: String) async throws {
        let database = try await PortfolioFixture.database()
        try await Self.close(Self.market("ETH", "USDT"), [100], in: database)
        try await Self.close(Self.market("BTC", "USD"), [], in: database)
        let refused = await refusal { try await Self.benchmark(name, database) }
        #expect(refused?.description.hasPrefix("field \"benchmark\" is \"\(name)\": accepted is ") == true)
        #expect(refused?.description.contains(words) == true, "\(refused?.description ?? "")")
        await database.close()
    }

    @Test("refuse a fee in a third coin that is worth more than its trade, however it comes")
    func fees() async throws {
        let database = try await PortfolioFixture.database()
        // 50 dollars on the day before, 60 on the day.
        try await Self.close(Self.market("BNB", "USD"), [50, 60], in: database)
        try await Self.close(Self.market("BTC", "USD"), [], in: database)
        let id = try await database.make()
        var row = try PortfolioFixture.row(.buy, "1", for: "100", hour: 1, id: "b")
        let coins = try PortfolioFixture.row(.opening, "9", "BNB", for: "1", hour: 0, id: "o")
        row.fee = Holding(Amount(units: 3), Self.bnb)
        let words = "fee_amount is 3 BNB, worth 150 USD then, more than the 100 that was traded"
        let rows = [coins, row]
        let added = await refusal { try await database.add(rows, to: id) }
        #expect(added?.description == words && added?.index == 1)
        let imported = await refusal { try await database.importFile(rows, to: id) }
        #expect(imported?.description == words && imported?.index == 1)
        #expect(try await database.ledger(id).isEmpty)
        row.fee = Holding(Amount(units: 2), Self.bnb)
        // A hundred is not more than a hundred.
        #expect(try await database.add([coins, row], to: id).added == [0, 1])
        let edited = await refusal {
            try await database.transaction { session in
                try session.editTransaction(2, in: id, of: PortfolioFixture.user, at: PortfolioFixture.now) {
                    old in
                    var new = old
                    new.fee = Holding(Amount(units: 3), Self.bnb)
                    return new
                }
            }
        }
        #expect(edited?.description == words)
        await database.close()
    }

    @Test("take a fee that nothing can be compared with, and reports warn of it once there is a price")
    func unknownFees() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        var row = try PortfolioFixture.row(.buy, "1", for: "100", hour: 1, id: "b")
        row.fee = Holding(Amount(units: 3), Self.bnb)
        let coins = try PortfolioFixture.row(.opening, "9", "BNB", for: "1", hour: 0)
        _ = try await database.add([coins, row], to: id)
        func warnings() async throws -> [String] {
            try await database.transaction(.snapshot) { session in
                guard let portfolio = try session.findPortfolio(id, of: PortfolioFixture.user) else {
                    return []
                }
                let loaded = try session.ledger(of: portfolio, needsPrices: true).loaded()
                return loaded.warnings.map(\.text)
            }
        }
        let debt = "wallet \"Cold\" goes to -100 USD at 2025-01-01T01:00:00Z"
        #expect(try await warnings() == [debt])
        try await Self.close(Self.market("BNB", "USD"), [50], in: database)
        #expect(
            try await warnings() == [
                debt, "fee_amount is 3 BNB, worth 150 USD then, more than the 100 that was traded (b)",
            ])
        await database.close()
    }
}
