import GatewayFrame

/// What each client has of what all share, see ``StreamBudgets``.
package struct StreamLimits: Sendable {
    /// Live connections.
    package let connections: ClientLimit
    /// Subscriptions.
    let subscriptions: ClientLimit
    /// Those to trades and candles.
    let tapes: ClientLimit

    /// - Parameters:
    ///   - budgets: What one address or user may have.
    ///   - connectionLimit: Connections of any kind that the server has.
    package init(_ budgets: StreamBudgets = StreamBudgets(), connectionLimit: Int = 4_096) {
        connections = ClientLimit(
            of: "live connections", ofUser: budgets.streams.perUser,
            ofAddress: min(budgets.streams.perAddress, connectionLimit / 2))
        subscriptions = ClientLimit(
            of: "subscriptions", ofUser: budgets.subscriptions.perUser,
            ofAddress: budgets.subscriptions.perAddress)
        tapes = ClientLimit(
            of: "subscriptions to trades and candles", ofUser: budgets.tapes.perUser,
            ofAddress: budgets.tapes.perAddress)
    }

    /// What a subscription takes, as long as it is held.
    ///
    /// - Throws: `rate-limited` with the number that is reached.
    func take(
        _ channel: StreamChannel, for caller: RateLimiter.Caller
    ) throws(Problem) -> [ClientLimit.Permit] {
        let place = try subscriptions.take(for: caller)
        switch channel {
        case .trades, .candles: return [place, try tapes.take(for: caller)]
        case .ticker, .book, .index, .venues, .trending, .status, .watchlist, .alerts, .portfolio:
            return [place]
        }
    }
}
