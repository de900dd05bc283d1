import Bus
import GatewayFrame
import GatewayStream
import Hosting
import Instruments
import Logging
import Portfolio
import Store

/// What routes work with.
struct GatewayServices: Sendable {
    /// What every request passes works with.
    var requests: RequestServices
    /// How the gateway serves, and what its routes keep to.
    let configuration: GatewayConfiguration
    /// What is known of the market right now.
    let market: MarketView
    /// What instruments there are.
    let catalogue: CatalogueCache
    /// What is known of all coins right now.
    let coinBoard: CoinBoard
    /// Connections of their own for exports, imports and reports, which may take long.
    let slow: Database
    /// How many of those exports and imports there are at once.
    let longWork: LongWorkLimit
    /// Whose turn it is with the others.
    let turns: ReportTurns
    /// What links show just now.
    let shared: SharedViews<SharedView>
    /// How many whole books are followed for whom.
    let books: BookBudget

    /// Joins what routes work with; market and catalogue are made of the rest.
    ///
    /// - Throws: `BusError` when the process may open no more files.
    init(_ configuration: GatewayConfiguration, in frame: ServiceFrame) throws(BusError) {
        requests = RequestServices(configuration.server, in: frame)
        self.configuration = configuration
        market = try MarketView(in: frame, database: frame.database)
        catalogue = CatalogueCache(database: frame.database, clock: frame.monotonic)
        coinBoard = CoinBoard(clock: frame.monotonic)
        slow = frame.database.apart(named: "slow") { store in
            store.maximumConnections = configuration.pools.slowConnections
            store.statementTimeout = configuration.pools.statementTimeout
        }
        let pools = configuration.pools
        longWork = LongWorkLimit(pools.longWork, perUser: pools.longWorkPerUser)
        turns = ReportTurns(atOnce: pools.longWorkPerUser)
        shared = SharedViews(clock: frame.monotonic)
        books = BookBudget(configuration.budgets.books, clock: frame.monotonic)
    }

    var frame: ServiceFrame { requests.frame }
    var rates: RateLimiter { requests.rates }
    var database: Database { requests.database }
    var logger: Logger { requests.logger }
    var clock: @Sendable () -> Timestamp { requests.clock }
    var monotonic: @Sendable () -> Timestamp { requests.monotonic }
}
