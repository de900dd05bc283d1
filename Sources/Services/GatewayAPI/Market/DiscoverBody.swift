import Instruments
import Shapes

/// What is worth a look in the whole market, in one answer.
struct DiscoverBody: WireBody {
    static let shape = BodyShape<DiscoverBody>("Discover") {
        Field("coins", \.count, "How many coins there are by category and exchange.", example: 1200)
        Field(
            "min_volume", \.floor.description,
            """
            Dollars of 24 hours: what is traded less, or of which nobody says it, neither rises, falls nor \
            trends here.
            """, as: .decimal, example: "100000")
        Field("gainers", \.gainers, "What rose most in 24 hours.")
        Field("losers", \.losers, "What fell most in 24 hours.")
        Field("trending", \.trending, "What moves most, by volume and price.")
        Field(
            ifPresent: "hour", \.hour, "The hour whose scores trending has; left out before the first.",
            as: .time, example: "2026-11-21T11:00:00Z")
        Field("newest", \.newest, "What the list of coins had last.")
        Field("heat_map", \.cells, "What is worth most, the greatest first.")
        Field("categories", \.categories, "Of the coins by exchange, what is worth most first, at most 100.")
        Field("exchanges", \.exchanges, "Venues that trade any coin.", example: [.venue])
        Field(
            ifPresent: "told", \.told, "When the list of coins was read.", as: .time,
            example: "2026-11-21T12:00:00Z")
    }

    let count: Int
    let floor: Amount
    let gainers: [CoinBody]
    let losers: [CoinBody]
    let trending: [TrendingCoin]
    let hour: String?
    let newest: [CoinBody]
    let cells: [HeatMapCell]
    let categories: [CategoryBody]
    let exchanges: [String]
    let told: String?
}
