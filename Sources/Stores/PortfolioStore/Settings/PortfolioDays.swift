package import AccountStore
import Instruments
package import Portfolio
package import Store

enum StoredDays {
    /// Nanoseconds.
    static let length: Int64 = 86_400_000_000_000

    /// The UTC day that an instant is in, counted from 1970-01-01.
    static func number(_ time: Timestamp) -> Int32 {
        let (day, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: length)
        return Int32(clamping: rest < 0 ? day - 1 : day)
    }
}

extension Session {
    /// The stored days of a portfolio in order; see `portfolio.day`.
    package func days(of portfolio: PortfolioID, by user: UserID) throws(StoreError) -> [DailyHistory.Day] {
        try rows(
            """
            SELECT day, value, inflow, outflow FROM portfolio.day
            WHERE portfolio_id = \(portfolio) AND \(owned: portfolio, by: user)
            ORDER BY day
            """
        ) { row in
            let day = Int64(try row.int32())
            var result = DailyHistory.Day(
                end: Timestamp(nanoseconds: (day + 1) * StoredDays.length), value: try row.amountOrNil())
            (result.inflow, result.outflow) = (try row.amount(), try row.amount())
            return result
        }
    }

    /// Stores days of a portfolio, unless its ledger changed after they were computed.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - days: Whole days.
    ///   - id: Of which portfolio.
    ///   - change: The change of the portfolio that they were computed from.
    /// - Returns: Whether they were stored.
    /// - Throws: ``StoreError``.
    package func putDays(
        _ days: [DailyHistory.Day], of id: PortfolioID, after change: Int64
    ) throws(StoreError) -> Bool {
        let isCurrent = try exists(
            """
            SELECT FROM portfolio.portfolio
            WHERE portfolio_id = \(id) AND change = \(change) AND deleted_at IS NULL
            FOR NO KEY UPDATE
            """)
        guard isCurrent else { return false }
        let numbers = days.map { StoredDays.number($0.end.adding(nanoseconds: -1)) }
        let (values, inflows, outflows) = (days.map(\.value), days.map(\.inflow), days.map(\.outflow))
        try execute(
            """
            INSERT INTO portfolio.day AS old (portfolio_id, day, value, inflow, outflow)
            SELECT \(id), day, value, inflow, outflow
            FROM unnest(
                    \(numbers)::integer[], \(values)::numeric[],
                    \(inflows)::numeric[], \(outflows)::numeric[])
                AS new (day, value, inflow, outflow)
            ON CONFLICT (portfolio_id, day) DO UPDATE SET
                value = excluded.value, inflow = excluded.inflow, outflow = excluded.outflow
            WHERE (old.value, old.inflow, old.outflow)
                IS DISTINCT FROM (excluded.value, excluded.inflow, excluded.outflow)
            """)
        return true
    }

    /// Removes the days that a change of the ledger makes wrong.
    func forgetDays(of id: PortfolioID, from time: Timestamp) throws(StoreError) {
        try execute(
            "DELETE FROM portfolio.day WHERE portfolio_id = \(id) AND day >= \(StoredDays.number(time))")
    }
}
