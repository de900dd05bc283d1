import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

@Suite("Stored rates", .timeLimit(.minutes(10)))
struct RateTests {
    private static let franc = Asset(rawValue: "CHF")

    private static func rate(_ day: Int32, _ currency: String, _ rate: String) throws -> EuroRate {
        EuroRate(day: day, currency: Asset(rawValue: currency), rate: try Amount(parsing: rate))
    }

    @Test("are put right by a later file, and the newest of each currency is told with its source")
    func storing() async throws {
        let database = try await PortfolioFixture.database()
        let first = try [Self.rate(20_000, "USD", "1.1"), Self.rate(20_001, "USD", "1.2")]
        let second = try [
            Self.rate(20_001, "USD", "1.25"), Self.rate(20_000, "CHF", "0.5"),
            Self.rate(20_001, "USD", "1.3"),
        ]
        try await database.transaction { session in try session.store(first, from: "ECB") }
        try await database.transaction { session in try session.store(second, from: "other") }
        let newest = try await database.withSession { try $0.newestEuroRates() }
        let told = newest.map { "\($0.rate.currency) \($0.rate.rate) \($0.source)" }
        #expect(told == ["CHF 0.5 other", "USD 1.3 other"])
        await database.close()
    }

    @Test("value what is held in any currency, of each day that has them, and leave unknown what has none")
    func closes() async throws {
        let database = try await PortfolioFixture.database()
        let rates = try [
            Self.rate(20_000, "USD", "1.25"), Self.rate(20_000, "CHF", "0.5"),
            Self.rate(20_001, "USD", "1.25"),
        ]
        try await database.transaction { session in try session.store(rates, from: "ECB") }
        let prices = try await database.withSession { session in
            PriceHistory(try session.dailyCloses(of: [PortfolioFixture.usd], in: Self.franc))
        }
        let time = rates[0].time
        #expect(prices.price(of: PortfolioFixture.usd, in: Self.franc, at: time)?.price.description == "0.4")
        #expect(prices.price(of: PortfolioFixture.usd, in: Self.franc, at: time)?.time == time)
        #expect(
            prices.price(of: PortfolioFixture.usd, in: Self.franc, at: time.adding(nanoseconds: -1)) == nil)
        #expect(prices.price(of: Asset(rawValue: "GBP"), in: Self.franc, at: time) == nil)
        await database.close()
    }
}
