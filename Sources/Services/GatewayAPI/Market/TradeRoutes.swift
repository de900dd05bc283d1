import GatewayFrame
import GatewayStream
import Hummingbird
import Instruments
import MarketData
import MarketStore
import Store

/// The tape, newest first.
struct TradeRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/trades/{instrument}", .market,
            Operation("listTrades", .market, "The tape, newest first."), weight: 2, query: .page(limit: 30)
        ) { context in
            let id = try context.instrument()
            let page = try context.page(of: "trades", limit: 30)
            let place = try page.after.map { text throws(Problem) in try TradeCursor(text) }
            // First of all: for a name that somebody made up nothing is followed.
            _ = try await services.instrument(id)
            let trades = try await trades(id, after: place, limit: page.limit)
            let (items, next) = TradeCursor.cut(trades, limit: page.limit, after: place)
            return Page(
                items.map { TradeBody($0, of: id) }, next: next.map { Cursor.text("trades", $0.text) },
                freshness: .seconds(1))
        }
    }

    /// One more than asked for, so that it is known whether there are more; newest first.
    private func trades(
        _ id: InstrumentID, after place: TradeCursor?, limit: Int
    ) async throws -> [Trade] {
        let count = limit + 1
        if place == nil, count <= TradeRing.limit { return try await services.market.trades(id).reversed() }
        let all = count + (place?.skipped ?? 0)
        // Looked at first: what leaves them meanwhile is stored, or on the way there.
        let newest = services.market.wholeTrades(id) ?? []
        let rows = try await services.database.recentTrades(of: id, limit: all, before: place?.bound)
        let told = newest.reversed().filter { trade in
            place.map { trade.venueTime < $0.bound } ?? true
        }
        return Array(TradeRing.continued(told, by: rows).prefix(all).dropFirst(place?.skipped ?? 0))
    }
}
