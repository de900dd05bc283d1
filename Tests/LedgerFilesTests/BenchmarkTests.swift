import Instruments
import LedgerFiles
import Portfolio
import Shapes
import Testing

/// A performance beside an asset or an instrument, with the arithmetic done by hand.
@Suite("Benchmarks")
struct BenchmarkTests {
    private static let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))
    private static let market = "kraken:BTC/USD"

    private static func time(_ day: Int) throws -> Timestamp {
        try #require(Timestamp(iso8601: "2023-01-0\(day)T00:00:00Z"))
    }

    /// One bitcoin on the first day, at 100, 110, 121 and 121; the instrument from its second day on at 10,
    /// 10 and 11 euros of two dollars.
    private static func loaded() throws -> LoadedLedger {
        let row = Transaction(
            time: try time(1), kind: .opening, wallet: "A", subject: Holding(.one, btc),
            counter: Holding(Amount(units: 100), usd))
        var rows: [(asset: Asset, currency: Asset, point: PricePoint)] = []
        for (day, price) in [(1, 100), (2, 110), (3, 121)] {
            rows.append((btc, usd, .init(time: try time(day), price: Amount(units: Int64(price)))))
        }
        let (name, euro) = (Asset(rawValue: market), Asset(rawValue: "EUR"))
        for (day, price) in [(2, 10), (4, 11)] {
            rows.append((name, euro, .init(time: try time(day), price: Amount(units: Int64(price)))))
        }
        rows.append((euro, usd, .init(time: try time(1), price: Amount(units: 2))))
        let prices = PriceHistory(rows)
        let report = try LotReport(Ledger([row]), prices: prices)
        return LoadedLedger(
            imported: ImportedLedger(transactions: [row], lines: [2]), report: report, policy: LotPolicy(),
            prices: prices)
    }

    @Test("compare the days that both have, and say which these are")
    func comparison() throws {
        let loaded = try Self.loaded()
        let both = BenchmarkComparison(
            loaded.history, with: Benchmark(Self.market, prices: loaded.prices), in: Self.usd)
        #expect(both.start == (try Self.time(3)) && both.days == 2 && both.staleDays == 0)
        // 121 / 110 and 121 / 121 beside 10 / 10 and 11 / 10.
        #expect(both.theirReturn.map { abs($0 - 0.1) < 1e-12 } == true)
        #expect(both.excessReturn.map { abs($0) < 1e-12 } == true)
        // Ours 0.1 then 0, theirs 0 then 0.1: they move against each other.
        #expect(both.beta.map { abs($0 + 1) < 1e-12 } == true)
        #expect(both.correlation.map { abs($0 + 1) < 1e-12 } == true)
    }

    @Test("are told with what they are and how they compare")
    func json() throws {
        var loaded = try Self.loaded()
        for (name, kind) in [(Self.market, "instrument"), ("BTC", "asset")] {
            loaded.benchmark = Benchmark(name, prices: loaded.prices)
            let text = String(decoding: PerformanceBody(of: loaded).json, as: UTF8.self)
            #expect(text.contains("\"benchmark\":{\"\(kind)\":\"\(name)\",\"from\":\"2023-01-0"))
        }
    }

    @Test("are unknown where nothing is known of them")
    func unknown() throws {
        let loaded = try Self.loaded()
        let both = BenchmarkComparison(
            loaded.history, with: Benchmark("ETH", prices: loaded.prices), in: Self.usd)
        #expect(both.start == nil && both.days == 0)
        #expect(both.theirReturn == nil && both.excessReturn == nil && both.beta == nil)
    }
}
