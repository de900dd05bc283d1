import AccountStore
import AlertStore
import Instruments
import MarketState
import MarketStore
import PortfolioStore
import Shapes
package import Store

extension StreamSources {
    /// What the stream asks PostgreSQL.
    package init(_ database: Database, _ view: MarketView) {
        candle = { interval, id in
            guard let length = CandleInterval(rawValue: interval) else { return nil }
            return try await database.newestCandles(of: [id], [length]).first.map {
                CandleBody($0.candle, of: id)
            }
        }
        trending = {
            let scores = try await database.trending(limit: 20)
            let items =
                scores.isEmpty
                ? TrendingBody.moving(view.tickerBodies, limit: 20)
                : scores.map { TrendingBody($0.hour, $0.row) }
            return ["items": items].kept
        }
        watchlist = { user, id in
            try await database.transaction(as: user) { session in
                guard let list = try session.watchlist(id, of: user) else { return nil }
                let entries = try session.watchlistEntries(of: id, by: user)
                return StreamSources.Watched(name: list.name, instruments: entries.map(\.instrument))
            }
        }
        ownsPortfolio = { user, id in
            try await database.transaction(as: user) { session in
                try session.findPortfolio(PortfolioID(rawValue: id), of: user) != nil
            }
        }
        firings = { user in
            try await database.transaction(as: user) { session in
                try session.firings(of: user, limit: StreamTopicState.firingWindow)
            }.reversed().map { FiringBody($0) }
        }
    }
}
