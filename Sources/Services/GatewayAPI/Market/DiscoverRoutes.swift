import GatewayFrame
import GatewayStream
import Instruments
import MarketStore
import Shapes

/// Discover: what rises, falls, trends and is new in the whole market.
struct DiscoverRoutes: Sendable {
    /// Dollars of 24 hours that have to be traded of what leads a list, unless somebody says otherwise: the
    /// price of what hardly anybody trades moves by one order.
    static let floor = Amount(units: 100_000)
    /// Categories that are told at most.
    private static let categoryLimit = 100

    private static let limit = Parameter.integer(
        "limit", "So many of each list at most.", in: 0...50, default: 10)
    private static let cells = Parameter.integer(
        "cells", "So many coins on the heat map at most.", in: 0...250, default: 60)

    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/discover", .market,
            Operation(
                "discover", .market, "What rises, falls, trends and is new, and a map of what is worth most.",
                """
                min_volume is \(Self.floor) where nobody says it. Longer lists are those of /v1/coins with \
                the same filters.
                """),
            weight: 2, query: CoinFilter.withoutText + [Self.limit, Self.cells],
            keptBy: AnswerCache(clock: services.monotonic)
        ) { context in try await discover(context) }
    }

    private func discover(_ context: GatewayContext) async throws -> OK<DiscoverBody> {
        var filter = try CoinFilter(context.query)
        filter.volume = filter.volume ?? Self.floor
        let (limit, cells) = (try context.query[Self.limit], try context.query[Self.cells])
        let catalogue = try await services.catalogue.current()
        let all = services.coins(in: catalogue)
        return OK(body(all, filter, limit: limit, cells: cells, catalogue), freshness: .seconds(5))
    }

    private func body(
        _ all: [CoinBody], _ filter: CoinFilter, limit: Int, cells: Int, _ catalogue: MarketCatalogue
    ) -> DiscoverBody {
        let coins = all.filter { filter.isOfKind($0) }
        let traded = coins.filter { filter.isTraded($0) }
        func first(_ order: CoinOrder, of coins: [CoinBody]) -> [CoinBody] {
            order.sorted(coins.map(\.order)).prefix(limit).map { coins[$0] }
        }
        let known = services.coinBoard.hour
        let trending =
            known.map { TrendingCoin.ranked(traded, by: $0.scores) }
            ?? TrendingCoin.ranked(traded, by: catalogue.scores) { catalogue.base(ofScored: $0) }
        return DiscoverBody(
            count: coins.count, floor: filter.volume ?? .zero, gainers: first(.gainers, of: traded),
            losers: first(.losers, of: traded), trending: Array(trending.prefix(limit)),
            hour: (known?.hour ?? catalogue.scoredHour)?.iso8601(fractionDigits: 0),
            newest: first(.newest, of: coins),
            cells: HeatMapCell.greatest(coins, cells),
            categories: Array(
                CategoryBody.all(all.filter { filter.isThere($0) }).prefix(Self.categoryLimit)),
            exchanges: Set(all.flatMap(\.exchanges)).sorted(),
            told: catalogue.told?.iso8601(fractionDigits: 0))
    }
}
