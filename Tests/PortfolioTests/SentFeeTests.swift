import Instruments
import Portfolio
import Testing

/// Fees in the coin that is sent: what arrives may be the smaller part, with the arithmetic done by hand.
@Suite("Fees of what is sent")
struct SentFeeTests {
    private static let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))

    private static func time(_ day: String) throws -> Timestamp {
        try #require(Timestamp(iso8601: "2023-01-\(day)T00:00:00Z"))
    }

    /// Hundredths of a bitcoin.
    private static func coins(_ hundredths: Int64) -> Holding {
        Holding(Amount(units: hundredths, places: 2), btc)
    }

    /// One bitcoin that cost 100 dollars.
    private static func opening() throws -> Transaction {
        Transaction(
            time: try time("01"), kind: .opening, wallet: "A", subject: coins(100),
            counter: Holding(Amount(units: 100), usd))
    }

    /// 0.18 on the tenth, with 0.82 on top or what is said.
    private static func row(
        _ kind: TransactionKind, fee: Holding = coins(82), counter: Holding? = nil
    ) throws -> Transaction {
        Transaction(
            time: try time("10"), kind: kind, wallet: "A", toWallet: kind == .transfer ? "B" : nil,
            subject: coins(18), counter: counter ?? (kind.isExchange ? Holding(Amount(units: 60), usd) : nil),
            fee: fee)
    }

    /// A bitcoin is worth 200 dollars the day before.
    private static func prices() throws -> PriceHistory {
        PriceHistory([(btc, usd, PricePoint(time: try time("09"), price: Amount(units: 200)))])
    }

    @Test("may be more than what arrives, and are disposals as any fee", arguments: LotScope.allCases)
    func arrival(scope: LotScope) throws {
        for method in LotMethod.allCases {
            for kind in [TransactionKind.transfer, .withdrawal] {
                let report = try LotReport(
                    Ledger([try Self.opening(), try Self.row(kind)]), LotPolicy(method, scope),
                    prices: try Self.prices())
                let isMove = kind == .transfer
                // Of 100 dollars the 0.82 cost 82, and are worth 0.82 × 200 = 164.
                #expect(
                    report.disposals.map { "\($0.kind) \($0.subject.amount) \($0.costBasis)" } == [
                        "fee 0.82 82"
                    ],
                    "\(method) \(kind)")
                #expect(report.disposals.first?.gain?.description == "82", "\(method) \(kind)")
                #expect(report.fees.map(\.value.description) == ["164"], "\(method) \(kind)")
                #expect(
                    report.balances.map { "\($0.wallet) \($0.holding.amount)" } == (isMove ? ["B 0.18"] : []),
                    "\(method) \(kind)")
                #expect(
                    report.lots.map { "\($0.wallet) \($0.costBasis)" } == (isMove ? ["B 18"] : []),
                    "\(method) \(kind)")
                #expect(
                    report.removals.map(\.costBasis.description) == (isMove ? [] : ["18"]),
                    "\(method) \(kind)")
            }
        }
    }

    @Test("are more than the amount for nothing else", arguments: TransactionKind.allCases)
    func kinds(kind: TransactionKind) throws {
        let rows = [try Self.opening(), try Self.row(kind)]
        guard kind != .transfer, kind != .withdrawal else {
            #expect(try Ledger(rows).transactions.count == 2)
            return
        }
        let refused = LedgerError(
            index: 1, time: try Self.time("10"),
            reason: .feeExceeds(fee: Self.coins(82), amount: Self.coins(18).amount))
        #expect(throws: refused) { try Ledger(rows) }
    }

    @Test("are still no more than what an exchange brings or costs")
    func exchanges() throws {
        let (paid, fee) = (Holding(Amount(units: 60), Self.usd), Holding(Amount(units: 61), Self.usd))
        for kind in TransactionKind.allCases where kind.isExchange {
            let rows = [try Self.opening(), try Self.row(kind, fee: fee, counter: paid)]
            let refused = LedgerError(
                index: 1, time: try Self.time("10"), reason: .feeExceeds(fee: fee, amount: paid.amount))
            #expect(throws: refused) { try Ledger(rows) }
        }
    }

    @Test("must be there as well")
    func shortfall() throws {
        let rows = [try Self.opening(), try Self.row(.transfer, fee: Self.coins(83))]
        let refused = LedgerError(
            index: 1, time: try Self.time("10"),
            reason: .shortfall(
                wallet: "A", asset: Self.btc, available: Self.coins(100).amount,
                wanted: Self.coins(101).amount))
        #expect(throws: refused) { try Ledger(rows) }
    }

    @Test("are remarked on where they are more than what arrived")
    func remarks() throws {
        let words = "fee_amount is 0.82 BTC, more than the 0.18 that arrived"
        for kind in TransactionKind.allCases {
            let isSent = kind == .transfer || kind == .withdrawal
            #expect(try Self.row(kind).sentFeeRemark == (isSent ? words : nil), "\(kind)")
        }
        #expect(try Self.row(.transfer, fee: Self.coins(18)).sentFeeRemark == nil)
        let other = Holding(Amount(units: 5), Asset(rawValue: "BNB"))
        #expect(try Self.row(.transfer, fee: other).sentFeeRemark == nil)
    }

    @Test("are explained as what they are: all of the fee, of a transfer")
    func explanation() throws {
        let report = try LotReport(
            Ledger([try Self.opening(), try Self.row(.transfer)]), prices: try Self.prices())
        let disposal = try #require(report.disposals.first)
        #expect(
            FigureExplanation.lines(disposal, in: report).prefix(2) == [
                "2023-01-10T00:00:00Z fee of a transfer of 0.82 BTC from A",
                "  brought 164 USD, its fair value",
            ])
    }
}
