import GatewayFrame
import GatewayStream
import Instruments
import MarketState
import MarketStore
import Shapes
import Wire

/// Prices: tickers, quotes, index prices.
struct PriceRoutes: Sendable {
    private static let instruments = Parameter<[InstrumentID]?>(
        "instruments", "At most 100, separated by commas; those that nobody speaks of are left out.",
        .text(length: 0...10_000), example: "kraken:BTC/USD,kraken:ETH/USD"
    ) { (query) throws(Problem) in
        guard let text = try query.text("instruments", atMost: 10_000) else { return nil }
        let names = text.split(separator: ",")
        guard names.count <= 100 else {
            throw .invalid("instruments", "\(names.count) of them", accepted: "at most 100")
        }
        return try names.map { (name) throws(Problem) in
            guard let id = InstrumentID(String(name)) else {
                throw .invalid("instruments", String(name), accepted: "VENUE:SYMBOL, separated by commas")
            }
            return id
        }
    }

    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/tickers", .market,
            Operation("listTickers", .market, "Prices of several instruments, or of all that are followed."),
            weight: 2, query: [Self.instruments]
        ) { context in tickers(try context.query[Self.instruments]) }
        routes.get(
            "/v1/tickers/{instrument}", .market,
            Operation(
                "getTicker", .market, "The price of one instrument.",
                "coin:ID, such as coin:bitcoin, means the most liquid proven market of a coin.")
        ) { context in try await ticker(try await services.meant(by: try context.instrument())) }
        routes.get(
            "/v1/quote/{pair}", .market,
            Operation(
                "getQuote", .market, "One price of a pair, for shortcuts and voices.",
                """
                The index price first, else the price of the instrument of that pair: what is proven before
                what a venue says of itself, spot before contracts, then by turnover. `origin` says which it
                is.
                """),
            keptBy: AnswerCache(clock: services.monotonic)
        ) { context in try await quote(try context.path("pair")) }
        routes.get(
            "/v1/index", .market, Operation("listIndexPrices", .market, "All index prices.")
        ) { _ in
            let condition = services.market.condition
            return Page(
                services.market.indices().map { IndexBody($0, condition) }, freshness: .seconds(1))
        }
        routes.get(
            "/v1/index/{pair}", .market,
            Operation("getIndexPrice", .market, "One index price with what it is made of.")
        ) { context in
            let pair = try context.path("pair").uppercased()
            guard let index = services.market.index(pair) else {
                throw Problem.notFound("index price of \"\(pair.prefix(60))\"; /v1/index lists them")
            }
            return OK(IndexBody(index, services.market.condition), freshness: .seconds(1))
        }
    }

    /// What is known of some instruments, or of all.
    private func tickers(_ ids: [InstrumentID]?) -> Page<TickerBody> {
        let (market, condition) = (services.market, services.market.condition)
        let known = ids.map { market.tickers($0).compactMap { $0 } } ?? market.tickers()
        return Page(known.map { TickerBody($0, condition) }, freshness: .seconds(1))
    }

    private func ticker(_ id: InstrumentID) async throws -> OK<TickerBody> {
        if let ticker = services.market.ticker(id) {
            return OK(TickerBody(ticker, services.market.condition), freshness: .seconds(1))
        }
        _ = try await services.instrument(id)
        var problem = Problem(.unavailable, "nobody on the bus speaks of \(id)")
        problem.retryAfter = 5
        throw problem
    }

    private func quote(_ pair: String) async throws -> OK<QuoteBody> {
        guard let dash = pair.lastIndex(of: "-") else {
            throw Problem.notFound("pair \"\(pair.prefix(60))\"; it is written BASE-QUOTE")
        }
        let base = MarketCatalogue.common(Asset(rawValue: pair[..<dash].uppercased()))
        let quote = MarketCatalogue.common(Asset(rawValue: pair[pair.index(after: dash)...].uppercased()))
        let catalogue = try await services.catalogue.current()
        let market = services.market
        let condition = market.condition
        let best = best(try await services.catalogue.instruments(of: base, quote))
        let index = market.index("\(base)-\(quote)").map { IndexBody($0, condition) }
        let name = catalogue.assets[base]?.name ?? base.rawValue
        var body: QuoteBody
        if let index, let price = index.price {
            body = QuoteBody(
                pair: "\(base)-\(quote)", price: price, changePercent: best?.ticker.dayChangePercent,
                time: index.time, source: "index", state: index.unavailable ?? "live", text: "")
        } else if let (instrument, ticker) = best, let price = ticker.last ?? ticker.bid {
            body = QuoteBody(
                pair: "\(base)-\(quote)", price: price,
                changePercent: ticker.dayChangePercent, time: ticker.receivedTime,
                source: instrument.id.description, state: ticker.stale ?? "live", text: "")
            body.origin = ticker.origin ?? PriceOrigin.ticker.rawValue
        } else {
            throw Problem.notFound("price of \(base)-\(quote)")
        }
        body.text = QuoteText.sentence(
            name: name, price: body.price, quote: quote.rawValue, changePercent: body.changePercent)
        // Who hears it sees no state.
        if body.state != "live" { body.text += ", last known" }
        return OK(body, freshness: .seconds(1))
    }

    /// The market of a pair that says its price best, of now if any is.
    private func best(_ instruments: [Instrument]) -> (instrument: Instrument, ticker: TickerBody)? {
        var tickers: [InstrumentID: TickerBody] = [:]
        var markets: [CoinMarket] = []
        for instrument in instruments {
            guard let known = services.market.ticker(instrument.id) else { continue }
            let ticker = TickerBody(known, services.market.condition)
            guard ticker.last != nil || ticker.bid != nil else { continue }
            tickers[instrument.id] = ticker
            markets.append(CoinMarket(instrument, ticker))
        }
        let best = CoinMarket.best(markets.filter { !$0.isStale }) ?? CoinMarket.best(markets)
        return best.flatMap { market in tickers[market.instrument.id].map { (market.instrument, $0) } }
    }
}
