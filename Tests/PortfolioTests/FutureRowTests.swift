import Instruments
import Portfolio
import Testing

/// Rows of a time to come, with the arithmetic done by hand.
@Suite("Rows that are to come")
struct FutureRowTests {
    private static let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))
    private static let now = Timestamp(nanoseconds: 100)

    /// So many bitcoins at 100 dollars each.
    private static func row(
        _ kind: TransactionKind, _ count: Int64, at time: Int64, _ id: String = ""
    ) -> Transaction {
        Transaction(
            time: Timestamp(nanoseconds: time), kind: kind, wallet: "A",
            subject: Holding(Amount(units: count), btc),
            counter: Holding(Amount(units: count * 100), usd), externalID: id)
    }

    /// Two are there, one comes.
    private static func ledger() throws -> Ledger {
        try Ledger([row(.buy, 2, at: 1), row(.buy, 1, at: 200)])
    }

    private static func held(_ report: LotReport) -> [String] {
        report.balances.map { "\($0.holding.amount) \($0.holding.asset)" }
    }

    @Test("wait until then, to the nanosecond, and make a ledger end now")
    func end() throws {
        let ledger = try Self.ledger()
        #expect(ledger.end(at: Self.now) == Self.now)
        #expect(ledger.end(at: Timestamp(nanoseconds: 199)) == Timestamp(nanoseconds: 199))
        #expect(ledger.end(at: Timestamp(nanoseconds: 200)) == nil)
        #expect(ledger.transactions.map { $0.waitsUntil(at: Self.now)?.nanoseconds } == [nil, 200])
        let report = try LotReport(ledger, until: Self.now)
        #expect(report.rows.count == 1 && report.lots.map(\.costBasis) == [Amount(units: 200)])
        #expect(Self.held(report) == ["2 BTC", "-200 USD"])
    }

    @Test("are in neither side of what transactions of now would change")
    func whatIf() throws {
        let before = try LotReport(Self.ledger(), until: Self.now)
        let sale = Self.row(.sell, 1, at: 50)
        let result = try WhatIf(before, adding: [sale], policy: LotPolicy(), prices: PriceHistory())
        #expect(Self.held(result.after) == ["1 BTC", "-100 USD"])
        #expect(result.newDisposals.count == 1 && result.realized == .zero)
    }

    @Test("are in both sides of what a transaction after them would change")
    func laterWhatIf() throws {
        let rows = [Self.row(.buy, 2, at: 1), Self.row(.sell, 1, at: 200)]
        let before = try LotReport(Ledger(rows), until: Self.now)
        let sale = Self.row(.sell, 1, at: 300)
        let result = try WhatIf(before, adding: [sale], policy: LotPolicy(), prices: PriceHistory())
        #expect(Self.held(result.after).isEmpty)
        #expect(result.newDisposals.map(\.time.nanoseconds) == [300])
    }

    @Test("are no repurchases of what could be sold at a loss today")
    func repurchases() throws {
        let prices = PriceHistory([
            (Self.btc, Self.usd, PricePoint(time: Timestamp(nanoseconds: 2), price: Amount(units: 50)))
        ])
        let ledger = try Self.ledger()
        func repurchases(until end: Timestamp?) throws -> [[Int]] {
            LossCandidate.all(in: try LotReport(ledger, until: end), prices: prices, at: Self.now)
                .map(\.repurchases)
        }
        #expect(try repurchases(until: Self.now) == [[]])
        #expect(try repurchases(until: nil).contains { !$0.isEmpty })
    }
}
