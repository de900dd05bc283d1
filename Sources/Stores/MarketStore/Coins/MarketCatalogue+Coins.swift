package import Instruments
import MarketState

extension MarketCatalogue {
    /// The venue of names such as `coin:bitcoin`, which mean a coin's best market.
    package static let coinVenue = Venue(rawValue: "coin")

    /// Where coins stand by what people call them: a key means more than a code, a code more than a name, and
    /// of several the best rank counts.
    static func places(of rows: [AssetRow]) -> [String: Int] {
        var places: [String: Int] = [:]
        let names: [(AssetRow) -> String] = [\.providerID, \.asset.rawValue, \.name]
        for name in names {
            for (place, row) in rows.enumerated() {
                let key = name(row).lowercased()
                if places[key] == nil { places[key] = place }
            }
        }
        return places
    }

    /// A coin by its key, its code in any venue's spelling, or its name: `bitcoin`, `BTC`, `XBT`, `Bitcoin`.
    package func coin(_ text: String) -> AssetRow? {
        if let place = coinPlaces[text.lowercased()] { return coins[place] }
        let code = Self.common(Asset(rawValue: text.uppercased()))
        return coinPlaces[code.rawValue.lowercased()].map { coins[$0] }
    }

    /// What a scored instrument trades, under the code that coins have; `nil` for any other.
    package func base(ofScored id: InstrumentID) -> Asset? { bases[id] }

    /// The instruments that trade a coin, the most popular first.
    package func instruments(of coin: AssetRow) -> [Instrument] {
        let codes = ["XBT", "XDG"].map(Asset.init(rawValue:)).filter { Self.common($0) == coin.asset }
        let places = ([coin.asset] + codes).flatMap { index.listings(of: $0).flatMap(\.entries) }
        return places.sorted { left, right in
            let (first, second) = (index.entries[left], index.entries[right])
            return first.popularity == second.popularity
                ? first.id < second.id : first.popularity > second.popularity
        }.map { instruments[$0] }
    }
}
