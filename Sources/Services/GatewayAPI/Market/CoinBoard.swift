import GatewayStream
import Instruments
import MarketState
import MarketStore
import Synchronization

/// All coins with what their best markets say now, made once for everybody who asks within two seconds.
///
/// To join thousands of coins with their markets takes a tenth of a second.
final class CoinBoard: Sendable {
    /// How long what was made is good, in nanoseconds.
    static let patience: Int64 = 2_000_000_000

    private let kept = Mutex<(coins: [CoinBody], time: Timestamp)?>(nil)
    private let hours = Mutex(CoinHours())
    private let clock: @Sendable () -> Timestamp

    init(clock: @escaping @Sendable () -> Timestamp) { self.clock = clock }

    /// The coins in the catalogue's order, the best rank first; none are not kept, for a new installation
    /// learns of them any moment.
    func coins(_ make: () -> [CoinBody]) -> [CoinBody] {
        let now = clock()
        if let kept = kept.withLock({ $0 }), abs(now.nanoseconds(since: kept.time)) < Self.patience {
            return kept.coins
        }
        let coins = make()
        if !coins.isEmpty { kept.withLock { $0 = (coins, now) } }
        return coins
    }
}

extension CoinBoard {
    /// Whether an hour has begun that was not noted.
    func isHourDue(at now: Timestamp) -> Bool { hours.withLock { $0.isDue(at: now) } }

    /// Notes what there is when an hour has begun.
    func noteHour(_ coins: [CoinBody], at now: Timestamp) { hours.withLock { $0.note(coins, at: now) } }

    /// How each coin moved in the last hour, and which that is; `nil` before one is known.
    var hour: (scores: [Asset: TrendingScore], hour: Timestamp)? {
        hours.withLock { hours in
            guard let scores = hours.scores, let hour = hours.scored else { return nil }
            return (scores, hour)
        }
    }
}

extension GatewayServices {
    /// All coins as they are told, the best rank first.
    func coins(in catalogue: MarketCatalogue) -> [CoinBody] {
        coinBoard.coins { catalogue.coins.map { coin($0, in: catalogue) } }
    }

    /// A coin as it is told now.
    func coin(_ row: AssetRow, in catalogue: MarketCatalogue) -> CoinBody {
        let markets = markets(of: row, in: catalogue)
        let best = CoinMarket.best(markets).flatMap { market.ticker($0.instrument.id) }
        return CoinBody(row, catalogue, markets, best.map { TickerBody($0, market.condition) })
    }

    /// The markets of a coin with what is known of them now, the most popular first.
    func markets(of coin: AssetRow, in catalogue: MarketCatalogue) -> [CoinMarket] {
        let condition = market.condition
        return catalogue.instruments(of: coin).map { instrument in
            guard let known = market.ticker(instrument.id) else { return CoinMarket(instrument) }
            let ticker = TickerBody(known, condition)
            return CoinMarket(instrument, ticker)
        }
    }
}
