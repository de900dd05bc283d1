import Instruments
import MarketStore
import Shapes

/// A coin on the heat map.
struct HeatMapCell: WireBody {
    static let shape = BodyShape<HeatMapCell>("HeatMapCell", "What is not known is left out.") {
        Field("id", \.coin.row.providerID, example: "bitcoin")
        Field("symbol", \.coin.row.asset.rawValue, example: "BTC")
        Field("name", \.coin.row.name, example: "Bitcoin")
        Field(
            "market_cap", \.marketCap.description, "In US dollars: its area.", as: .decimal,
            example: "1381651251183")
        Field(
            ifPresent: "change_percent", \.coin.change?.description, "Of 24 hours: its colour.",
            as: .decimal, example: "1.2")
        Field(ifPresent: "price", \.coin.price, as: .decimal, example: "61000.5")
        Field(
            ifPresent: "origin", \.coin.origin?.rawValue, "What stands behind the price.",
            as: .words(PriceOrigin.allCases.map(\.rawValue)), example: "proven")
        Field(
            ifPresent: "market", \.coin.market?.description, "The most liquid proven market.",
            example: "kraken:BTC/USD")
    }

    let coin: CoinBody
    let marketCap: Amount

    /// The coins that are worth most, the greatest first, of equal ones the earlier.
    static func greatest(_ coins: [CoinBody], _ limit: Int) -> [HeatMapCell] {
        let known = coins.compactMap { coin in
            coin.row.figures.marketCap.map { HeatMapCell(coin: coin, marketCap: $0) }
        }
        return known.indices.sorted { left, right in
            let (first, second) = (known[left].marketCap, known[right].marketCap)
            return first == second ? left < right : first > second
        }.prefix(limit).map { known[$0] }
    }
}
