public import AccountStore
public import Instruments
public import Store

/// The portfolios of a user by name, without those that were deleted.
public struct ListPortfolios: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(PortfolioColumns.list) FROM portfolio.portfolio AS portfolio
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND deleted_at IS NULL
        ORDER BY name
        """

    private let user: UserID

    /// Names the user.
    public init(of user: UserID) { self.user = user }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    /// Reads a portfolio.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredPortfolio {
        try PortfolioColumns.read(&row)
    }
}

/// One portfolio of a user, unless it was deleted.
public struct FindPortfolio: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(PortfolioColumns.list) FROM portfolio.portfolio AS portfolio
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND deleted_at IS NULL
            AND (name = $2 OR portfolio_id = $3)
        """

    private let user: UserID
    private let name: String?
    private let id: PortfolioID?

    /// By its name.
    public init(named name: String, of user: UserID) {
        self.user = user
        self.name = name
        id = nil
    }

    /// By its key.
    public init(_ id: PortfolioID, of user: UserID) {
        self.user = user
        name = nil
        self.id = id
    }

    /// Appends the user and one of the two.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(name)
        parameters.append(id?.rawValue)
    }

    /// Reads the portfolio.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredPortfolio {
        try PortfolioColumns.read(&row)
    }
}

/// All portfolios of everybody that were not deleted, or those of some keys.
public struct ActivePortfolios: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(PortfolioColumns.list) FROM portfolio.portfolio AS portfolio
        WHERE deleted_at IS NULL AND ($1::boolean OR portfolio_id = ANY ($2))
        ORDER BY portfolio_id
        """

    private let ids: [PortfolioID]?

    /// Names some; `nil` for all.
    public init(_ ids: [PortfolioID]? = nil) { self.ids = ids }

    /// Appends whether all are wanted, and the keys.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(ids == nil)
        parameters.append((ids ?? []).map(\.rawValue))
    }

    /// Reads a portfolio.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredPortfolio {
        try PortfolioColumns.read(&row)
    }
}

/// The wallets of a portfolio by name.
public struct ListWallets: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT name, kind, note, created_at FROM portfolio.wallet
        WHERE portfolio_id = $1 AND \(OwnedPortfolio.sql(1, 2))
        ORDER BY name
        """

    private let portfolio: PortfolioID
    private let user: UserID

    /// Names the portfolio and whose it is.
    public init(of portfolio: PortfolioID, by user: UserID) {
        self.portfolio = portfolio
        self.user = user
    }

    /// Appends both keys.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(user.rawValue)
    }

    /// Reads a wallet.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredWallet {
        let name = try row.text()
        guard let kind = WalletKind(rawValue: try row.text()) else { throw row.refusal() }
        return StoredWallet(name: name, kind: kind, note: try row.text(), created: try row.time())
    }
}

/// The number of the last change of a portfolio at or before a moment; 0 for none.
public struct ChangeAt: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT coalesce(max(change), 0) FROM portfolio.change
        WHERE portfolio_id = $1 AND made_at <= $2 AND \(OwnedPortfolio.sql(1, 3))
        """

    private let portfolio: PortfolioID
    private let user: UserID
    private let time: Timestamp

    /// Names the portfolio, whose it is and the moment.
    public init(of portfolio: PortfolioID, by user: UserID, at time: Timestamp) {
        self.portfolio = portfolio
        self.user = user
        self.time = time
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(timestamp: time.nanoseconds)
        parameters.append(user.rawValue)
    }

    /// Reads the number.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
