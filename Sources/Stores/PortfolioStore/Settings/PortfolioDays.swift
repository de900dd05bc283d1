public import AccountStore
import Instruments
public import Portfolio
public import Store

/// The stored days of a portfolio in order; see `portfolio.day`.
public struct ListDays: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT day, value, inflow, outflow FROM portfolio.day
        WHERE portfolio_id = $1 AND \(OwnedPortfolio.sql(1, 2))
        ORDER BY day
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

    /// Reads a day.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> DailyHistory.Day {
        let day = Int64(try row.int32())
        var result = DailyHistory.Day(
            end: Timestamp(nanoseconds: (day + 1) * StoredDays.length), value: try row.amountOrNil())
        (result.inflow, result.outflow) = (try row.amount(), try row.amount())
        return result
    }
}

enum StoredDays {
    static let length: Int64 = 86_400_000_000_000

    /// The UTC day that an instant is in, counted from 1970-01-01.
    static func number(_ time: Timestamp) -> Int32 {
        let (day, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: length)
        return Int32(clamping: rest < 0 ? day - 1 : day)
    }
}

extension Session {
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
    public func putDays(
        _ days: [DailyHistory.Day], of id: PortfolioID, after change: Int64
    ) throws(StoreError) -> Bool {
        guard try first(LockAtChange(portfolio: id, change: change)) != nil else { return false }
        try execute(UpsertDays(portfolio: id, days: days))
        return true
    }

    /// Removes the days that a change of the ledger makes wrong.
    func forgetDays(of id: PortfolioID, from time: Timestamp) throws(StoreError) {
        try execute(DeleteDays(portfolio: id, from: StoredDays.number(time)))
    }
}

struct LockAtChange: Statement {
    static let sql = """
        SELECT change FROM portfolio.portfolio
        WHERE portfolio_id = $1 AND change = $2 AND deleted_at IS NULL
        FOR NO KEY UPDATE
        """

    let portfolio: PortfolioID
    let change: Int64

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(change)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

struct UpsertDays: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO portfolio.day AS old (portfolio_id, day, value, inflow, outflow)
        SELECT $1, day, value, inflow, outflow
        FROM unnest($2::integer[], $3::numeric[], $4::numeric[], $5::numeric[])
            AS new (day, value, inflow, outflow)
        ON CONFLICT (portfolio_id, day) DO UPDATE SET
            value = excluded.value, inflow = excluded.inflow, outflow = excluded.outflow
        WHERE (old.value, old.inflow, old.outflow)
            IS DISTINCT FROM (excluded.value, excluded.inflow, excluded.outflow)
        """

    let portfolio: PortfolioID
    let days: [DailyHistory.Day]

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(days.map { StoredDays.number($0.end.adding(nanoseconds: -1)) })
        parameters.append(days.map { $0.value.flatMap { Numeric($0) } })
        parameters.append(days.map { Numeric($0.inflow) })
        parameters.append(days.map { Numeric($0.outflow) })
    }
}

struct DeleteDays: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM portfolio.day WHERE portfolio_id = $1 AND day >= $2"

    let portfolio: PortfolioID
    let from: Int32

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(from)
    }
}
