import ForeignLedgers
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
            ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,\
            Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
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
            try Self.rows(
                .mapped, "Coin,Token\nBTC,ETH\n", Self.mapping(["Coin": "asset", "Token": "asset"]))
        }
        #expect(fault?.description == "\"asset\" is mapped to both \"Coin\" and \"Token\"; name one")
    }

    /// Rows of today's export: of each column only those that differ.
    private static func koinly(_ rows: [[String: String]]) throws -> ImportedLedger {
        let header = [
            "ID (read-only)", "Parent ID (read-only)", "Date (UTC)", "Type", "Tag", "From Wallet (read-only)",
            "From Wallet ID", "From Amount", "From Currency", "To Wallet (read-only)", "To Wallet ID",
            "To Amount", "To Currency", "Fee Amount", "Fee Currency", "Net Worth Amount",
            "Net Worth Currency", "Fee Worth Amount", "Fee Worth Currency", "Net Value (read-only)",
            "Fee Value (read-only)", "Value Currency (read-only)", "Deleted", "TxHash", "Description",
        ]
        let lines = rows.map { row in header.map { row[$0] ?? "" }.joined(separator: ",") }
        let text = ([header.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
        return try LedgerFormat.koinly.read(Array(text.utf8))
    }

    private static func described(_ ledger: ImportedLedger) -> [String] {
        ledger.transactions.map { row in
            let counter = row.counter.map { " for \($0.amount) \($0.asset)" } ?? ""
            let fee = row.fee.map { " fee \($0.amount) \($0.asset)" } ?? ""
            let target = row.toWallet.map { " to \($0)" } ?? ""
            return "\(row.externalID) \(row.kind.rawValue) \(row.subject.amount) \(row.subject.asset)"
                + "\(counter)\(fee) at \(row.wallet)\(target)"
        }
    }

    @Test("Koinly's export of today, with its numbers behind codes and wallets")
    func koinlyToday() throws {
        let ledger = try Self.koinly([
            [
                "ID (read-only)": "A1", "Date (UTC)": "2024-01-01 10:00:00", "Type": "deposit",
                "From Amount": "0.0", "To Wallet (read-only)": "Kraken;kraken", "To Amount": "1000.0",
                "To Currency": "USD;6", "Fee Amount": "0.0", "Net Value (read-only)": "1000.0",
                "Value Currency (read-only)": "USD;6", "Deleted": "false",
            ],
            [
                "ID (read-only)": "A2", "Date (UTC)": "2024-01-02 10:00:00", "Type": "trade",
                "From Wallet (read-only)": "Kraken;kraken", "From Amount": "400", "From Currency": "USD;6",
                "To Wallet (read-only)": "Kraken;kraken", "To Amount": "0.01", "To Currency": "BTC;1",
                "Fee Amount": "1", "Fee Currency": "USD;6", "Net Worth Amount": "400",
                "Net Worth Currency": "USD;6", "Deleted": "false",
            ],
            [
                "ID (read-only)": "A3", "Date (UTC)": "2024-01-03 10:00:00", "Type": "transfer",
                "From Wallet (read-only)": "Kraken;kraken", "From Amount": "0.005",
                "From Currency": "BTC;1", "To Wallet (read-only)": "Ledger;btc", "To Amount": "0.0049",
                "To Currency": "BTC;1", "Fee Amount": "0.0", "TxHash": "h",
            ],
            [
                "ID (read-only)": "A4", "Date (UTC)": "2024-01-04 10:00:00", "Type": "deposit",
                "Tag": "Lending_interest", "To Wallet (read-only)": "Ledger;btc", "To Amount": "0.001",
                "To Currency": "BTC;1", "Net Worth Amount": "0.0", "Net Worth Currency": "USD;6",
                "Net Value (read-only)": "42.5", "Value Currency (read-only)": "EUR;11",
            ],
            [
                "ID (read-only)": "A5", "Date (UTC)": "2024-01-05 10:00:00", "Type": "withdrawal",
                "Tag": "lost", "From Wallet (read-only)": "Ledger;btc", "From Amount": "0.001",
                "From Currency": "BTC;1", "To Amount": "0.0", "Net Value (read-only)": "0.0",
                "Value Currency (read-only)": "EUR;11",
            ],
            [
                "ID (read-only)": "A6", "Date (UTC)": "2024-01-06 10:00:00", "Type": "deposit",
                "To Wallet (read-only)": "Ledger;btc", "To Amount": "7", "To Currency": "BTC;1",
                "Deleted": "true",
            ],
        ])
        #expect(
            Self.described(ledger) == [
                "A1 deposit 1000 USD for 1000 USD at Kraken",
                "A2 buy 0.01 BTC for 400 USD fee 1 USD at Kraken",
                "A3 transfer 0.0049 BTC fee 0.0001 BTC at Kraken to Ledger",
                "A4 lending 0.001 BTC for 42.5 EUR at Ledger",
                "A5 loss 0.001 BTC at Ledger",
            ])
        #expect(ledger.skipped.map(\.description) == ["line 7: deleted in Koinly"])
    }

    @Test("Koinly: another coin of the same code is not summed with it")
    func koinlyCodes() throws {
        let rows = ["ETH;15114338", "ETH;2", "ETH;2"].enumerated().map { index, code in
            [
                "ID (read-only)": "B\(index)", "Date (UTC)": "2024-01-01 10:00:00", "Type": "deposit",
                "To Wallet (read-only)": "W", "To Amount": "\(index + 1)", "To Currency": code,
            ]
        }
        #expect(
            Self.described(try Self.koinly(rows)) == [
                "B0 deposit 1 ETH:15114338 at W", "B1 deposit 2 ETH at W", "B2 deposit 3 ETH at W",
            ])
    }

    @Test("Koinly: what a swap was worth stands in its note, and that it does is said")
    func koinlySwaps() throws {
        let text = """
            Date,Type,Label,Sending Wallet,Sent Amount,Sent Currency,Receiving Wallet,Received Amount,\
            Received Currency,Fee Amount,Fee Currency,Net Value (USD),TxHash,Description
            2022-01-08 10:00:00 UTC,buy,,Kraken,100,USD,Kraken,1,BTC,,,100,h1,
            2022-01-09 10:00:00 UTC,exchange,,Kraken,0.1,BTC,Kraken,2,ETH,0.01,ETH,440,h2,by hand
            2022-01-10 10:00:00 UTC,exchange,,Kraken,0.1,BTC,Kraken,2,ETH,,,450,h3,
            2022-01-11 10:00:00 UTC,exchange,,Kraken,0.1,BTC,Kraken,2,ETH,,,,h4,

            """
        let ledger = try LedgerFormat.koinly.read(Array(text.utf8))
        #expect(
            ledger.transactions.map(\.note) == [
                "", "by hand; net value 440 USD", "net value 450 USD", "",
            ])
        let remark = try #require(ledger.remarks.first?.description)
        #expect(ledger.remarks.count == 1)
        #expect(remark.hasPrefix("line 3: the net value of 2 swaps, this one the first, stands in"))
        #expect(ledger.skipped.isEmpty)
    }
}
