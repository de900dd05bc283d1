package import Instruments
package import MarketState
package import Store

/// Everything that can be found: what is stored of instruments, with the names of their assets.
package struct MarketCatalogue: Sendable {
    /// All that is stored, by venue and symbol.
    package let instruments: [Instrument]
    /// By code.
    package let assets: [Asset: AssetRow]
    /// All coins, the best rank first.
    package let coins: [AssetRow]
    /// When the list of coins was read last; `nil` when never, or where nobody said it.
    package private(set) var told: Timestamp?
    /// The newest hour's scores of what is followed, the highest first.
    package let scores: [TrendingRow]
    /// That hour; `nil` without scores.
    package private(set) var scoredHour: Timestamp?
    /// What each of the scored instruments trades, under the code that coins have.
    let bases: [InstrumentID: Asset]
    /// Places in `coins` by key, code and name in lower case.
    let coinPlaces: [String: Int]
    /// Finds among `instruments`, by their places there.
    package let index: SearchIndex

    /// Reads it.
    ///
    /// What moves most counts as most popular, until an hour's scores are there the rank of the asset.
    ///
    /// - Throws: `StoreError`.
    package init(_ database: Database) async throws {
        let instruments = try await database.instruments()
        let assets = try await database.assets()
        let trending = try await database.trending(limit: 1_000)
        self.init(instruments, assets.map(\.asset), trending.map(\.row))
        told = assets.map(\.time).max()
        scoredHour = trending.first?.hour
    }

    /// Joins what was read: instruments, assets, and the newest hour's scores, the highest first.
    package init(_ instruments: [Instrument], _ rows: [AssetRow], _ trending: [TrendingRow]) {
        self.instruments = instruments
        scores = trending
        let scored = Set(trending.map(\.instrument))
        bases = Dictionary(
            instruments.filter { scored.contains($0.id) }.map { ($0.id, MarketCatalogue.common($0.base)) }
        ) { first, _ in first }
        let assets = Dictionary(rows.map { ($0.asset, $0) }) { first, _ in first }
        let places = Dictionary(trending.enumerated().map { ($1.instrument, $0) }) { first, _ in first }
        index = SearchIndex(
            instruments.map { instrument in
                let asset = assets[MarketCatalogue.common(instrument.base)]
                // Assets by rank, the first first; within one asset what moves most.
                let rank = UInt64(clamping: 1_000_000 - Int64(asset?.rank ?? 999_999))
                let place = UInt64(clamping: 1_000 - (places[instrument.id] ?? 1_000))
                return SearchEntry(
                    id: instrument.id, base: instrument.base, quote: instrument.quote, kind: instrument.kind,
                    name: Self.names(of: instrument.base, asset).joined(separator: " "),
                    category: asset?.categories.joined(separator: " ") ?? "",
                    popularity: rank * 1_001 + place)
            })
        self.assets = assets
        coins = rows
        coinPlaces = Self.places(of: rows)
    }

    /// An asset under the code that most of the world has for it.
    ///
    /// BitMEX and Kraken say XBT for bitcoin, as ISO 4217 would, and Kraken XDG for dogecoin.
    package static func common(_ asset: Asset) -> Asset {
        switch asset.rawValue {
        case "XBT": Asset(rawValue: "BTC")
        case "XDG": Asset(rawValue: "DOGE")
        default: asset
        }
    }

    /// What an asset is found by besides its own code: its name, and the codes that others have for it.
    private static func names(of asset: Asset, _ row: AssetRow?) -> [String] {
        let others =
            [common(asset)]
            + ["XBT", "XDG"].map(Asset.init(rawValue:)).filter {
                common($0) == common(asset)
            }
        return (row.map { [$0.name] } ?? []) + others.filter { $0 != asset }.map(\.rawValue)
    }

    /// What is known of an instrument's base asset.
    package func asset(of instrument: Instrument) -> AssetRow? { assets[Self.common(instrument.base)] }

    /// The venues that trade an asset against anything, under whatever code.
    package func venues(of asset: Asset) -> [Venue] {
        let codes = Set(
            [asset, Self.common(asset)]
                + ["XBT", "XDG"].map(Asset.init(rawValue:)).filter {
                    Self.common($0) == Self.common(asset)
                })
        return Set(codes.flatMap { index.listings(of: $0).map(\.venue) }).filter { !$0.isAggregated }.sorted()
    }
}
