import GatewayFrame
import GatewayStream
import Instruments
import MarketData
import MarketState
import MarketStore
import Shapes
import Store

/// Instruments: searching them, one of them, and what moves.
struct InstrumentRoutes: Sendable {
    /// The furthest that a search can be read through.
    private static let depth = 1_000

    private static let text = Parameter.text(
        "q", "Words in any order: symbol, name, asset, venue, kind or category.",
        example: "bitcoin perpetual")
    private static let venue = Parameter.text("venue", "Only of this venue.", example: .venue)
    private static let kind = Parameter.choice("kind", "Only of this kind.", InstrumentKind.self)
    private static let base = asset("base", "Only with this base asset.", example: "BTC")
    private static let quote = asset("quote", "Only with this quote asset.", example: "USD")
    private static let category = Parameter.text("category", "Only with this category.")
    private static let limit = Parameter.integer("limit", "At most so many.", in: 1...500, default: 20)

    /// An asset by any of the names that venues give it.
    private static func asset(_ name: String, _ text: String, example: DocumentNode) -> Parameter<Asset?> {
        let text = Parameter.text(name, text, example: example)
        return Parameter(text.document) { (query) throws(Problem) in
            try query[text].map { MarketCatalogue.common(Asset(rawValue: $0.uppercased())) }
        }
    }

    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/instruments", .market,
            Operation("listInstruments", .market, "Searches instruments, mistakes included."), weight: 2,
            query: .page + [Self.text, Self.venue, Self.kind, Self.base, Self.quote, Self.category]
        ) { context in try await list(context) }
        routes.get(
            "/v1/instruments/{instrument}", .market,
            Operation(
                "getInstrument", .market, "Everything about one instrument.",
                "coin:ID, such as coin:bitcoin, means the most liquid proven market of a coin.")
        ) { context in try await detail(try await services.meant(by: try context.instrument())) }
        routes.get(
            "/v1/trending", .market,
            Operation("listTrending", .market, "What moves most, by volume and price of 24 hours."),
            query: [Self.limit]
        ) { context in try await trending(try context.query[Self.limit]) }
    }

    private func list(_ context: GatewayContext) async throws -> Page<InstrumentBody> {
        let query = context.query
        let page = try context.page(of: "instruments")
        let kind = try query[Self.kind]
        let venue = try query[Self.venue]
        let base = try query[Self.base]
        let quote = try query[Self.quote]
        let category = try query[Self.category]?.lowercased()
        let text = try query[Self.text]
        let skipped = try Self.skipped(page)
        let catalogue = try await services.catalogue.current()
        let found =
            text.map { catalogue.index.search($0, limit: Self.depth).map { ($0.entry, $0.score) } }
            ?? catalogue.instruments.indices.map { ($0, 0) }
        let wanted = found.filter { entry, _ in
            let instrument = catalogue.instruments[entry]
            return (kind == nil || instrument.kind == kind)
                && (venue == nil || instrument.id.venue.rawValue == venue)
                && (base == nil || MarketCatalogue.common(instrument.base) == base)
                && (quote == nil || MarketCatalogue.common(instrument.quote) == quote)
                && (category.map { wanted in
                    (catalogue.asset(of: instrument)?.categories ?? []).contains { $0.lowercased() == wanted }
                } ?? true)
        }
        let items = wanted.dropFirst(skipped).prefix(page.limit).map { entry, score in
            let instrument = catalogue.instruments[entry]
            return InstrumentBody(
                instrument, catalogue, state: state(of: instrument.id), score: score)
        }
        let end = skipped + items.count
        let next = end < wanted.count ? Cursor.text("instruments", "\(end)") : nil
        return Page(items, next: next, freshness: .seconds(60))
    }

    /// How many of a list come before a page whose cursor counts them.
    static func skipped(_ page: PageQuery) throws(Problem) -> Int {
        guard let after = page.after else { return 0 }
        guard let count = Int(after), (1...10_000_000).contains(count) else {
            throw .invalid("cursor", after, accepted: "the \"next\" of a page of this list")
        }
        return count
    }

    private func detail(_ id: InstrumentID) async throws -> OK<InstrumentDetailBody> {
        let catalogue = try await services.catalogue.current()
        let instrument = try await services.instrument(id)
        let pair = (MarketCatalogue.common(instrument.base), MarketCatalogue.common(instrument.quote))
        let listings = catalogue.instruments.filter {
            $0.id != id && (MarketCatalogue.common($0.base), MarketCatalogue.common($0.quote)) == pair
        }
        let market = services.market
        let body = InstrumentDetailBody(
            body: InstrumentBody(instrument, catalogue, state: state(of: id)), instrument: instrument,
            listings: listings.prefix(100).map { .init(id: $0.id, kind: $0.kind) },
            ticker: market.ticker(id).map { TickerBody($0, market.condition) })
        return OK(body, freshness: .seconds(1))
    }

    private func trending(_ limit: Int) async throws -> Page<TrendingItemBody> {
        let catalogue = try await services.catalogue.current()
        let rows = try await services.database.trending(limit: limit)
        let known = Dictionary(catalogue.instruments.map { ($0.id, $0) }) { first, _ in first }
        let bodies =
            rows.isEmpty
            ? TrendingBody.moving(services.market.tickerBodies, limit: limit)
            : rows.map { TrendingBody($0.hour, $0.row) }
        return Page(
            bodies.map { TrendingItemBody($0, known, catalogue) },
            freshness: .seconds(rows.isEmpty ? 5 : 60))
    }

    private func state(of id: InstrumentID) -> String? {
        services.market.ticker(id)?.top?.value.state.name
    }
}

extension GatewayServices {
    /// What is stored of an instrument.
    ///
    /// - Throws: `not-found`.
    func instrument(_ id: InstrumentID) async throws -> Instrument {
        guard let instrument = try await catalogue.instrument(id) else {
            throw Problem.notFound("instrument \(id); /v1/instruments?q= finds what there is")
        }
        return instrument
    }
}
