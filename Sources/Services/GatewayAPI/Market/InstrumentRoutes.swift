import Hummingbird
import Instruments
import MarketData
import MarketState
import MarketStore
import Store

/// Instruments: searching them, one of them, and what moves.
struct InstrumentRoutes: Sendable {
    /// The furthest that a search can be read through.
    private static let depth = 1_000

    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/instruments", .market, weight: 2,
            query: .page + ["q", "venue", "kind", "base", "quote", "category"]
        ) { _, context in try await list(context) }
        routes.get("/v1/instruments/{instrument}", .market) { _, context in
            try await detail(try context.instrument())
        }
        routes.get("/v1/trending", .market, query: ["limit"]) { _, context in try await trending(context) }
    }

    private func list(_ context: GatewayContext) async throws -> Response {
        let query = context.query
        let page = try context.page(of: "instruments")
        let kind = try query.choice("kind", InstrumentKind.self)
        let venue = try query.text("venue")
        let base = try query.text("base").map { MarketCatalogue.common(Asset(rawValue: $0.uppercased())) }
        let quote = try query.text("quote").map { MarketCatalogue.common(Asset(rawValue: $0.uppercased())) }
        let category = try query.text("category")?.lowercased()
        let text = try query.text("q")
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
        return .json(Page(items, next: next), freshness: .seconds(60))
    }

    private static func skipped(_ page: PageQuestion) throws(Problem) -> Int {
        guard let after = page.after else { return 0 }
        guard let count = Int(after), (1...10_000_000).contains(count) else {
            throw .invalid("cursor", after, accepted: "the \"next\" of a page of this list")
        }
        return count
    }

    private func detail(_ id: InstrumentID) async throws -> Response {
        let catalogue = try await services.catalogue.current()
        let instrument = try await services.instrument(id)
        let pair = (MarketCatalogue.common(instrument.base), MarketCatalogue.common(instrument.quote))
        let listings = catalogue.instruments.filter {
            $0.id != id && (MarketCatalogue.common($0.base), MarketCatalogue.common($0.quote)) == pair
        }
        let market = services.market
        let body = InstrumentDetailBody(
            body: InstrumentBody(instrument, catalogue, state: state(of: id)), instrument: instrument,
            listings: listings.prefix(100).map {
                .init(
                    instrument: $0.id.description, venue: $0.id.venue.rawValue, kind: $0.kind.rawValue)
            },
            ticker: market.ticker(id).map { TickerBody($0, market.condition) })
        return .json(body, freshness: .seconds(1))
    }

    private func trending(_ context: GatewayContext) async throws -> Response {
        let limit = try context.query.integer("limit", in: 1...500, default: 20)
        let catalogue = try await services.catalogue.current()
        let rows = try await services.database.trending(limit: limit)
        let known = Dictionary(catalogue.instruments.map { ($0.id, $0) }) { first, _ in first }
        let bodies =
            rows.isEmpty
            ? TrendingBody.moving(services.market.tickerBodies, limit: limit)
            : rows.map { TrendingBody($0.hour, $0.row) }
        return .json(
            Page(bodies.map { TrendingItemBody($0, known, catalogue) }),
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
