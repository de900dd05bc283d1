package import AccountStore
package import Instruments
package import Portfolio
package import Store

/// Which transactions of a portfolio are wanted; `nil` for any.
package struct TransactionFilter: Hashable, Sendable {
    /// Named as what was moved, given for it, or paid as a fee.
    package var asset: String?
    /// Where from or where to.
    package var wallet: String?
    /// What it was.
    package var kind: TransactionKind?

    /// Takes what is wanted.
    package init(asset: String? = nil, wallet: String? = nil, kind: TransactionKind? = nil) {
        self.asset = asset
        self.wallet = wallet
        self.kind = kind
    }
}

extension Session {
    /// A part of the transactions of a portfolio that are in force.
    ///
    /// - Parameters:
    ///   - portfolio: Which.
    ///   - user: Whose it is.
    ///   - filter: What is wanted of it.
    ///   - last: The time and number of the last one that is known: it goes on after that.
    ///   - limit: At most so many.
    /// - Returns: The latest first.
    /// - Throws: ``StoreError``.
    package func transactions(
        of portfolio: PortfolioID, by user: UserID, _ filter: TransactionFilter = TransactionFilter(),
        after last: (time: Timestamp, number: Int64)? = nil, limit: Int
    ) throws(StoreError) -> [StoredTransaction] {
        let (time, number) = (last?.time.nanoseconds, last?.number)
        return try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND superseded IS NULL AND \(owned: portfolio, by: user)
                AND \(matching: filter)
                AND (\(time)::bigint IS NULL OR (time, number) < (\(time), \(number)))
            ORDER BY time DESC, number DESC
            LIMIT \(Int32(clamping: limit))
            """, StoredTransaction.init)
    }

    /// A part of the transactions that are in force, or were after a change, by number.
    ///
    /// - Parameters:
    ///   - portfolio: Which.
    ///   - user: Whose it is.
    ///   - filter: What is wanted of it.
    ///   - change: See ``lastChange(of:by:at:)``; `nil` for now.
    ///   - numbers: Which may be among them.
    ///   - limit: At most so many.
    /// - Returns: The first of them.
    /// - Throws: ``StoreError``.
    package func transactions(
        of portfolio: PortfolioID, by user: UserID, _ filter: TransactionFilter, asOf change: Int64?,
        in numbers: PartialRangeFrom<Int64>, limit: Int
    ) throws(StoreError) -> [StoredTransaction] {
        let change: Int64 = change ?? .max
        return try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND number >= \(numbers.lowerBound)
                AND change <= \(change) AND (superseded IS NULL OR superseded > \(change))
                AND \(owned: portfolio, by: user) AND \(matching: filter)
            ORDER BY number
            LIMIT \(Int32(clamping: limit))
            """, StoredTransaction.init)
    }
}

extension Query.StringInterpolation {
    /// The condition that limits a statement on revisions to what a filter wants.
    fileprivate mutating func appendInterpolation(matching filter: TransactionFilter) {
        appendLiteral("(")
        appendInterpolation(filter.asset)
        appendLiteral("::text IS NULL OR ")
        appendInterpolation(filter.asset)
        appendLiteral(" IN (asset, counter_asset, fee_asset)) AND (")
        appendInterpolation(filter.wallet)
        appendLiteral("::text IS NULL OR ")
        appendInterpolation(filter.wallet)
        appendLiteral(" IN (wallet, to_wallet)) AND (")
        appendInterpolation(filter.kind?.rawValue)
        appendLiteral("::text IS NULL OR kind = ")
        appendInterpolation(filter.kind?.rawValue)
        appendLiteral(")")
    }
}
