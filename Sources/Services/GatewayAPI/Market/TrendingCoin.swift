import GatewayStream
import Instruments
import MarketState
import MarketStore
import Shapes
import Store

/// A coin that moves, with what its score is made of.
struct TrendingCoin: WireBody {
    static let shape = BodyShape<TrendingCoin>(
        "TrendingCoin",
        """
        How a coin moved in the last hour, against a usual one. Until this gateway has heard an hour from \
        its begin to its end, of what is followed the newest score of /v1/trending, and of every other coin \
        what its price moved in 24 hours.
        """
    ) {
        Field(all: \.coin)
        Field("score", \.score, "0 to 1000; what it is sorted by, higher first.", example: 412)
        Field("volume_score", \.volumeScore, "0 to 600, by the growth of volume.", example: 320)
        Field("price_score", \.priceScore, "0 to 400, by the movement of price.", example: 92)
        Field("scored", \.isScored, "Whether its volume is part of it.", example: true)
    }

    let coin: CoinBody
    let volumeScore: Int64
    let priceScore: Int64
    let isScored: Bool

    var score: Int64 { volumeScore + priceScore }

    /// The coins that move, the highest score first, of equal ones the better rank, then the earlier.
    ///
    /// - Parameters:
    ///   - coins: The best rank first.
    ///   - scores: Of an hour, the highest first: a coin has the highest of its instruments.
    ///   - base: What an instrument trades, by the code that coins have; `nil` for one that nobody knows.
    /// - Returns: None that stands still.
    static func ranked(
        _ coins: [CoinBody], by scores: [TrendingRow], base: (InstrumentID) -> Asset?
    ) -> [TrendingCoin] {
        var best: [Asset: TrendingRow] = [:]
        for row in scores {
            guard let asset = base(row.instrument), best[asset] == nil else { continue }
            best[asset] = row
        }
        return sorted(
            coins.map { coin in
                best[coin.row.asset].map { TrendingCoin(coin, $0) } ?? TrendingCoin(moved: coin)
            })
    }

    /// The same by how each coin moved in an hour.
    static func ranked(_ coins: [CoinBody], by scores: [Asset: TrendingScore]) -> [TrendingCoin] {
        sorted(
            coins.compactMap { coin in
                scores[coin.row.asset].map { TrendingCoin(coin, $0, isScored: true) }
            })
    }

    private static func sorted(_ coins: [TrendingCoin]) -> [TrendingCoin] {
        let moving = coins.filter { $0.score > 0 }
        return moving.indices.sorted { left, right in
            let (first, second) = (moving[left].score, moving[right].score)
            return first == second ? left < right : first > second
        }.map { moving[$0] }
    }

    private init(_ coin: CoinBody, _ score: TrendingScore, isScored: Bool) {
        self.coin = coin
        (volumeScore, priceScore, self.isScored) = (score.volumePart, score.movementPart, isScored)
    }

    private init(_ coin: CoinBody, _ row: TrendingRow) {
        self.coin = coin
        (volumeScore, priceScore) = (Self.whole(row.volumeScore), Self.whole(row.priceScore))
        isScored = true
    }

    /// By what the price moved alone.
    private init(moved coin: CoinBody) {
        // Basis points of a price of 10,000; what is more than a hundred times as much counts as that.
        let points = (coin.change ?? .zero) * Amount(units: 100)
        let most = Amount(units: 1_000_000)
        let moved = Int64(Swift.min(points.magnitude, most).rounded(places: 0).description) ?? 0
        let score = TrendingScore(volume: .zero, volumeBefore: .zero, open: 10_000, last: 10_000 + moved)
        self.init(coin, score, isScored: false)
    }

    private static func whole(_ score: Numeric) -> Int64 {
        Int64(score.description.prefix { $0 != "." }) ?? 0
    }
}
