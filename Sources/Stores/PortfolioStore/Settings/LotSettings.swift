public import AccountStore
public import Instruments
public import Portfolio
public import Store

/// How the lots of a portfolio are taken, now or after a change; none for the standard, see ``LotPolicy``.
public struct LotSettings: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT valid_from, method, scope FROM portfolio.lot_setting
        WHERE portfolio_id = $1 AND change <= $2 AND (superseded IS NULL OR superseded > $2)
            AND \(OwnedPortfolio.sql(1, 3))
        ORDER BY valid_from
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

    /// Reads a setting.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> LotPolicy.Change {
        let time = Timestamp(nanoseconds: try row.int64())
        guard let method = LotMethod(rawValue: try row.text()),
            let scope = LotScope(rawValue: try row.text())
        else { throw row.refusal() }
        return LotPolicy.Change(from: time, method: method, scope: scope)
    }
}

extension LotPolicy {
    /// What settings say; the standard before the first of them.
    public init(settings: [Change]) {
        if let first = settings.first, first.from.nanoseconds == .min {
            self.init(first.method, first.scope, then: Array(settings.dropFirst()))
        } else {
            self.init(then: settings)
        }
    }
}

extension Session {
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
    public func setLots(
        _ changes: [LotPolicy.Change], of id: PortfolioID, of user: UserID, at now: Timestamp
    ) throws(StoreError) {
        var portfolio = try lockPortfolio(id, of: user)
        guard changes.count <= 100, Set(changes.map(\.from)).count == changes.count else {
            throw .body(
                PortfolioRefused.fault(
                    "switch", "\(changes.count) settings", "at most 100, one for each first day"))
        }
        guard try rows(LotSettings(of: id, by: user)) != changes.sorted(by: { $0.from < $1.from }) else {
            return
        }
        try beginChange(.lots, of: &portfolio, at: now)
        try execute(SupersedeLots(portfolio: portfolio))
        var batch = StatementBatch()
        for change in changes { batch.append(InsertLotSetting(portfolio: portfolio, setting: change)) }
        try send(batch)
    }
}

struct SupersedeLots: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE portfolio.lot_setting SET superseded = $2 WHERE portfolio_id = $1 AND superseded IS NULL
        """

    let portfolio: StoredPortfolio

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.change)
    }
}

struct InsertLotSetting: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO portfolio.lot_setting (portfolio_id, change, valid_from, method, scope)
        VALUES ($1, $2, $3, $4, $5)
        """

    let portfolio: StoredPortfolio
    let setting: LotPolicy.Change

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.change)
        parameters.append(setting.from.nanoseconds)
        parameters.append(setting.method.rawValue)
        parameters.append(setting.scope.rawValue)
    }
}
