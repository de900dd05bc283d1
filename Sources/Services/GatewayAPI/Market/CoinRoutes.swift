import GatewayFrame
import GatewayStream
import Instruments
import MarketData
import MarketStore
import Shapes
import Store

/// Coins: all of them in any order, one of them, and their categories.
struct CoinRoutes: Sendable {
    private static let text = Parameter.text(
        "q", "Only coins whose key, code or name begins with this.", example: "bit")
    private static let category = Parameter.text("category", "Only of this category.")
    private static let exchange = Parameter.text("exchange", "Only what this venue trades.", example: .venue)
    private static let order = Parameter.choice(
        "sort",
        "What is worth most, what rose or fell most in 24 hours, what is new, or what is traded most.",
        CoinOrder.self, default: .rank)

    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/coins", .market,
            Operation("listCoins", .market, "Coins: what rose, what fell, what is new, what is worth most."),
            weight: 2, query: .page + [Self.text, Self.category, Self.exchange, Self.order]
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
            let all = coins(in: try await services.catalogue.current())
            return try Self.page(CategoryBody.all(all), page, of: "categories")
        }
    }

    private func list(_ context: GatewayContext) async throws -> Page<CoinBody> {
        let (query, page) = (context.query, try context.page(of: "coins"))
        let text = try query[Self.text]?.lowercased()
        let category = try query[Self.category]?.lowercased()
        let exchange = try query[Self.exchange]
        let order = try query[Self.order] ?? .rank
        let all = coins(in: try await services.catalogue.current())
        let found = all.filter { coin in
            let names = [coin.row.providerID, coin.row.asset.rawValue, coin.row.name]
            return (text.map { text in names.contains { $0.lowercased().hasPrefix(text) } } ?? true)
                && (category.map { coin.row.categories.map { $0.lowercased() }.contains($0) } ?? true)
                && (exchange.map { coin.exchanges.contains($0) } ?? true)
        }
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
            CoinDetailBody(coin: body(row, catalogue), markets: Array(markets)), freshness: .seconds(1))
    }

    private func coins(in catalogue: MarketCatalogue) -> [CoinBody] {
        catalogue.coins.map { body($0, catalogue) }
    }

    private func body(_ row: AssetRow, _ catalogue: MarketCatalogue) -> CoinBody {
        let best = CoinMarket.best(services.markets(of: row, in: catalogue)).map { market in
            let known = services.market.ticker(market.instrument.id)
            return (market: market, ticker: known.map { TickerBody($0, services.market.condition) })
        }
        return CoinBody(row, catalogue, best)
    }
}

extension Problem {
    /// Nobody has told of such a coin.
    static func noCoin(_ text: String) -> Problem {
        .notFound("coin \"\(text.prefix(60))\"; /v1/coins?q= finds what there is")
    }
}

extension GatewayServices {
    /// The markets of a coin with what is known of them now, the most popular first.
    func markets(of coin: AssetRow, in catalogue: MarketCatalogue) -> [CoinMarket] {
        let condition = market.condition
        return catalogue.instruments(of: coin).map { instrument in
            guard let known = market.ticker(instrument.id) else { return CoinMarket(instrument) }
            let ticker = TickerBody(known, condition)
            return CoinMarket(instrument, ticker)
        }
    }

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
