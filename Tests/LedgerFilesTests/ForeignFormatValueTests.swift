import Instruments
import LedgerFiles
import Portfolio
import Testing

/// Which money, and which value, the rows of other programs' files name.
@Suite("Money and values in files of other programs")
struct ForeignFormatValueTests {
    private static func rows(
        _ format: LedgerFormat, _ text: String, _ options: ImportOptions = ImportOptions()
    ) throws -> [String] {
        try format.read(Array(text.utf8), options).transactions.map { row in
            let counter = row.counter.map { " for \($0.amount) \($0.asset)" } ?? ""
            let fee = row.fee.map { " fee \($0.amount) \($0.asset)" } ?? ""
            let target = row.toWallet.map { " to \($0)" } ?? ""
            return "\(row.kind.rawValue) \(row.subject.amount) \(row.subject.asset)\(counter)\(fee)"
                + " at \(row.wallet)\(target)"
        }
    }

    private static func coinbase(_ type: String, _ notes: String) throws -> [String] {
        try rows(
            .coinbase,
            """
            ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
            9,2024-01-09 00:00:00 UTC,\(type),BTC,0.01,USD,$43000.00,$430.00,$436.00,$6.00,"\(notes)"

            """)
    }

    @Test("Coinbase: what the notes say was paid, with its sign or without")
    func coinbasePaid() throws {
        #expect(
            try Self.coinbase("Buy", "Bought 0.01 BTC for €400.00 EUR") == [
                "buy 0.01 BTC for 400 EUR at Coinbase"
            ])
        #expect(
            try Self.coinbase("Sell", "Sold 0.01 BTC for £1,340.50 GBP on BTC-GBP") == [
                "sell 0.01 BTC for 1340.5 GBP at Coinbase"
            ])
        #expect(
            try Self.coinbase("Buy", "Bought 0.01 BTC for €400.00") == [
                "buy 0.01 BTC for 400 EUR at Coinbase"
            ])
        #expect(
            try Self.coinbase("Buy", "Bought 0.01 BTC for $436.00 USD") == [
                "buy 0.01 BTC for 430 USD fee 6 USD at Coinbase"
            ])
    }

    @Test("Coinbase: an amount with a decimal comma is refused, not taken a hundred times")
    func coinbaseComma() {
        let fault = #expect(throws: FileFault.self) {
            try Self.coinbase("Buy", "Bought 0.01 BTC for €400,00 EUR")
        }
        #expect(fault?.description == "line 2, column 11 (Notes): \"€400,00\" is not an amount of money")
    }

    private static func mapping(_ columns: [String: String]) -> ImportOptions {
        var options = ImportOptions()
        options.wallet = "Bank"
        options.zone = 0
        options.columns = columns
        options.kinds = ["BOUGHT": "buy"]
        return options
    }

    @Test("one column of a mapped table may serve two fields")
    func mappedTwice() throws {
        let options = Self.mapping([
            "When": "time", "What": "kind", "Coin": "asset", "Qty": "amount", "Paid": "counter_amount",
            "PaidCur": "counter_asset,fee_asset", "Fee": "fee_amount",
        ])
        let rows = try Self.rows(
            .mapped, "When,What,Coin,Qty,Paid,PaidCur,Fee\n2023-01-02 10:00,BOUGHT,BTC,1,100,USD,1\n",
            options)
        #expect(rows == ["buy 1 BTC for 100 USD fee 1 USD at Bank"])
    }

    @Test("a field that two columns of a mapped table are to fill is refused by name")
    func mappedBoth() {
        let fault = #expect(throws: FileFault.self) {
            try Self.rows(.mapped, "Coin,Token\nBTC,ETH\n", Self.mapping(["Coin": "asset", "Token": "asset"]))
        }
        #expect(fault?.description == "\"asset\" is mapped to both \"Coin\" and \"Token\"; name one")
    }
}
