import ForeignLedgers
import Instruments
import LedgerFiles
import Portfolio
import Testing

/// Rows of Binance's history whose sign or whose second says what they are.
@Suite("Binance's history")
struct ForeignFormatBinanceTests {
    private static func read(_ lines: String) throws -> (rows: [String], skipped: [String]) {
        let header = "User_ID,UTC_Time,Account,Operation,Coin,Change,Remark\n"
        let result = try LedgerFormat.binance.read(Array((header + lines).utf8))
        let rows = result.transactions.map { row in
            let counter = row.counter.map { " for \($0.amount) \($0.asset)" } ?? ""
            let fee = row.fee.map { " fee \($0.amount) \($0.asset)" } ?? ""
            return "\(row.kind.rawValue) \(row.subject.amount) \(row.subject.asset)\(counter)\(fee)"
        }
        return (rows, result.skipped.map(\.description))
    }

    @Test("the sign says whether it came or went")
    func signs() throws {
        let result = try Self.read(
            """
            1,2021-01-02 00:00:00,Spot,Deposit,LEND,1000,
            1,2021-01-03 00:00:00,Spot,Distribution,LEND,-1000,Lend to AAVE
            1,2021-01-03 00:00:00,Spot,Distribution,AAVE,10,
            1,2021-01-04 00:00:00,Spot,Distribution,GAS,0.5,
            1,2021-01-05 00:00:00,Spot,Deposit,USDT,300,
            1,2021-01-07 00:00:00,Spot,Deposit,USDT,-100,reversal
            1,2021-01-08 00:00:00,Spot,Commission History,USDT,0.5,
            1,2021-01-09 00:00:00,Spot,Commission History,USDT,-0.5,
            1,2021-01-10 00:00:00,Spot,Distribution,BNX,-7,

            """)
        #expect(
            result.rows == [
                "deposit 1000 LEND", "swap 1000 LEND for 10 AAVE", "airdrop 0.5 GAS", "deposit 300 USDT",
                "withdrawal 100 USDT", "income 0.5 USDT", "withdrawal 0.5 USDT", "withdrawal 7 BNX",
            ])
        #expect(result.skipped.isEmpty)
    }

    @Test("of several coins replaced in one second none is income, and none a gain")
    func severalReplaced() throws {
        let result = try Self.read(
            """
            1,2021-01-03 00:00:00,Spot,Distribution,LEND,-1000,
            1,2021-01-03 00:00:00,Spot,Distribution,AAVE,10,
            1,2021-01-03 00:00:00,Spot,Distribution,GAS,2,
            1,2021-01-03 00:00:00,Earn,Distribution,NEO,3,

            """)
        #expect(
            result.rows == ["withdrawal 1000 LEND", "deposit 10 AAVE", "deposit 2 GAS", "airdrop 3 NEO"])
        #expect(result.skipped.isEmpty)
    }

    @Test("a withdrawal that came back never was; what came back of another amount is a deposit")
    func returned() throws {
        let result = try Self.read(
            """
            1,2021-01-05 00:00:00,Spot,Withdraw,BTC,-0.05,Withdraw fee is included
            1,2021-01-05 12:00:00,Spot,Withdraw,BTC,-0.05,Withdraw fee is included
            1,2021-01-06 00:00:00,Spot,Withdraw,BTC,0.0500,failed
            1,2021-01-07 00:00:00,Spot,Withdraw,BTC,0.04,
            1,2021-01-08 00:00:00,Spot,Withdraw,ETH,1,
            1,2021-01-09 00:00:00,Spot,Withdraw,ETH,-1,

            """)
        #expect(
            result.rows == [
                "withdrawal 0.05 BTC", "deposit 0.04 BTC", "deposit 1 ETH", "withdrawal 1 ETH",
            ])
        #expect(
            result.skipped == [
                "line 3: a withdrawal that came back, with line 4: the coins never left",
                "line 4: a withdrawal that came back, with line 3: the coins never left",
            ])
    }

    @Test("a sale and a purchase of one second are told apart by their operations")
    func saleAndPurchase() throws {
        let result = try Self.read(
            """
            1,2021-01-01 00:00:05,Spot,Transaction Revenue,USDT,3000,
            1,2021-01-01 00:00:05,Spot,Transaction Sold,BTC,-0.1,
            1,2021-01-01 00:00:05,Spot,Commission Rebate,BNB,0.01,
            1,2021-01-01 00:00:05,Spot,Transaction Fee,USDT,-3,
            1,2021-01-01 00:00:05,Spot,Transaction Spend,USDT,-2000,
            1,2021-01-01 00:00:05,Spot,Transaction Buy,ETH,1,
            1,2021-01-01 00:00:05,Spot,Transaction Fee,ETH,-0.001,
            1,2021-01-01 00:00:05,Spot,Transaction Fee,BNB,-0.002,

            """)
        #expect(
            result.rows == [
                "swap 0.1 BTC for 3000 USDT fee 3 USDT", "swap 2000 USDT for 1 ETH fee 0.001 ETH",
                "fee 0.002 BNB", "income 0.01 BNB",
            ])
        #expect(result.skipped.isEmpty)
    }

    @Test("a coin that one trade got and the next one gave tells both apart")
    func chained() throws {
        let result = try Self.read(
            """
            1,2021-01-01 00:00:05,Spot,Buy,ETH,1,
            1,2021-01-01 00:00:05,Spot,Transaction Related,USDT,3000,
            1,2021-01-01 00:00:05,Spot,Transaction Related,USDT,-2000,
            1,2021-01-01 00:00:05,Spot,Sell,BTC,-0.1,

            """)
        #expect(result.rows == ["swap 0.1 BTC for 3000 USDT", "swap 2000 USDT for 1 ETH"])
        #expect(result.skipped.isEmpty)
    }

    @Test("two coins of which nobody knows what was paid for each are left out by name")
    func ambiguous() throws {
        let result = try Self.read(
            """
            1,2021-01-01 00:00:05,Spot,Transaction Buy,ETH,1,
            1,2021-01-01 00:00:05,Spot,Transaction Buy,SOL,10,
            1,2021-01-01 00:00:05,Spot,Transaction Spend,USDT,-2000,
            1,2021-01-01 00:00:05,Spot,Transaction Spend,USDT,-200,

            """)
        #expect(result.rows.isEmpty)
        let reason =
            "trades of one second with 1 coins given and 2 got: what was given for what cannot be told"
        #expect(result.skipped == (2...5).map { "line \($0): \(reason)" })
    }

    @Test("a trade of two seconds is joined, unless it fits to both beside it")
    func twoSeconds() throws {
        let result = try Self.read(
            """
            1,2021-01-01 00:00:09,Spot,Transaction Buy,SOL,10,
            1,2021-01-01 00:00:10,Spot,Transaction Spend,USDT,-200,
            1,2021-01-01 00:00:10,Spot,Transaction Fee,BNB,-0.1,
            1,2021-01-01 00:01:00,Spot,Binance Convert,USDC,-5,
            1,2021-01-01 00:01:02,Spot,Binance Convert,BTC,1,
            1,2021-01-01 00:02:01,Spot,Transaction Buy,SOL,1,
            1,2021-01-01 00:02:02,Spot,Transaction Spend,USDT,-20,
            1,2021-01-01 00:02:03,Spot,Transaction Buy,SOL,2,

            """)
        #expect(result.rows == ["swap 200 USDT for 10 SOL fee 0.1 BNB"])
        let reason = "the other half of the trade is neither in its second nor in one beside it"
        #expect(result.skipped == (5...9).map { "line \($0): \(reason)" })
    }

    @Test("small amounts of several coins are told apart by their remarks, or by their order")
    func smallAmounts() throws {
        let result = try Self.read(
            """
            1,2021-01-10 00:00:00,Spot,Small assets exchange BNB,DOGE,-1,
            1,2021-01-10 00:00:00,Spot,Small assets exchange BNB,BNB,0.001,
            1,2021-01-10 00:00:00,Spot,Small assets exchange BNB,XRP,-1,
            1,2021-01-10 00:00:00,Spot,Small assets exchange BNB,BNB,0.002,
            1,2025-02-01 13:05:11,Spot,Small Assets Exchange BNB,TRX,-37,TRX to BNB
            1,2025-02-01 13:05:11,Spot,Small Assets Exchange BNB,ADA,-0.8,ADA to BNB
            1,2025-02-01 13:05:11,Spot,Small Assets Exchange BNB,BNB,0.00005,ADA to BNB
            1,2025-02-01 13:05:11,Spot,Small Assets Exchange BNB,BNB,0.0137,TRX to BNB
            1,2025-02-02 13:05:11,Spot,Small Assets Exchange BNB,TRX,-37,
            1,2025-02-02 13:05:11,Spot,Small Assets Exchange BNB,ADA,-0.8,
            1,2025-02-02 13:05:11,Spot,Small Assets Exchange BNB,BNB,0.01375,

            """)
        #expect(
            result.rows == [
                "swap 1 DOGE for 0.001 BNB", "swap 1 XRP for 0.002 BNB", "swap 37 TRX for 0.0137 BNB",
                "swap 0.8 ADA for 0.00005 BNB",
            ])
        #expect(result.skipped.map { String($0.prefix(8)) } == ["line 10:", "line 11:", "line 12:"])
    }

    @Test("a fee that came back is no fee")
    func refunds() throws {
        let result = try Self.read(
            """
            1,2021-01-01 00:00:05,Spot,Buy,ETH,1,
            1,2021-01-01 00:00:05,Spot,Transaction Related,USDT,-2000,
            1,2021-01-01 00:00:05,Spot,Fee,BNB,0.1,

            """)
        #expect(result.rows == ["swap 2000 USDT for 1 ETH"])
        #expect(result.skipped == ["line 4: a fee that came back"])
    }
}
