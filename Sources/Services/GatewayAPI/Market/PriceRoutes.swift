import Hummingbird
import Instruments
import MarketState
import MarketStore
import Wire

/// Prices: tickers, quotes, index prices.
struct PriceRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get("/v1/tickers", .market, weight: 2, query: ["instruments"]) { _, context in
            try tickers(context)
        }
        routes.get("/v1/tickers/{instrument}", .market) { _, context in
            try await ticker(try context.instrument())
        }
        let memo = AnswerMemo(clock: services.clock)
        routes.get("/v1/quote/{pair}", .market) { request, context in
            try await memo.answer(request) { try await quote(try context.path("pair")) }
        }
        routes.get("/v1/index", .market) { _, context in
            let condition = services.market.condition
            let items = services.market.indices().map { IndexBody($0, condition) }
            return .json(Page(items), freshness: .seconds(1))
        }
        routes.get("/v1/index/{pair}", .market) { _, context in
            let pair = try context.path("pair").uppercased()
            guard let index = services.market.index(pair) else {
                throw Problem.notFound("index price of \"\(pair.prefix(60))\"; /v1/index lists them")
            }
            return .json(IndexBody(index, services.market.condition), freshness: .seconds(1))
        }
    }

    private func tickers(_ context: GatewayContext) throws -> Response {
        let condition = services.market.condition
        guard let text = try context.query.text("instruments", atMost: 10_000) else {
            let all = services.market.tickers().map { TickerBody($0, condition) }
            return .json(Page(all), freshness: .seconds(1))
        }
        let names = text.split(separator: ",")
        guard names.count <= 100 else {
            throw Problem.invalid("instruments", "\(names.count) of them", accepted: "at most 100")
        }
        let ids = try names.map { name in
            guard let id = InstrumentID(String(name)) else {
                throw Problem.invalid(
                    "instruments", String(name), accepted: "VENUE:SYMBOL, separated by commas")
            }
            return id
        }
        let known = services.market.tickers(ids).compactMap { $0.map { TickerBody($0, condition) } }
        return .json(Page(known), freshness: .seconds(1))
    }

    private func ticker(_ id: InstrumentID) async throws -> Response {
        if let ticker = services.market.ticker(id) {
            return .json(TickerBody(ticker, services.market.condition), freshness: .seconds(1))
        }
        _ = try await services.instrument(id)
        var problem = Problem(.unavailable, "nobody on the bus speaks of \(id)")
        problem.retryAfter = 5
        throw problem
    }

    private func quote(_ pair: String) async throws -> Response {
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
                pair: "\(base)-\(quote)", price: price, change24hPercent: best?.ticker.dayChangePercent,
                time: index.time, source: "index", state: index.unavailable ?? "live", text: "")
        } else if let (instrument, ticker) = best {
            body = QuoteBody(
                pair: "\(base)-\(quote)", price: ticker.last ?? ticker.bid,
                change24hPercent: ticker.dayChangePercent, time: ticker.heard,
                source: instrument.id.description, state: ticker.stale ?? "live", text: "")
        } else {
            throw Problem.notFound("price of \(base)-\(quote)")
        }
        body.text = QuoteWords.sentence(
            name: name, price: body.price ?? "", quote: quote.rawValue, changePercent: body.change24hPercent)
        // Who hears it sees no state.
        if body.state != "live" { body.text += ", last known" }
        return .json(body, freshness: .seconds(1))
    }

    /// The instrument of a pair that has a price: spot before contracts on it, then by name.
    private func best(_ instruments: [Instrument]) -> (instrument: Instrument, ticker: TickerBody)? {
        var best: (instrument: Instrument, ticker: TickerBody)?
        for instrument in instruments {
            guard let known = services.market.ticker(instrument.id) else { continue }
            let ticker = TickerBody(known, services.market.condition)
            guard ticker.last != nil || ticker.bid != nil else { continue }
            if best == nil || (best?.instrument.kind != .spot && instrument.kind == .spot) {
                best = (instrument, ticker)
            }
        }
        return best
    }
}
