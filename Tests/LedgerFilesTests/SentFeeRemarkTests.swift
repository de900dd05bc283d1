import ForeignLedgers
import Instruments
import LedgerFiles
import Portfolio
import Testing

/// Rows of files whose fee is more than what arrived.
@Suite("Remarks on fees of what was sent")
struct SentFeeRemarkTests {
    @Test("Koinly: of what was sent less arrived, and the rest is the fee; other rows come with it")
    func koinlyDust() throws {
        let text = """
            Date,Type,Label,Sending Wallet,Sent Amount,Sent Currency,Receiving Wallet,Received Amount,\
            Received Currency,Fee Amount,Fee Currency,Net Value (USD),TxHash,Description
            2022-01-08 10:00:00 UTC,buy,,Kraken,100,USD,Kraken,1,BTC,,,100,h1,
            2022-01-09 10:00:00 UTC,transfer,,Kraken,1,BTC,Ledger,0.18,BTC,,,,h2,

            """
        let imported = try LedgerFormat.koinly.read(Array(text.utf8))
        #expect(imported.transactions.map(\.kind) == [.buy, .transfer])
        #expect(imported.transactions[1].subject.amount.description == "0.18")
        #expect(imported.transactions[1].fee?.amount.description == "0.82")
        #expect(imported.skipped.isEmpty)
        #expect(
            imported.remarks.map(\.description) == [
                "line 3: fee_amount is 0.82 BTC, more than the 0.18 that arrived"
            ])
        #expect(
            try imported.ledger().balances().map { "\($0.wallet) \($0.holding.amount) \($0.holding.asset)" }
                == [
                    "Kraken -100 USD", "Ledger 0.18 BTC",
                ])
    }

    @Test("our own formats say it as well", arguments: [LedgerFormat.csv, .json])
    func own(format: LedgerFormat) throws {
        let text = """
            time,kind,wallet,to_wallet,asset,amount,fee_asset,fee_amount
            2023-01-01T00:00:00Z,opening,A,,BTC,1,,
            2023-01-02T00:00:00Z,withdrawal,A,,BTC,0.1,BTC,0.2
            2023-01-03T00:00:00Z,transfer,A,B,BTC,0.2,BTC,0.2

            """
        let rows = try LedgerFormat.csv.read(Array(text.utf8)).transactions
        let file = format == .csv ? LedgerCSV.write(rows) : LedgerJSON.write(rows)
        let imported = try format.read(file)
        #expect(imported.transactions == rows)
        #expect(
            imported.remarks.map(\.reason) == ["fee_amount is 0.2 BTC, more than the 0.1 that arrived"])
        #expect(imported.remarks.map(\.line) == [imported.lines[1]])
    }

    @Test("many are told line by line up to twenty, and then as a number")
    func many() throws {
        let rows = (1...25).map { number in
            "2023-01-01T00:00:00Z,withdrawal,A,BTC,\(number),BTC,\(number == 3 ? 1 : 99)"
        }
        let text = (["time,kind,wallet,asset,amount,fee_asset,fee_amount"] + rows).joined(separator: "\n")
        let remarks = try LedgerFormat.csv.read(Array(text.utf8)).remarks
        // Line 4 is as it should be.
        #expect(remarks.map(\.line) == [2, 3] + Array(5...23))
        #expect(remarks.first?.reason == "fee_amount is 99 BTC, more than the 1 that arrived")
        #expect(
            remarks.last?.reason == "the fee of 4 more rows, this one the first, is more than what arrived")
    }
}
