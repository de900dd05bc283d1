import Instruments
import LedgerFiles
import Portfolio
import Testing

/// The columns that a form has.
@Suite("Gains as tables")
struct GainTableTests {
    private static func time(_ text: String) throws -> Timestamp {
        try #require(Timestamp(iso8601: text))
    }

    private static func report(_ rows: [(String, TransactionKind, Int64)]) throws -> LotReport {
        let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))
        return try LotReport(
            Ledger(
                rows.map { time, kind, price in
                    Transaction(
                        time: try Self.time(time), kind: kind, wallet: "A", subject: Holding(.one, btc),
                        counter: Holding(Amount(units: price), usd))
                }))
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    /// Source: Internal Revenue Service, Form 8949, heads of columns (a) to (h).
    @Test("Form 8949 has its columns in its words, dates as month, day and year, short-term lines first")
    func form() throws {
        let report = try Self.report([
            ("2023-02-03T23:59:59Z", .buy, 100), ("2024-12-31T00:00:00Z", .buy, 50),
            ("2025-02-01T10:00:00Z", .sell, 130), ("2025-02-02T10:00:00Z", .sell, 40),
        ])
        let lines = Self.lines(GainTable.form8949(GainReport(report, year: 2025)))
        #expect(
            lines == [
                "Part,Box,(a) Description of property,\"(b) Date acquired (Mo., day, yr.)\","
                    + "\"(c) Date sold or disposed of (Mo., day, yr.)\",(d) Proceeds (sales price),"
                    + "(e) Cost or other basis,(f) Code(s) from instructions,(g) Amount of adjustment,"
                    + "(h) Gain or (loss)",
                "I,I,1 BTC,12/31/2024,02/02/2025,40.00,50.00,,,-10.00",
                "II,L,1 BTC,02/03/2023,02/01/2025,130.00,100.00,,,30.00",
            ])
    }

    @Test("lots with losses say the first and the last of the 61 days, and what was acquired in them")
    func losses() throws {
        let report = try Self.report([
            ("2024-01-01T00:00:00Z", .buy, 100), ("2024-03-20T12:00:00Z", .buy, 10),
        ])
        let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))
        let prices = PriceHistory([(btc, usd, PricePoint(time: .zero, price: Amount(units: 20)))])
        let sale = try Self.time("2024-03-31T15:00:00Z")
        let found = LossCandidate.all(in: report, prices: prices, at: sale)
        let lines = Self.lines(GainTable.losses(found, report, at: sale))
        #expect(lines[0].hasSuffix("wash_sale_window_from,wash_sale_window_to,acquisitions_in_window"))
        #expect(lines.count == 2)
        #expect(lines[1].hasSuffix(",short,61,2024-03-01,2024-04-30,2024-03-20T12:00:00Z"))
    }
}
