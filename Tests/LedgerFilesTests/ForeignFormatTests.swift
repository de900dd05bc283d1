import ForeignLedgers
import Instruments
import LedgerFiles
import Portfolio
import Support
import Testing

/// A few lines of each program's export, shaped by hand after the sources that the readers name.
@Suite("Ledger files of other programs")
struct ForeignFormatTests {
    private static func read(
        _ format: LedgerFormat, _ text: String, _ options: ImportOptions = ImportOptions()
    )
        throws -> (rows: [String], skipped: [String])
    {
        let result = try format.read(Array(text.utf8), options)
        let rows = result.transactions.map { row in
            let counter = row.counter.map { " for \($0.amount) \($0.asset)" } ?? ""
            let fee = row.fee.map { " fee \($0.amount) \($0.asset)" } ?? ""
            let target = row.toWallet.map { " to \($0)" } ?? ""
            return
                "\(row.time.plain) \(row.kind.rawValue) \(row.subject.amount) \(row.subject.asset)\(counter)\(fee)"
                + " at \(row.wallet)\(target)"
        }
        return (rows, result.skipped.map(\.description))
    }

    @Test("Coinbase")
    func coinbase() throws {
        let result = try Self.read(
            .coinbase,
            """
            Transactions
            User,somebody,1234
            "ID",Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
            a1,2024-01-01 10:00:00 UTC,Buy,BTC,0.5,USD,"$40,000.00","$20,000.00","$20,100.00",$100.00,Bought
            a2,2024-01-02T10:00:00Z,Convert,BTC,-0.1,USD,$40000,$4000,$4010,$10.00,"Converted 0.1 BTC to 1.75 ETH"
            a3,2024-01-03T10:00:00Z,Staking Income,ETH,0.01,USD,$2200,$22.00,$22.00,$0.00,
            a4,2024-01-04T10:00:00Z,Send,BTC,-0.2,USD,$40000,,,,
            a5,2024-01-05T10:00:00Z,Vault Withdrawal,BTC,0.2,USD,$40000,,,,
            a6,2024-01-06T10:00:00Z,Advanced Trade Buy,BTC,0.1,USD,$40000.00,$4000.00,$4016.00,$16.00,"Bought 0.1 BTC for 4016 USDC on BTC-USDC at 40000 USDC/BTC"
            a7,2024-01-07T10:00:00Z,Interest payout,USDC,1,USD,$1.00,$1.00,$1.00,$0.00,
            a8,2024-01-08T10:00:00Z,Pro Withdrawal,ETH,1,USD,$2000.00,,,,

            """)
        #expect(
            result.rows == [
                "2024-01-01T10:00:00Z buy 0.5 BTC for 20000 USD fee 100 USD at Coinbase",
                "2024-01-02T10:00:00Z swap 0.1 BTC for 1.75 ETH at Coinbase",
                "2024-01-03T10:00:00Z staking 0.01 ETH for 22 USD at Coinbase",
                "2024-01-04T10:00:00Z withdrawal 0.2 BTC at Coinbase",
                "2024-01-06T10:00:00Z buy 0.1 BTC for 4016 USDC at Coinbase",
                "2024-01-07T10:00:00Z interest 1 USDC for 1 USD at Coinbase",
                "2024-01-08T10:00:00Z deposit 1 ETH at Coinbase",
            ])
        #expect(result.skipped == ["line 8: type \"Vault Withdrawal\" is not taken"])
    }

    @Test("Binance")
    func binance() throws {
        let result = try Self.read(
            .binance,
            """
            User_ID,UTC_Time,Account,Operation,Coin,Change,Remark
            1,2023-05-01 09:00:00,Spot,Deposit,EUR,1000,
            1,2023-05-01 10:00:00,Spot,Transaction Buy,BTC,0.01,
            1,2023-05-01 10:00:00,Spot,Transaction Buy,BTC,0.02,
            1,2023-05-01 10:00:00,Spot,Transaction Spend,EUR,-780,
            1,2023-05-01 10:00:00,Spot,Transaction Fee,BTC,-0.00003,
            1,2023-05-02 10:00:00,Spot,Simple Earn Flexible Subscription,BTC,-0.01,
            1,2023-05-03 10:00:00,Earn,Simple Earn Flexible Interest,BTC,0.0001,

            """)
        #expect(
            result.rows == [
                "2023-05-01T09:00:00Z deposit 1000 EUR at Binance",
                "2023-05-01T10:00:00Z buy 0.03 BTC for 780 EUR fee 0.00003 BTC at Binance",
                "2023-05-03T10:00:00Z lending 0.0001 BTC at Binance",
            ])
        #expect(result.skipped == ["line 7: operation \"Simple Earn Flexible Subscription\" is not taken"])
    }

    @Test("Kraken")
    func kraken() throws {
        let result = try Self.read(
            .kraken,
            """
            "txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"
            "","Q1","2022-01-01 00:00:00","deposit","","currency","ZEUR","500.0000","0.0000",""
            "L1","Q1","2022-01-01 00:00:01","deposit","","currency","ZEUR","500.0000","0.0000","500"
            "L2","T1","2022-01-02 00:00:00","trade","","currency","ZEUR","-400.0000","0.6400","99.36"
            "L3","T1","2022-01-02 00:00:00","trade","","currency","XXBT","0.0100000000","0.0000000000","0.01"
            "L4","S1","2022-01-03 00:00:00","staking","","currency","DOT.S","0.5","0","0.5"
            "L5","W1","2022-01-04 00:00:00","withdrawal","","currency","XXBT","-0.0050000000","0.0001500000","0.00485"
            "L6","X1","2022-01-05 00:00:00","transfer","spottostaking","currency","DOT","-0.5","0","0"

            """)
        #expect(
            result.rows == [
                "2022-01-01T00:00:01Z deposit 500 EUR at Kraken",
                "2022-01-02T00:00:00Z buy 0.01 BTC for 400 EUR fee 0.64 EUR at Kraken",
                "2022-01-03T00:00:00Z staking 0.5 DOT at Kraken",
                "2022-01-04T00:00:00Z withdrawal 0.005 BTC fee 0.00015 BTC at Kraken",
            ])
        #expect(result.skipped.map { String($0.prefix(6)) } == ["line 2", "line 8"])
    }

    @Test("Kraken: bonded coins are the coin, moves inside are none, failed ones come back")
    func krakenMoves() throws {
        let result = try Self.read(
            .kraken,
            """
            "txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"
            "L1","S1","2022-01-03 00:00:00","staking","","currency","DOT28.S","0.5","0","0.5"
            "L2","S2","2022-01-03 01:00:00","staking","","currency","SOL03.S","0.25","0","0.25"
            "L3","S3","2022-01-03 02:00:00","staking","","currency","ETH2.S","0.1","0","0.1"
            "L4","F1","2022-01-04 00:00:00","transfer","","currency","FLR","15","0","15"
            "L5","F2","2022-01-05 00:00:00","transfer","","currency","LUNA","-3","0","0"
            "L6","F3","2022-01-06 00:00:00","transfer","spottofutures","currency","XXBT","-0.1","0","0"
            "L7","F4","2022-01-07 00:00:00","transfer","stakingfromspot","currency","DOT.S","5","0","5"
            "L8","F5","2022-01-08 00:00:00","transfer","","currency","MATIC","-5","0","0"
            "L9","F5","2022-01-08 00:00:00","transfer","","currency","POL","5","0","5"
            "M1","W1","2022-01-09 00:00:00","withdrawal","","currency","XXBT","-0.1","0.01","0"
            "M2","W1","2022-01-09 01:00:00","withdrawal","","currency","XXBT","0.1","-0.01","0.11"
            "M3","D1","2022-01-10 00:00:00","deposit","","currency","ZEUR","-20","0","0"
            "M4","T1","2022-01-11 00:00:00","rollover","","currency","ZUSD","0","0.5","0"

            """)
        #expect(
            result.rows == [
                "2022-01-03T00:00:00Z staking 0.5 DOT at Kraken",
                "2022-01-03T01:00:00Z staking 0.25 SOL at Kraken",
                "2022-01-03T02:00:00Z staking 0.1 ETH at Kraken",
                "2022-01-04T00:00:00Z airdrop 15 FLR at Kraken",
                "2022-01-05T00:00:00Z withdrawal 3 LUNA at Kraken",
                "2022-01-06T00:00:00Z withdrawal 0.1 BTC at Kraken",
                "2022-01-09T00:00:00Z withdrawal 0.1 BTC fee 0.01 BTC at Kraken",
                "2022-01-09T01:00:00Z deposit 0.11 BTC at Kraken",
                "2022-01-10T00:00:00Z withdrawal 20 EUR at Kraken",
                "2022-01-11T00:00:00Z fee 0.5 USD at Kraken",
            ])
        #expect(result.skipped.map { String($0.prefix(6)) } == ["line 8", "line 9", "line 1"])
        #expect(result.skipped[0] == "line 8: moves inside Kraken")
    }

    @Test("Kraken's trades, whose pairs have no line between their sides")
    func krakenTrades() throws {
        let result = try Self.read(
            .kraken,
            """
            "txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"
            "T1","O1","XXBTZUSD","2022-01-01 00:00:00.1234","buy","limit","40000","4000","6.4","0.1","0","","L1,L2"
            "T2","O2","XTZEUR","2022-01-02 00:00:00","sell","market","4","8","0.02","2","0.00000","","L3,L4"
            "T3","O3","XETHXXBT","2022-01-03 00:00:00","buy","market","0.07","0.07","0.0001","1","0","","L5"
            "T4","O4","SOL/USDT","2022-01-04 00:00:00","buy","market","100","200","0.4","2","0","","L6"
            "T5","O5","XXBTZEUR","2022-01-05 00:00:00","sell","market","4","8","0.02","2","3.5","","L7"

            """)
        #expect(
            result.rows == [
                "2022-01-01T00:00:00.123400Z buy 0.1 BTC for 4000 USD fee 6.4 USD at Kraken",
                "2022-01-02T00:00:00Z sell 2 XTZ for 8 EUR fee 0.02 EUR at Kraken",
                "2022-01-03T00:00:00Z swap 0.07 BTC for 1 ETH fee 0.0001 BTC at Kraken",
                "2022-01-04T00:00:00Z swap 200 USDT for 2 SOL fee 0.4 USDT at Kraken",
            ])
        #expect(result.skipped == ["line 6: a trade on margin: its profit is in the ledgers"])
    }

    @Test("BitMEX counts in satoshis")
    func bitmex() throws {
        let result = try Self.read(
            .bitmex,
            """
            transactTime,transactType,amount,fee,address,transactStatus,walletBalance
            2021-07-01T12:00:00.000Z,Deposit,100000000,0,3BMEX,Completed,100000000
            2021-07-02T12:00:00.000Z,RealisedPNL,-2500,0,XBTUSD,Completed,99997500
            2021-07-03T12:00:00.000Z,RealisedPNL,5000,0,XBTUSD,Completed,100002500
            2021-07-04T12:00:00.000Z,Withdrawal,-1000000,20000,bc1,Completed,98982500
            2021-07-05T12:00:00.000Z,Withdrawal,-1000000,20000,bc1,Canceled,98982500

            """)
        #expect(
            result.rows == [
                "2021-07-01T12:00:00Z deposit 1 BTC at BitMEX",
                "2021-07-02T12:00:00Z loss 0.000025 BTC at BitMEX",
                "2021-07-03T12:00:00Z income 0.00005 BTC at BitMEX",
                "2021-07-04T12:00:00Z withdrawal 0.01 BTC fee 0.0002 BTC at BitMEX",
            ])
        #expect(result.skipped.count == 1)
    }

    @Test("Bitstamp in both forms")
    func bitstamp() throws {
        let older = try Self.read(
            .bitstamp,
            """
            Type,Datetime,Account,Amount,Value,Rate,Fee,Sub Type
            Deposit,"Jan. 04, 2021, 12:05 AM",Main Account,1000.00 USD,,,,
            Market,"Jan. 05, 2021, 03:04 PM",Main Account,0.01000000 BTC,310.00 USD,31000.00 USD,1.55 USD,Buy

            """)
        #expect(
            older.rows == [
                "2021-01-04T00:05:00Z deposit 1000 USD at Bitstamp",
                "2021-01-05T15:04:00Z buy 0.01 BTC for 310 USD fee 1.55 USD at Bitstamp",
            ])
        let newer = try Self.read(
            .bitstamp,
            """
            "ID",Account,Type,Subtype,Datetime,Amount,Amount currency,Value,Value currency,Rate,Rate currency,Fee,Fee currency,Order ID
            9,Main,Market,Sell,2024-02-01T08:00:00Z,0.5,ETH,1150,USD,2300,USD,4.6,USD,77
            10,Main,Sub account transfer,,2024-02-02T08:00:00Z,0.5,ETH,,,,,,,

            """)
        #expect(newer.rows == ["2024-02-01T08:00:00Z sell 0.5 ETH for 1150 USD fee 4.6 USD at Bitstamp"])
        #expect(newer.skipped == ["line 3: type \"Sub account transfer\" is not taken"])
    }

    @Test("CoinTracking needs a zone")
    func coinTracking() throws {
        let text = """
            Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Exchange,Group,Comment,Date
            Trade,0.1,BTC,3000,EUR,3,EUR,Kraken,,,31.12.2020 23:30:00
            Staking,0.5,DOT,,,,,Kraken,,,01.01.2021 10:00
            Margin Trade,1,EUR,,,,,Kraken,,,01.01.2021 10:00

            """
        let fault = #expect(throws: FileFault.self) { try Self.read(.cointracking, text) }
        #expect(fault?.description.contains("line 2, column 11 (Date)") == true)
        var options = ImportOptions()
        options.zone = ImportOptions.zone("+01:00")
        let result = try Self.read(.cointracking, text, options)
        #expect(
            result.rows == [
                "2020-12-31T22:30:00Z buy 0.1 BTC for 3000 EUR at Kraken",
                "2021-01-01T09:00:00Z staking 0.5 DOT at Kraken",
            ])
        #expect(result.skipped == ["line 4: type \"Margin Trade\" is not taken"])
    }

    @Test("Koinly, its transactions and its template")
    func koinly() throws {
        let result = try Self.read(
            .koinly,
            """
            "Date",Type,Label,Sending Wallet,Sent Amount,Sent Currency,Sent Cost Basis,Receiving Wallet,Received Amount,Received Currency,Received Cost Basis,Fee Amount,Fee Currency,Gain (USD),Net Value (USD),Fee Value (USD),TxSrc,TxDest,TxHash,Description
            2023-01-01 10:00:00 UTC,buy,,Kraken,100,USD,,Kraken,0.005,BTC,,1,USD,,100,1,,,,
            2023-01-02 10:00:00 UTC,transfer,,Kraken,0.004,BTC,,Ledger,0.0039,BTC,,,,,80,,,,h1,
            2023-01-03 10:00:00 UTC,crypto_deposit,reward,,,,,Ledger,2,DOT,,,,,10,,,,h1,
            2023-01-04 10:00:00 UTC,crypto_withdrawal,loan,Ledger,1,DOT,,,,,,,,,5,,,,,

            """)
        #expect(
            result.rows == [
                "2023-01-01T10:00:00Z buy 0.005 BTC for 100 USD fee 1 USD at Kraken",
                "2023-01-02T10:00:00Z transfer 0.0039 BTC fee 0.0001 BTC at Kraken to Ledger",
                "2023-01-03T10:00:00Z income 2 DOT for 10 USD at Ledger",
            ])
        #expect(result.skipped == ["line 5: type \"crypto_withdrawal\", label \"loan\" is not taken"])
        let template = try Self.read(
            .koinly,
            """
            "Date",Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash
            2023-02-01 10:00 UTC,1,ETH,0.07,BTC,,,1600,USD,,,

            """)
        #expect(template.rows == ["2023-02-01T10:00:00Z swap 1 ETH for 0.07 BTC at Koinly"])
    }

    @Test("any table by a mapping of its columns and words")
    func mapped() throws {
        var options = ImportOptions()
        options.wallet = "Bank"
        options.zone = 3_600
        options.columns = [
            "When": "time", "What": "kind", "Coin": "asset", "Qty": "amount", "For": "counter_amount",
            "In": "counter_asset",
        ]
        options.kinds = ["BOUGHT": "buy", "NOTE": "skip"]
        let result = try Self.read(
            .mapped,
            "When,What,Coin,Qty,For,In\n2020-01-01 01:00,BOUGHT,BTC,1,100,USD\n2020-01-01 01:00,NOTE,,,,\n",
            options)
        #expect(result.rows == ["2020-01-01T00:00:00Z buy 1 BTC for 100 USD at Bank"])
        #expect(result.skipped.count == 1)
    }

    @Test("a file of another program is refused by the columns that it lacks")
    func wrongFile() {
        let fault = #expect(throws: FileFault.self) { try Self.read(.kraken, "a,b,c\n1,2,3\n") }
        #expect(fault?.description.contains("no header of Kraken") == true)
    }

    @Test("Koinly's rows of one hash have the same id in every file that they are in")
    func repeatedHashes() throws {
        let header = "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Label,TxHash\n"
        let rows = [
            "2023-01-01 10:00 UTC,,,1,DOT,,h\n", "2023-01-01 10:00 UTC,,,2,DOT,,h\n",
            "2023-01-01 10:00 UTC,,,2,DOT,,h\n",
        ]
        func ids(_ rows: [String]) throws -> [String] {
            try LedgerFormat.koinly.read(Array((header + rows.joined()).utf8)).transactions.map(\.externalID)
        }
        let all = try ids(rows)
        #expect(all == ["h deposit 1 DOT", "h deposit 2 DOT", "h deposit 2 DOT#2"])
        #expect(try ids([rows[1], rows[2]]) == Array(all[1...]))
    }

    @Test("a fault of the ledger names the column of the file")
    func columns() throws {
        let text = """
            asset,wallet,kind,time,amount,external_id
            BTC,A,deposit,2023-01-01T00:00:00Z,1,a
            BTC,A,withdrawal,2023-01-02T00:00:00Z,2,b

            """
        let own = try LedgerFormat.csv.read(Array(text.utf8))
        let fault = #expect(throws: FileFault.self) { try own.ledger() }
        #expect(fault?.place == "line 3, column 5 (amount)")
        let kraken = """
            "txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"
            "L1","W1","2022-01-04 00:00:00","withdrawal","","currency","XXBT","-0.5","0","0"

            """
        let foreign = try LedgerFormat.kraken.read(Array(kraken.utf8))
        let other = #expect(throws: FileFault.self) { try foreign.ledger() }
        #expect(other?.place == "line 2 (amount)")
    }
}
