import ForeignLedgers
import Instruments
import LedgerFiles
import Portfolio
import Support
import Testing

@Suite("Our own ledger files")
struct LedgerCSVTests {
    private static let header = LedgerCSV.header.joined(separator: ",")

    private static func fault(_ lines: String...) -> String {
        let text = ([header] + lines).joined(separator: "\n") + "\n"
        do throws(FileFault) {
            _ = try LedgerCSV.read(Array(text.utf8)).ledger()
            return "none"
        } catch {
            return error.description
        }
    }

    @Test(
        "each slip is one error with line and column",
        arguments: [
            (
                "2020-01-01T00:00:00Z,buy,A,,BTC,\"1,5\",USD,1,,,,",
                "line 2, column 6 (amount): \"1,5\" has a comma"
            ),
            (
                "2020-01-01T00:00:00,buy,A,,BTC,1,USD,1,,,,",
                "line 2, column 1 (time): \"2020-01-01T00:00:00\" says no zone"
            ),
            ("2020-01-01,buy,A,,BTC,1,USD,1,,,,", "line 2, column 1 (time): \"2020-01-01\" is not a time"),
            ("2020-02-30T00:00:00Z,buy,A,,BTC,1,USD,1,,,,", "line 2, column 1 (time)"),
            ("2020-01-01T00:00:00Z,buy,A,,BTC,-1,USD,1,,,,", "line 2, column 6 (amount): -1 is negative"),
            ("2020-01-01T00:00:00Z,buy,A,,BTC,0,USD,1,,,,", "line 2, column 6 (amount): is 0"),
            (
                "2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,1,BTC,2,,",
                "line 2, column 10 (fee_amount): fee_amount is 2 BTC"
            ),
            (
                "2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,1,USD,2,,",
                "line 2, column 10 (fee_amount): fee_amount is 2 USD"
            ),
            (
                "2020-01-01T00:00:00Z,bye,A,,BTC,1,USD,1,,,,",
                "line 2, column 2 (kind): \"bye\" is none of buy, sell"
            ),
            ("2020-01-01T00:00:00Z,buy,,,BTC,1,USD,1,,,,", "line 2, column 3 (wallet): is missing"),
            ("2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,,,,,", "line 2, column 8 (counter_amount): is missing"),
            ("2020-01-01T00:00:00Z,buy,A,,BTC,1,,5,,,,", "line 2, column 7 (counter_asset): is missing"),
            (
                "2020-01-01T00:00:00Z,buy,A,B,BTC,1,USD,5,,,,",
                "line 2, column 4 (to_wallet): to_wallet must be empty"
            ),
            (
                "2020-01-01T00:00:00Z,transfer,A,A,BTC,1,,,,,,",
                "line 2, column 4 (to_wallet): to_wallet is the wallet"
            ),
            (
                "2020-01-01T00:00:00Z,sell,A,,BTC,1,USD,5,,,,",
                "wallet \"A\" is short of 1 BTC at 2020-01-01T00:00:00Z"
            ),
            (
                "2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,5,,,,\"open",
                "line 2, column 12: the quote is never closed"
            ),
            (
                "2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,5,,,,,,",
                "line 2, column 13: 14 fields where the header has 12"
            ),
            (
                "2020-01-01T00:00:00Z,buy,A,,BT C,1,USD,5,,,,",
                "line 2, column 5 (asset): \"BT C\" is no asset"
            ),
            (
                "2020-01-01T00:00:00Z,buy,A,,BTC,1e999,USD,5,,,,",
                "line 2, column 6 (amount): more than 120 digits"
            ),
        ])
    func slips(line: String, words: String) {
        #expect(Self.fault(line).contains(words), "\(Self.fault(line))")
    }

