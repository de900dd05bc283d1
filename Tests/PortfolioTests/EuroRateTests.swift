import Instruments
import Testing

@testable import Portfolio

@Suite("Reference rates of the euro")
struct EuroRateTests {
    /// The form of the bank's files, with both kinds of quotes that have been seen.
    private static let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01">
        <gesmes:subject>Reference rates</gesmes:subject>
        <Cube>
        <Cube time="2026-11-20"><Cube currency="USD" rate="1.1583"/><Cube currency="CHF" rate="0.93"/></Cube>
        <Cube time='2026-11-19'><Cube currency='USD' rate='1.1600'/><Cube currency='JPY' rate='171.5'/></Cube>
        </Cube></gesmes:Envelope>
        """

    private static let dollar = Asset(rawValue: "USD")

    @Test("are read with their days out of the bank's file")
    func parsing() throws {
        let rates = try EuroRateFile.parse(Array(Self.file.utf8))
        #expect(
            rates.map { "\($0.date) \($0.currency) \($0.rate)" } == [
                "2026-11-20 USD 1.1583", "2026-11-20 CHF 0.93", "2026-11-19 USD 1.16",
                "2026-11-19 JPY 171.5",
            ])
        #expect(rates[0].time == Timestamp(iso8601: "2026-11-20T15:00:00Z"))
    }

    @Test(
        "are refused when a day, a code or a number is none, or there is nothing",
        arguments: [
            ("<Cube time='2026-13-01'>", "\"2026-13-01\" is no day"),
            ("<Cube currency='USD' rate='1'/>", "needs a day"),
            ("<Cube time='2026-01-01'><Cube currency='usd' rate='1'/>", "three letters"),
            ("<Cube time='2026-01-01'><Cube currency='USD' rate='1,5'/>", "a decimal above zero"),
            ("<Cube time='2026-01-01'><Cube currency='USD' rate='0'/>", "above zero"),
            ("<html>busy</html>", "no rates in it"), ("", "no rates in it"), ("<Cube time='", "no rates"),
        ])
    func faults(text: String, words: String) {
        let fault = #expect(throws: EuroRateFault.self) { try EuroRateFile.parse(Array(text.utf8)) }
        #expect(fault?.description.contains(words) == true, "\(String(describing: fault))")
    }

    @Test("no bytes stop the reader")
    func damage() throws {
        let whole = Array(Self.file.utf8)
        for end in whole.indices { _ = try? EuroRateFile.parse(Array(whole[..<end])) }
    }

    @Test(
        "are expected on weekdays from half past three on",
        arguments: [
            ("2026-11-20T15:29:59Z", "2026-11-19"), ("2026-11-20T15:30:00Z", "2026-11-20"),
            ("2026-11-21T12:00:00Z", "2026-11-20"), ("2026-11-22T23:00:00Z", "2026-11-20"),
            ("2026-11-23T15:00:00Z", "2026-11-20"), ("2026-11-23T15:31:00Z", "2026-11-23"),
        ])
    func calendar(now: String, day: String) throws {
        let time = try #require(Timestamp(iso8601: now))
        let newest = EuroRate(day: EuroRate.newestDay(at: time), currency: Self.dollar, rate: .one)
        #expect(newest.date == day)
    }

    @Test("become prices of each currency in any other, on the days that have both")
    func crosses() throws {
        let rates = try EuroRateFile.parse(Array(Self.file.utf8))
        let euro = Asset(rawValue: "EUR")
        let francs = EuroRate.prices(rates, of: [Self.dollar, euro], in: Asset(rawValue: "CHF"))
        // 0.93 / 1.1583, and 0.93; on the day before nobody says what a franc was.
        #expect(
            Set(francs.map { "\($0.asset) \($0.point.price)" }) == [
                "USD 0.802900802900802900802901", "EUR 0.93",
            ])
        let book = PriceHistory(EuroRate.prices(rates, of: [euro, Asset(rawValue: "JPY")], in: Self.dollar))
        let noon = try #require(Timestamp(iso8601: "2026-11-20T12:00:00Z"))
        #expect(book.price(of: euro, in: Self.dollar, at: noon)?.price.description == "1.16")
        let before = noon.adding(nanoseconds: -86_400_000_000_000)
        #expect(book.price(of: euro, in: Self.dollar, at: before) == nil)
    }

    @Test("price a coin by way of a stablecoin and dollars, and never when one of the three is missing")
    func threeSteps() throws {
        let time = Timestamp.zero
        func row(_ asset: String, _ currency: String, _ price: String) throws -> (Asset, Asset, PricePoint) {
            (
                Asset(rawValue: asset), Asset(rawValue: currency),
                PricePoint(time: time, price: try Amount(parsing: price))
            )
        }
        let rows = try [row("ETH", "USDT", "2000"), row("USDT", "USD", "0.5"), row("USD", "CHF", "0.25")]
        let (ether, franc) = (Asset(rawValue: "ETH"), Asset(rawValue: "CHF"))
        #expect(PriceHistory(rows).price(of: ether, in: franc, at: time)?.price.description == "250")
        for missing in rows.indices {
            var fewer = rows
            fewer.remove(at: missing)
            #expect(PriceHistory(fewer).price(of: ether, in: franc, at: time) == nil)
        }
    }
}
