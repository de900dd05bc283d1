public import AccountStore
public import Instruments
import Portfolio
public import Store

/// The shares of the whole that an owner wants, by asset.
public struct ListTargets: Statement {
    /// One of them.
    public struct Row: Hashable, Sendable {
        /// The asset.
        public var asset: Asset
        /// Its share of the whole, above 0 and at most 1.
        public var share: Amount
    }

    /// The statement's text.
    public static let sql = """
        SELECT asset, share FROM portfolio.target
        WHERE portfolio_id = $1 AND \(OwnedPortfolio.sql(1, 2))
        ORDER BY asset
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

    /// Reads a target.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        Row(asset: Asset(rawValue: try row.text()), share: try row.amount())
    }
}

extension Session {
    /// Replaces the shares that an owner wants; what they leave of the whole is wanted in the base currency.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    public func setTargets(
        _ targets: [Asset: Amount], of id: PortfolioID, of user: UserID
    ) throws(StoreError) {
        _ = try lockPortfolio(id, of: user)
        for (asset, share) in targets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard share.isPositive, share <= .one, !asset.rawValue.isEmpty else {
                throw .body(
                    PortfolioRefused.fault("target", "\(asset)=\(share)", "a share above 0 and at most 1"))
            }
        }
        let sum = targets.values.reduce(Amount.zero, +)
        guard sum <= .one else {
            throw .body(PortfolioRefused.fault("target", "\(sum) in all", "shares that sum to at most 1"))
        }
        try execute(DeleteTargets(portfolio: id))
        var batch = StatementBatch()
        for (asset, share) in targets {
            batch.append(InsertTarget(portfolio: id, asset: asset, share: share))
        }
        try send(batch)
    }
}

struct DeleteTargets: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM portfolio.target WHERE portfolio_id = $1"

    let portfolio: PortfolioID

    func bind(_ parameters: inout Parameters) { parameters.append(portfolio.rawValue) }
}

struct InsertTarget: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO portfolio.target (portfolio_id, asset, share) VALUES ($1, $2, $3)"

    let portfolio: PortfolioID
    let asset: Asset
    let share: Amount

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(asset.rawValue)
        parameters.append(Numeric(share))
    }
}
