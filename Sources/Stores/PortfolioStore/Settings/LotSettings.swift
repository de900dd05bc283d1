package import AccountStore
package import Instruments
import MarketStore
package import Portfolio
package import Store

extension Session {
    /// How the lots of a portfolio are taken; none for the standard, see ``LotPolicy``.
    ///
    /// - Parameters:
    ///   - portfolio: Which.
    ///   - user: Whose it is.
    ///   - change: As they were after a change, see ``lastChange(of:by:at:)``; `nil` for now.
    /// - Returns: The settings, by the first instant that each holds for.
    /// - Throws: ``StoreError``.
    package func lotSettings(
        of portfolio: PortfolioID, by user: UserID, after change: Int64? = nil
    ) throws(StoreError) -> [LotPolicy.Change] {
        let change: Int64 = change ?? .max
        return try rows(
            """
            SELECT valid_from, method, scope FROM portfolio.lot_setting
            WHERE portfolio_id = \(portfolio)
                AND change <= \(change) AND (superseded IS NULL OR superseded > \(change))
                AND \(owned: portfolio, by: user)
            ORDER BY valid_from
            """
        ) { row in
            let time = try row.nanoseconds()
            let (method, scope) = (try row.word(LotMethod.self), try row.word(LotScope.self))
            return LotPolicy.Change(from: time, method: method, scope: scope)
        }
    }

    /// Replaces how the lots of a portfolio are taken; reports of the past keep what held then.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - changes: Each with the first instant that it holds for, one an instant, at most 100.
    ///   - id: Of which portfolio.
    ///   - user: Whose.
    ///   - now: The time of the change.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func setLots(
        _ changes: [LotPolicy.Change], of id: PortfolioID, of user: UserID, at now: Timestamp
    ) throws(StoreError) {
        var portfolio = try lockPortfolio(id, of: user)
        guard changes.count <= 100, Set(changes.map(\.from)).count == changes.count else {
            throw .body(
                PortfolioRefused.fault(
                    "switch", "\(changes.count) settings", "at most 100, one for each first day"))
        }
        guard try lotSettings(of: id, by: user) != changes.sorted(by: { $0.from < $1.from }) else {
            return
        }
        try beginChange(.lots, of: &portfolio, at: now)
        try execute(
            """
            UPDATE portfolio.lot_setting SET superseded = \(portfolio.change)
            WHERE portfolio_id = \(id) AND superseded IS NULL
            """)
        var batch = StatementBatch()
        for change in changes {
            batch.append(
                """
                INSERT INTO portfolio.lot_setting (portfolio_id, change, valid_from, method, scope)
                VALUES (\(id), \(portfolio.change), \(change.from.nanoseconds), \(change.method.rawValue),
                    \(change.scope.rawValue))
                """)
        }
        try send(batch)
    }
}
