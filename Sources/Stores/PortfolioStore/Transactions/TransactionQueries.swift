package import AccountStore
import Instruments
import Portfolio
package import Store

extension Session {
    /// The transactions of a portfolio that are in force, or were after a change.
    ///
    /// - Parameters:
    ///   - portfolio: Which.
    ///   - user: Whose it is.
    ///   - change: See ``lastChange(of:by:at:)``; `nil` for now.
    /// - Returns: Them by number.
    /// - Throws: ``StoreError``.
    package func ledgerRows(
        of portfolio: PortfolioID, by user: UserID, after change: Int64? = nil
    ) throws(StoreError) -> [StoredTransaction] {
        let change: Int64 = change ?? .max
        return try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio)
                AND change <= \(change) AND (superseded IS NULL OR superseded > \(change))
                AND \(owned: portfolio, by: user)
            ORDER BY number
            """, StoredTransaction.init)
    }

    /// The transactions that are in force and of an instant or later, by number.
    func ledgerRows(
        of portfolio: PortfolioID, by user: UserID, since start: Timestamp
    ) throws(StoreError) -> [StoredTransaction] {
        try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND superseded IS NULL AND time >= \(start.nanoseconds)
                AND \(owned: portfolio, by: user)
            ORDER BY number
            """, StoredTransaction.init)
    }

    /// Those of some transactions that are in force, by number.
    package func rowsInForce(
        of portfolio: PortfolioID, by user: UserID, numbers: [Int64]
    ) throws(StoreError) -> [StoredTransaction] {
        try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND superseded IS NULL AND number = ANY (\(numbers))
                AND \(owned: portfolio, by: user)
            ORDER BY number
            """, StoredTransaction.init)
    }

    /// The transactions in force with some external ids, by number.
    func rowsInForce(
        of portfolio: PortfolioID, by user: UserID, externalIDs: [String]
    ) throws(StoreError) -> [StoredTransaction] {
        guard !externalIDs.isEmpty else { return [] }
        return try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND superseded IS NULL AND external_id <> ''
                AND external_id = ANY (\(externalIDs)) AND \(owned: portfolio, by: user)
            ORDER BY number
            """, StoredTransaction.init)
    }

    /// What the transactions in force with some external ids, or once with them, said before they were
    /// edited, by number and revision.
    func earlierRevisions(
        of portfolio: PortfolioID, by user: UserID, externalIDs: [String]
    ) throws(StoreError) -> [StoredTransaction] {
        guard !externalIDs.isEmpty else { return [] }
        return try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND superseded IS NOT NULL AND external_id <> ''
                AND external_id = ANY (\(externalIDs)) AND \(owned: portfolio, by: user)
                AND EXISTS (
                    SELECT FROM portfolio.revision AS present
                    WHERE present.portfolio_id = \(portfolio) AND present.number = revision.number
                        AND present.superseded IS NULL)
            ORDER BY number, revision
            """, StoredTransaction.init)
    }

    /// What the transactions in force said before they were edited, by number and revision.
    func earlierRevisions(
        of portfolio: PortfolioID, by user: UserID
    ) throws(StoreError) -> [StoredTransaction] {
        try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND superseded IS NOT NULL AND \(owned: portfolio, by: user)
                AND EXISTS (
                    SELECT FROM portfolio.revision AS present
                    WHERE present.portfolio_id = \(portfolio) AND present.number = revision.number
                        AND present.superseded IS NULL)
            ORDER BY number, revision
            """, StoredTransaction.init)
    }

    /// Every revision of one transaction, the first one first.
    package func transactionHistory(
        _ number: Int64, of portfolio: PortfolioID, by user: UserID
    ) throws(StoreError) -> [StoredTransaction] {
        try rows(
            """
            SELECT \(StoredTransaction.columns) FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND number = \(number) AND \(owned: portfolio, by: user)
            ORDER BY revision
            """, StoredTransaction.init)
    }
}

/// A revision on its way into the table.
struct RevisionRow: PortfolioRow {
    static let sql = """
        INSERT INTO portfolio.revision (portfolio_id, \(StoredTransaction.columnNames))
        VALUES (\((1...columnCount).map { "$\($0)" }.joined(separator: ", ")))
        """
    static let copySQL = """
        COPY portfolio.revision (portfolio_id, \(StoredTransaction.columnNames)) FROM STDIN (FORMAT binary)
        """
    static let columnCount = 20

    let portfolio: PortfolioID
    let row: StoredTransaction

    func write(_ writer: inout CopyWriter) {
        let transaction = row.transaction
        writer.append(portfolio.rawValue)
        writer.append(row.number)
        writer.append(row.revision)
        writer.append(row.change)
        writer.append(Int64?.none)
        writer.append(transaction.time.nanoseconds)
        writer.append(transaction.kind.rawValue)
        writer.append(transaction.wallet)
        writer.append(transaction.toWallet)
        writer.append(transaction.subject.asset.rawValue)
        writer.append(transaction.subject.amount)
        for holding in [transaction.counter, transaction.fee] {
            writer.append(holding?.asset.rawValue)
            writer.append(holding?.amount)
        }
        writer.append(transaction.externalID)
        writer.append(transaction.note)
        writer.append(transaction.tags)
        writer.append(transaction.priceSource)
        writer.append(transaction.lots.map(\.stored))
    }

    func bind(_ parameters: inout Parameters) {
        let transaction = row.transaction
        parameters.append(portfolio.rawValue)
        parameters.append(row.number)
        parameters.append(row.revision)
        parameters.append(row.change)
        parameters.append(Int64?.none)
        parameters.append(transaction.time.nanoseconds)
        parameters.append(transaction.kind.rawValue)
        parameters.append(transaction.wallet)
        parameters.append(transaction.toWallet)
        parameters.append(transaction.subject.asset.rawValue)
        parameters.append(transaction.subject.amount)
        for holding in [transaction.counter, transaction.fee] {
            parameters.append(holding?.asset.rawValue)
            parameters.append(holding?.amount)
        }
        parameters.append(transaction.externalID)
        parameters.append(transaction.note)
        parameters.append(transaction.tags)
        parameters.append(transaction.priceSource)
        parameters.append(transaction.lots.map(\.stored))
    }
}
