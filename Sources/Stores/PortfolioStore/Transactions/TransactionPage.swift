public import AccountStore
public import Instruments
public import Portfolio
public import Store

/// A part of the transactions of a portfolio that are in force, the latest first.
public struct TransactionPage: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RevisionColumns.names) FROM portfolio.revision
        WHERE portfolio_id = $1 AND superseded IS NULL AND \(OwnedPortfolio.sql(1, 2))
            AND ($3::text IS NULL OR $3 IN (asset, counter_asset, fee_asset))
            AND ($4::text IS NULL OR $4 IN (wallet, to_wallet)) AND ($5::text IS NULL OR kind = $5)
            AND ($6::bigint IS NULL OR (time, number) < ($6, $7))
        ORDER BY time DESC, number DESC
        LIMIT $8
        """

    /// Which ones; `nil` for any.
    public struct Filter: Hashable, Sendable {
        /// Named as what was moved, given for it, or paid as a fee.
        public var asset: String?
        /// Where from or where to.
        public var wallet: String?
        /// What it was.
        public var kind: TransactionKind?

        /// Takes what is wanted.
        public init(asset: String? = nil, wallet: String? = nil, kind: TransactionKind? = nil) {
            self.asset = asset
            self.wallet = wallet
            self.kind = kind
        }
    }

    private let portfolio: PortfolioID
    private let user: UserID
    private let filter: Filter
    private let last: (time: Timestamp, number: Int64)?
    private let limit: Int32

    /// Names the portfolio and what is wanted of it; with the time and number of the last one that is known
    /// it goes on after that.
    public init(
        of portfolio: PortfolioID, by user: UserID, _ filter: Filter = Filter(),
        after last: (time: Timestamp, number: Int64)? = nil, limit: Int
    ) {
        self.portfolio = portfolio
        self.user = user
        self.filter = filter
        self.last = last
        self.limit = Int32(clamping: limit)
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(user.rawValue)
        parameters.append(filter.asset)
        parameters.append(filter.wallet)
        parameters.append(filter.kind?.rawValue)
        parameters.append(last?.time.nanoseconds)
        parameters.append(last?.number)
        parameters.append(limit)
    }

    /// Reads a transaction.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredTransaction {
        try RevisionColumns.read(&row)
    }
}
