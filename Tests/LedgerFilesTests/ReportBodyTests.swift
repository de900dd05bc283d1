import Foundation
import Instruments
import LedgerFiles
import Portfolio
import Shapes
import Testing

/// The JSON of a whole report.
@Suite("Reports as JSON")
struct ReportBodyTests {
    private static let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))

    /// On a day of January, in tenths of a bitcoin.
    private static func row(
        _ day: Int, _ kind: TransactionKind, _ tenths: Int64, for money: Int64? = nil, fee: Holding? = nil,
        id: String = ""
    ) throws -> Transaction {
        Transaction(
            time: try #require(Timestamp(iso8601: "2023-01-\(day)T00:00:00Z")), kind: kind, wallet: "A",
            subject: Holding(Amount(units: tenths, places: 1), btc),
            counter: money.map { Holding(Amount(units: $0), usd) }, fee: fee, externalID: id)
    }

    private static func loaded(_ rows: [Transaction]) throws -> LoadedLedger {
        LoadedLedger(
            imported: ImportedLedger(transactions: rows, lines: rows.indices.map { $0 + 2 }),
            report: try LotReport(Ledger(rows)), policy: LotPolicy(), prices: PriceHistory())
    }

    @Test("disposals, removals, income and fees name their transactions by their external ids")
    func externalIDs() throws {
        let dollar = Holding(.one, Self.usd)
        let loaded = try Self.loaded([
            try Self.row(10, .buy, 50, for: 500, fee: dollar, id: "b1"),
            try Self.row(11, .buy, 10, for: 100, fee: dollar),
            try Self.row(12, .withdrawal, 1, id: "w1"), try Self.row(13, .giftOut, 1),
            try Self.row(14, .staking, 1, for: 10, id: "r1"), try Self.row(15, .staking, 1, for: 10),
            try Self.row(16, .sell, 1, for: 12, id: "s1"), try Self.row(17, .sell, 1, for: 12),
            try Self.row(18, .fee, 1, for: 10, id: "f1"),
        ])
        let json = try JSONSerialization.jsonObject(with: Data(ReportBody(of: loaded).json))
        let report = try #require(json as? [String: Any])
        for (key, ids) in [
            ("disposals", ["s1", "", "f1"]), ("removals", ["w1", ""]), ("income", ["r1", ""]),
            ("fees", ["b1", "", "f1"]),
        ] {
            let entries = try #require(report[key] as? [[String: Any]])
            #expect(entries.map { $0["external_id"] as? String } == ids, "\(key)")
        }
    }

    @Test("warnings say which fee is more than what arrived, among the others by time")
    func sentFee() throws {
        let loaded = try Self.loaded([
            try Self.row(10, .opening, 10, for: 100),
            try Self.row(11, .withdrawal, 1, fee: Holding(Amount(units: 2, places: 1), Self.btc), id: "w1"),
            try Self.row(12, .buy, 1, for: 300),
        ])
        let words = "fee_amount is 0.2 BTC, more than the 0.1 that arrived (w1)"
        #expect(
            loaded.warnings.map(\.text) == [
                words, "wallet \"A\" goes to -300 USD at 2023-01-12T00:00:00Z",
            ])
        #expect(
            String(decoding: ReportBody(of: loaded).json, as: UTF8.self).contains("\"warning\":\"\(words)\""))
    }
}
