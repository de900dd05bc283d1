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
}
