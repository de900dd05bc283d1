import Instruments
import MarketState
import MarketStore
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Hours of coins")
struct CoinHoursTests {
    /// Coins as a provider tells them: code, price, dollars of 24 hours.
    private static func coins(_ told: (String, String, Int64?)...) throws -> [CoinBody] {
        let rows = try told.enumerated().map { place, coin in
            var row = AssetRow(
                asset: Asset(rawValue: coin.0), name: coin.0, providerID: coin.0.lowercased(), categories: [],
                rank: Int32(place + 1))
            row.figures.price = try Amount(parsing: coin.1)
            row.figures.volume = coin.2.map { Amount(units: $0) }
            return row
        }
        let catalogue = MarketCatalogue([], rows, [])
        return rows.map { CoinBody($0, catalogue, [], nil) }
    }

    private static func minutes(_ count: Int64) -> Timestamp {
        Timestamp(nanoseconds: 1_767_225_600_000_000_000 + count * 60_000_000_000)
    }

    /// Codes with the parts of their scores, the highest first.
    private static func ranked(_ hours: CoinHours, _ coins: [CoinBody]) -> [String] {
        TrendingCoin.ranked(coins, by: hours.scores ?? [:]).map {
            "\($0.coin.row.asset) \($0.volumeScore)+\($0.priceScore)"
        }
    }

    @Test("score what moved since the hour before, in price and against a usual hour's volume")
    func scores() throws {
        var hours = CoinHours()
        let before = try Self.coins(
            ("BTC", "100", 2_400), ("ETH", "10", 2_400), ("PEP", "0.000002", nil), ("USD", "1", 9_600))
        #expect(hours.isDue(at: Self.minutes(1)))
        hours.note(before, at: Self.minutes(1))
        #expect(hours.scores == nil && hours.scored == nil && !hours.isDue(at: Self.minutes(59)))
        // Within the hour nothing changes.
        hours.note(try Self.coins(("BTC", "900", 9_000)), at: Self.minutes(30))
        let now = try Self.coins(
            ("BTC", "110", 2_400), ("ETH", "10", 2_900), ("PEP", "0.000001", nil), ("USD", "1", 9_600),
            ("NEW", "5", 800))
        #expect(hours.isDue(at: Self.minutes(60)))
        hours.note(now, at: Self.minutes(61))
        #expect(hours.scored == Self.minutes(0))
        // PEP fell by half: all of 400. ETH: the hour's 600 dollars are six usual ones of 100, 5,000
        // thousandths more than one: 600 · 5,000 / 10,000. BTC: 400 · 1,000 / 5,000.
        #expect(Self.ranked(hours, now) == ["PEP 0+400", "ETH 300+0", "BTC 0+80"])
        #expect(hours.scores?[Asset(rawValue: "NEW")] == nil)
    }

    @Test("say nothing of a longer time than an hour, and begin anew with what comes then")
    func gap() throws {
        var hours = CoinHours()
        let coins = try Self.coins(("BTC", "100", 2_400))
        hours.note(coins, at: Self.minutes(0))
        hours.note([], at: Self.minutes(60))
        #expect(hours.isDue(at: Self.minutes(60)))
        hours.note(try Self.coins(("BTC", "150", 2_400)), at: Self.minutes(120))
        #expect(hours.scores == nil)
        let now = try Self.coins(("BTC", "75", 2_400))
        hours.note(now, at: Self.minutes(180))
        #expect(Self.ranked(hours, now) == ["BTC 0+400"] && hours.scored == Self.minutes(120))
    }

    @Test("begin with the first hour of which the begin was heard")
    func late() throws {
        var hours = CoinHours()
        for (minute, price) in [(Int64(55), "100"), (60, "110")] {
            hours.note(try Self.coins(("BTC", price, 2_400)), at: Self.minutes(minute))
            #expect(hours.scores == nil, "after \(minute) minutes")
        }
        let now = try Self.coins(("BTC", "121", 2_400))
        hours.note(now, at: Self.minutes(120))
        #expect(Self.ranked(hours, now) == ["BTC 0+80"])
    }

    @Test("count turnover that fell as none, and prices without bounds as the most")
    func bounds() throws {
        var hours = CoinHours()
        hours.note(try Self.coins(("OUT", "1", 2_400), ("TOP", "0.000000000001", 1)), at: Self.minutes(0))
        let now = try Self.coins(("OUT", "1", 0), ("TOP", "1000000000000", .max))
        hours.note(now, at: Self.minutes(60))
        #expect(Self.ranked(hours, now) == ["TOP 600+400"])
    }
}
