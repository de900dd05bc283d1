import Instruments
import MarketStore
import Shapes

/// A category with what its coins are worth.
struct CategoryBody: WireBody {
    static let shape = BodyShape<CategoryBody>("Category") {
        Field("name", \.name, example: "Layer 1 (L1)")
        Field("coins", \.coins, "How many of the known coins are in it.", example: 120)
        Field(
            "market_cap", \.marketCap.description, "Of them, in US dollars.", as: .decimal,
            example: "1840000000000")
        Field(
            ifPresent: "change_percent", \.change?.description,
            "Of 24 hours, by what they are worth; left out where it is not known.", as: .decimal,
            example: "1.2")
    }

    let name: String
    let coins: Int
    let marketCap: Amount
    let change: Amount?

    /// All categories of some coins, what is worth most first.
    static func all(_ coins: [CoinBody]) -> [CategoryBody] {
        var members: [String: [CoinBody]] = [:]
        for coin in coins {
            for name in coin.row.categories { members[name, default: []].append(coin) }
        }
        return members.map { CategoryBody($0, $1) }.sorted { left, right in
            left.marketCap == right.marketCap ? left.name < right.name : left.marketCap > right.marketCap
        }
    }

    private init(_ name: String, _ members: [CoinBody]) {
        self.name = name
        coins = members.count
        var (total, weight, moved) = (Amount.zero, Amount.zero, Amount.zero)
        for coin in members {
            guard let cap = coin.row.figures.marketCap else { continue }
            total += cap
            guard let change = coin.change else { continue }
            weight += cap
            moved += cap * change
        }
        marketCap = total
        change = weight.isZero ? nil : moved.divided(by: weight, places: 4)
    }
}