    @Test("a repeated id with other content names both lines")
    func repeatedID() {
        let fault = Self.fault(
            "2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,5,,,x,", "2020-01-01T00:00:00Z,buy,A,,BTC,2,USD,5,,,x,")
        #expect(
            fault == "line 3, column 11 (external_id): \"x\" stands on line 2 as well, with other content")
    }

    @Test("an asset in another spelling is answered with the nearest")
    func nearest() {
        let fault = Self.fault(
            "2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,5,,,,", "2020-01-02T00:00:00Z,sell,A,,btc,1,USD,5,,,,")
        #expect(fault == "line 3, column 5 (asset): unknown asset \"btc\"; nearest: BTC")
    }

    @Test("an asset that leaves and that nothing brought is unknown, and the nearest are named")
    func unknownAsset() {
        let first = "2020-01-01T00:00:00Z,buy,A,,BTC,1,USD,5,,,,"
        #expect(
            Self.fault(first, "2020-01-02T00:00:00Z,sell,A,,BTX,1,USD,5,,,,")
                == "line 3, column 5 (asset): unknown asset \"BTX\", which nothing brought; nearest: BTC")
        #expect(
            Self.fault(first, "2020-01-02T00:00:00Z,sell,A,,BTC,1,USD,5,BTCC,1,,")
                .hasPrefix("line 3, column 9 (fee_asset): unknown asset \"BTCC\""))
        // Nothing like it is there, or it came to another wallet: then it is a shortfall.
        for (row, words) in [("sell,A,,SOLANA", "short of 1 SOLANA"), ("sell,B,,BTC", "short of 1 BTC")] {
            #expect(Self.fault(first, "2020-01-02T00:00:00Z,\(row),1,USD,5,,,,").contains(words))
        }
    }

    @Test("a file in another encoding is refused where it is not UTF-8")
    func encoding() {
        let latin = Array(Self.header.utf8) + Array("\n2020-01-01T00:00:00Z,buy,K".utf8) + [0xF6, 0x0A]
        let fault = #expect(throws: FileFault.self) { try LedgerCSV.read(latin) }
        #expect(fault?.description == "line 2, column 27: byte 0xF6 is not UTF-8; save the file as UTF-8")
        let wide = #expect(throws: FileFault.self) { try LedgerCSV.read([0xFF, 0xFE, 0x74, 0x00]) }
        #expect(wide?.description.contains("UTF-16") == true)
    }

    @Test("a file that is too large is refused before it is read")
    func size() throws {
        let fault = #expect(throws: FileFault.self) { try FileBytes.read("/dev/zero", limit: 1 << 20) }
        #expect(fault?.reason.contains("at most 1048576 are read") == true)
    }

    @Test(
        "times say their zone in many ways",
        arguments: [
            ("2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00Z"),
            ("2020-01-01 00:00:00 UTC", "2020-01-01T00:00:00Z"),
            ("2019-12-31T16:00-0800", "2020-01-01T00:00:00Z"),
            ("2020-01-01T00:00:00.123456Z", "2020-01-01T00:00:00.123456Z"),
        ])
    func zones(text: String, time: String) throws {
        let file = "\(Self.header)\n\(text),deposit,A,,USD,1,,,,,,\n"
        #expect(try LedgerCSV.read(Array(file.utf8)).transactions.map(\.time.plain) == [time])
    }

    @Test("what is written is read back the same, as a table and as JSON")
    func roundTrip() throws {
        property { rng in
            let rows = (0..<rng.int(0...20)).map { _ in rng.transaction() }
            try #require(try LedgerCSV.read(LedgerCSV.write(rows)).transactions == rows)
            try #require(try LedgerJSON.read(LedgerJSON.write(rows)).transactions == rows)
        }
    }

    @Test("no bytes stop a reader")
    func damage() {
        property(cases: 400) { rng in
            let rows = (0..<rng.int(1...4)).map { _ in rng.transaction() }
            var bytes = rng.chance(50) ? LedgerCSV.write(rows) : LedgerJSON.write(rows)
            for _ in 0..<rng.int(1...4) {
                bytes[rng.int(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: rng.next())
            }
            for format in LedgerFormat.allCases {
                do throws(FileFault) {
                    _ = try format.read(bytes).ledger()
                } catch {
                    try #require(!error.reason.isEmpty)
                }
            }
        }
    }

    @Test("JSON says line and column of the member that is wrong")
    func json() {
        let text = """
            {"transactions": [
              {"time": "2020-01-01T00:00:00Z", "kind": "buy", "wallet": "A", "asset": "BTC",
               "amount": "1,5"}
            ]}
            """
        let fault = #expect(throws: FileFault.self) { try LedgerJSON.read(Array(text.utf8)) }
        #expect(
            fault?.description.hasPrefix("line 3, column 14 (amount)") == true, "\(String(describing: fault))"
        )
    }
}

extension SeededGenerator {
    fileprivate mutating func positive() -> Amount {
        Amount(units: Int64(int(1...Int.max)), places: int(0...18))
    }

    /// Text without what CSV of the reader trims or splits by.
    fileprivate mutating func name() -> String {
        "n"
            + String(
                text(0...8).unicodeScalars.map { $0 == " " || $0 == "\0" || $0 == "=" ? "-" : Character($0) })
    }

    fileprivate mutating func transaction() -> Transaction {
        let kind = pick(TransactionKind.allCases)
        let assets = ["BTC", "ETH", "USD", "EUR", "SHIB"].map { Asset(rawValue: $0) }
        var row = Transaction(
            time: Timestamp(nanoseconds: Int64(int(0...4_000_000_000_000_000_000))), kind: kind,
            wallet: name(),
            subject: Holding(positive(), pick(assets)), externalID: chance(50) ? name() : "",
            note: text(0...12).filter { $0 != "\0" } + pick(["", "\"", "a \"b\", c\nd", "\r\n,", " x "]))
        if kind == .transfer { row.toWallet = name() }
        if kind.isExchange || chance(30) { row.counter = Holding(positive(), pick(assets)) }
        if chance(30) { row.fee = Holding(positive(), pick(assets)) }
        if chance(20) { row.tags = [name(), name()].map { $0.filter { $0 != ";" } } }
        if chance(20) { row.priceSource = name() }
        if chance(10) { row.lots = [LotChoice(acquiredBy: name(), amount: positive())] }
        return row
    }
}
