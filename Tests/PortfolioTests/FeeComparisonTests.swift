import Instruments
import Portfolio
import Testing

/// Fees in a third money or coin beside what was traded, with the arithmetic done by hand.
@Suite("Fees in a third asset")
struct FeeComparisonTests {
    private static let (btc, usd, eur, bnb) = (
        Asset(rawValue: "BTC"), Asset(rawValue: "USD"), Asset(rawValue: "EUR"), Asset(rawValue: "BNB")
    )

    private static func time(_ day: String) throws -> Timestamp {
        try #require(Timestamp(iso8601: "2023-01-\(day)T00:00:00Z"))
    }

    /// Half a bitcoin for 60 dollars on the tenth, with a fee.
    private static func row(
        _ kind: TransactionKind, _ fee: Int64, _ asset: Asset, for money: Asset = usd
    ) throws -> Transaction {
        Transaction(
            time: try time("10"), kind: kind, wallet: "A",
            subject: Holding(Amount(units: 5, places: 1), btc), counter: Holding(Amount(units: 60), money),
            fee: Holding(Amount(units: fee), asset))
    }

    private static func prices(_ day: String) throws -> PriceHistory {
        PriceHistory([
            (eur, usd, PricePoint(time: try time(day), price: Amount(units: 2))),
            (bnb, usd, PricePoint(time: try time(day), price: Amount(units: 10))),
        ])
    }

    @Test(
        "are refused when they are worth more than the trade by the prices of then",
        arguments: [
            ("EUR", 31, true), ("EUR", 30, false), ("BNB", 7, true), ("BNB", 6, false), ("XYZ", 999, false),
        ])
    func comparison(name: String, fee: Int64, isRefused: Bool) throws {
        for kind in [TransactionKind.buy, .sell, .swap] {
            let row = try Self.row(kind, fee, Asset(rawValue: name))
            let reason = row.feeExcess(in: Self.usd, prices: try Self.prices("09"))
            #expect((reason != nil) == isRefused, "\(kind)")
        }
    }

    @Test("say what they are worth, and where they stand in what was read")
    func words() throws {
        let opening = Transaction(
            time: try Self.time("11"), kind: .opening, wallet: "A",
            subject: Holding(Amount(units: 40), Self.eur))
        let ledger = try Ledger([opening, try Self.row(.buy, 31, Self.eur)])
        let faults = ledger.excessiveFees(in: Self.usd, prices: try Self.prices("09"))
        #expect(faults.map(\.index) == [1])
        #expect(
            faults.first?.description
                == "fee_amount is 31 EUR, worth 62 USD then, more than the 60 that was traded")
    }

    @Test("are taken where prices are old, of later, or of no side of the trade")
    func unknown() throws {
        let row = try Self.row(.sell, 99, Self.eur)
        for day in ["05", "11"] {
            #expect(row.feeExcess(in: Self.usd, prices: try Self.prices(day)) == nil)
        }
        let francs = try Self.row(.sell, 99, Self.eur, for: Asset(rawValue: "CHF"))
        #expect(francs.feeExcess(in: Self.usd, prices: try Self.prices("09")) == nil)
    }

    @Test("are not compared with a move: a network takes the same for a small amount")
    func moves() throws {
        let row = Transaction(
            time: try Self.time("10"), kind: .transfer, wallet: "A", toWallet: "B",
            subject: Holding(.one, Self.eur), fee: Holding(Amount(units: 5), Self.bnb))
        #expect(!row.hasThirdFee)
        #expect(row.feeExcess(in: Self.usd, prices: try Self.prices("09")) == nil)
    }
}
