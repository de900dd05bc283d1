import Instruments
import Portfolio
import Testing

@Suite("Money for people")
struct MoneyTextTests {
    private static func price(_ text: String, in currency: String) throws -> String {
        MoneyText.rounded(in: Asset(rawValue: currency)).price(try Amount(parsing: text))
    }

    @Test(
        "has the digits of its currency, and a small price four figures",
        arguments: [
            ("52044.94999999", "EUR", "52044.95"), ("1", "USD", "1.00"), ("0.5234567", "USD", "0.5235"),
            ("0.00001234567", "EUR", "0.00001235"), ("8123456.7", "JPY", "8123457"),
            ("52.34", "JPY", "52.340"), ("19000.12345", "KWD", "19000.123"), ("0", "EUR", "0.00"),
        ])
    func prices(price: String, currency: String, shown: String) throws {
        #expect(try Self.price(price, in: currency) == shown)
    }

    @Test("has every digit where that is wanted")
    func exact() throws {
        let amount = try Amount(parsing: "52044.9499999999999999999999999999")
        #expect(MoneyText.exact.money(amount) == amount.description)
        #expect(MoneyText.exact.price(amount) == amount.description)
        #expect(MoneyText.rounded(in: Asset(rawValue: "EUR")).money(amount) == "52044.95")
    }

    @Test("is a part of the whole beside coins, and coins less their cost are the gain")
    func parts() throws {
        let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))
        let rows = [
            Transaction(
                time: .zero, kind: .deposit, wallet: "A", subject: Holding(Amount(units: 5_000), usd)),
            Transaction(
                time: Timestamp(nanoseconds: 1), kind: .buy, wallet: "A", subject: Holding(.one, btc),
                counter: Holding(Amount(units: 3_000), usd)),
        ]
        let prices = PriceHistory([(btc, usd, PricePoint(time: .zero, price: Amount(units: 2_700)))])
        let valuation = Valuation(
            try LotReport(Ledger(rows), prices: prices), prices: prices, at: Timestamp(nanoseconds: 1))
        #expect(valuation.total == Amount(units: 4_700))
        #expect(valuation.coinValue == Amount(units: 2_700) && valuation.moneyValue == Amount(units: 2_000))
        #expect(valuation.coinCost == Amount(units: 3_000) && valuation.unrealized == Amount(units: -300))
    }
}
