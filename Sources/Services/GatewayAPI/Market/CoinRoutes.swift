import GatewayFrame
import GatewayStream
import Instruments
import MarketData
import MarketStore
import Shapes
import Store

/// Coins: all of them in any order, one of them, and their categories.
struct CoinRoutes: Sendable {
    private static let order = Parameter.choice(
        "sort",
        "What is worth most, what rose or fell most in 24 hours, what is new, or what is traded most.",
        CoinOrder.self, default: .rank)

    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/coins", .market,
            Operation("listCoins", .market, "Coins: what rose, what fell, what is new, what is worth most."),
            weight: 2, query: .page + CoinFilter.parameters + [Self.order]
        ) { context in try await list(context) }
        routes.get(
            "/v1/coins/{coin}", .market,
            Operation("getCoin", .market, "A coin by its key, code or name, with its markets.")
        ) { context in try await detail(try context.path("coin")) }
        routes.get(
            "/v1/categories", .market,
            Operation("listCategories", .market, "Categories of coins with what they are worth."),
            query: .page
        ) { context in
            let page = try context.page(of: "categories")
            let all = services.coins(in: try await services.catalogue.current())
            return try Self.page(CategoryBody.all(all), page, of: "categories")
        }
    }

    private func list(_ context: GatewayContext) async throws -> Page<CoinBody> {
        let page = try context.page(of: "coins")
        let (filter, order) = (try CoinFilter(context.query), try context.query[Self.order] ?? .rank)
        let all = services.coins(in: try await services.catalogue.current())
        let found = all.filter { filter.isOfKind($0) && filter.isTraded($0) }
        let sorted = order.sorted(found.map(\.order)).map { found[$0] }
        return try Self.page(sorted, page, of: "coins")
    }

    private static func page<Body: WireBody>(
        _ bodies: [Body], _ page: PageQuery, of list: String
    ) throws(Problem) -> Page<Body> {
        let skipped = try InstrumentRoutes.skipped(page)
        let items = Array(bodies.dropFirst(skipped).prefix(page.limit))
        let end = skipped + items.count
        let next = end < bodies.count ? Cursor.text(list, "\(end)") : nil
        return Page(items, next: next, freshness: .seconds(5))
    }

    private func detail(_ text: String) async throws -> OK<CoinDetailBody> {
        let catalogue = try await services.catalogue.current()
        guard let row = catalogue.coin(text) else { throw Problem.noCoin(text) }
        let markets = services.markets(of: row, in: catalogue).prefix(200).map(CoinMarketBody.init)
        return OK(
            CoinDetailBody(coin: services.coin(row, in: catalogue), markets: Array(markets)),
            freshness: .seconds(1))
    }
}

extension Problem {
    /// Nobody has told of such a coin.
    static func noCoin(_ text: String) -> Problem {
        .notFound("coin \"\(text.prefix(60))\"; /v1/coins?q= finds what there is")
    }
}

extension GatewayServices {
    /// An instrument; a name such as `coin:bitcoin` is taken for the coin's best market.
    ///
    /// - Throws: `not-found` for a coin that nobody knows or trades.
    func meant(by id: InstrumentID) async throws -> InstrumentID {
        guard id.venue == MarketCatalogue.coinVenue else { return id }
        let catalogue = try await catalogue.current()
        guard let coin = catalogue.coin(id.symbol) else { throw Problem.noCoin(id.symbol) }
        guard let best = CoinMarket.best(markets(of: coin, in: catalogue)) else {
            throw Problem.notFound("market of \(coin.name) (\(coin.asset))")
        }
        return best.instrument.id
    }
}
