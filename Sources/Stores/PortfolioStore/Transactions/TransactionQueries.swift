public import AccountStore
import Instruments
import Portfolio
public import Store

/// The transactions of a portfolio that are in force, or were after a change, by number.
public struct LedgerRows: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RevisionColumns.names) FROM portfolio.revision
        WHERE portfolio_id = $1 AND change <= $2 AND (superseded IS NULL OR superseded > $2)
            AND \(OwnedPortfolio.sql(1, 3))
        ORDER BY number
        """

    private let portfolio: PortfolioID
    private let user: UserID
    private let change: Int64

    /// Names the portfolio, whose it is, and a change, see ``ChangeAt``; `nil` for now.
    public init(of portfolio: PortfolioID, by user: UserID, after change: Int64? = nil) {
        self.portfolio = portfolio
        self.user = user
        self.change = change ?? .max
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(change)
        parameters.append(user.rawValue)
    }

    /// Reads a transaction.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredTransaction {
        try RevisionColumns.read(&row)
    }
}

/// What the transactions in force said before they were edited, by number and revision.
struct EarlierRevisions: Statement {
    static let sql = """
        SELECT \(RevisionColumns.names) FROM portfolio.revision
        WHERE portfolio_id = $1 AND superseded IS NOT NULL AND \(OwnedPortfolio.sql(1, 2))
            AND ($3 OR external_id = ANY ($4))
            AND EXISTS (
                SELECT FROM portfolio.revision AS present
                WHERE present.portfolio_id = $1 AND present.number = revision.number
                    AND present.superseded IS NULL)
        ORDER BY number, revision
        """

    let portfolio: PortfolioID
    let user: UserID
    /// Those with one of these only; `nil` for all.
    var externalIDs: [String]?

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(user.rawValue)
        parameters.append(externalIDs == nil)
        parameters.append(externalIDs ?? [])
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredTransaction {
        try RevisionColumns.read(&row)
    }
}

/// Every revision of one transaction, the first one first.
public struct TransactionHistory: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RevisionColumns.names) FROM portfolio.revision
        WHERE portfolio_id = $1 AND number = $2 AND \(OwnedPortfolio.sql(1, 3))
        ORDER BY revision
        """

    private let portfolio: PortfolioID
    private let user: UserID
    private let number: Int64

    /// Names the transaction and whose it is.
    public init(_ number: Int64, of portfolio: PortfolioID, by user: UserID) {
        self.portfolio = portfolio
        self.user = user
        self.number = number
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(number)
        parameters.append(user.rawValue)
    }

    /// Reads a revision.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredTransaction {
        try RevisionColumns.read(&row)
    }
}

/// A revision on its way into the table.
struct RevisionRow: PortfolioRow {
    static let sql = """
        INSERT INTO portfolio.revision (portfolio_id, \(RevisionColumns.names))
        VALUES (\((1...columnCount).map { "$\($0)" }.joined(separator: ", ")))
        """
    static let copySQL = """
        COPY portfolio.revision (portfolio_id, \(RevisionColumns.names)) FROM STDIN (FORMAT binary)
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
        writer.append(Numeric(transaction.subject.amount))
        for holding in [transaction.counter, transaction.fee] {
            writer.append(holding?.asset.rawValue)
            writer.append(holding.flatMap { Numeric($0.amount) })
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
        parameters.append(Numeric(transaction.subject.amount))
        for holding in [transaction.counter, transaction.fee] {
            parameters.append(holding?.asset.rawValue)
            parameters.append(holding.flatMap { Numeric($0.amount) })
        }
        parameters.append(transaction.externalID)
        parameters.append(transaction.note)
        parameters.append(transaction.tags)
        parameters.append(transaction.priceSource)
        parameters.append(transaction.lots.map(\.stored))
    }
}

/// Ends revisions that are in force.
struct Supersede: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE portfolio.revision SET superseded = $2
        WHERE portfolio_id = $1 AND number = ANY ($3) AND superseded IS NULL
        """

    let portfolio: StoredPortfolio
    let numbers: [Int64]

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.change)
        parameters.append(numbers)
    }
}

/// The highest number that was given.
struct SetLastNumber: Statement {
    typealias Row = Void
    static let sql = "UPDATE portfolio.portfolio SET last_number = $2 WHERE portfolio_id = $1"

    let portfolio: StoredPortfolio

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.lastNumber)
    }
}
