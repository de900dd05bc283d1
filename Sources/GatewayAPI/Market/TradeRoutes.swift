import Hummingbird
import Instruments
import MarketData
import MarketStore
import Store

/// The tape, newest first.
struct TradeRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get("/v1/trades/{instrument}", .market, weight: 2, query: .page) { _, context in
            let id = try context.instrument()
            let page = try context.page(of: "trades", limit: 30)
            let trades = try await trades(id, page)
            if trades.isEmpty, page.after == nil { _ = try await services.instrument(id) }
            let (items, next) = Self.cut(trades, limit: page.limit)
            return .json(
                Page(
                    items.map { TradeBody($0, of: id) },
                    next: next.map { Cursor.text("trades", "\($0.nanoseconds)") }),
                freshness: .seconds(1))
        }
    }

    /// One more than asked for, so that it is known whether there are more; newest first.
    private func trades(_ id: InstrumentID, _ page: PageQuestion) async throws -> [Trade] {
        let count = page.limit + 1
        if let after = page.after {
            guard let nanoseconds = Int64(after) else {
                throw Problem.invalid("cursor", after, accepted: "the \"next\" of a page of this list")
            }
            let before = Timestamp(nanoseconds: nanoseconds)
            return try await services.database.rows(RecentTrades(id, limit: count, before: before))
        }
        // What is newer than the database comes from the bus.
        if count <= TradeRing.limit { return try await services.market.trades(id).trades.reversed() }
        return try await services.database.rows(RecentTrades(id, limit: count))
    }

    /// A page that does not end among trades of one instant: the next begins before its last instant.
    static func cut(_ trades: [Trade], limit: Int) -> (items: [Trade], next: Timestamp?) {
        guard trades.count > limit else { return (trades, nil) }
        var items = Array(trades.prefix(limit))
        let following = trades[limit].venueTime
        let whole = items.filter { $0.venueTime != following }
        // More trades in one instant than fit: the page ends there regardless, rather than never.
        if !whole.isEmpty { items = whole }
        return (items, items.last?.venueTime)
    }
}
