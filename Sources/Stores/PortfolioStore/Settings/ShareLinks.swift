public import AccountStore
public import Instruments
public import LedgerFiles
public import Portfolio
import Statistics
public import Store

/// A link that shows an anonymised view of a portfolio.
public struct ShareLink: Hashable, Sendable {
    /// The key.
    public var id: UniqueID
    /// Of which portfolio.
    public var portfolio: PortfolioID
    /// When it was made.
    public var created: Timestamp
    /// From when on it shows nothing.
    public var expires: Timestamp
    /// When its owner revoked it.
    public var revoked: Timestamp?

    /// Describes a link.
    public init(
        id: UniqueID, portfolio: PortfolioID, created: Timestamp, expires: Timestamp,
        revoked: Timestamp? = nil
    ) {
        self.id = id
        self.portfolio = portfolio
        self.created = created.stored
        self.expires = expires.stored
        self.revoked = revoked
    }
}

extension ShareLink {
    /// `revoked`, `expired` or `open`.
    public func stateName(at now: Timestamp) -> String {
        revoked != nil ? "revoked" : expires <= now ? "expired" : "open"
    }

    /// What opens a link: 64 hexadecimal digits that nobody can guess.
    public static func newSecret(using random: inout some RandomNumberGenerator) -> String {
        (0..<4).map { _ in
            let digits = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension StoredLedger {
    /// What a link shows at a moment; `nil` while a price is missing.
    ///
    /// - Throws: `FileFault` when the ledger does not hold together.
    public func sharedView(at now: Timestamp) throws(FileFault) -> SharedView? {
        let ledger = try imported.ledger()
        let report: LotReport
        do {
            report = try LotReport(ledger, LotPolicy(settings: settings), base: base, prices: prices)
        } catch {
            throw imported.fault(of: error)
        }
        let history = DailyHistory(ledger, base: base, prices: prices, until: now)
        let performance = history.series.map { PerformanceFigures($0).timeWeightedReturn } ?? nil
        return SharedView(
            Valuation(report, prices: prices, at: now),
            timeWeightedReturn: performance.flatMap { try? Amount(parsing: "\($0)") })
    }
}

enum ShareColumns {
    static let list = "link.share_id, link.portfolio_id, link.created_at, link.expires_at, link.revoked_at"

    static func read(_ row: inout RowReader) throws(StoreError) -> ShareLink {
        ShareLink(
            id: try row.uniqueID(), portfolio: PortfolioID(rawValue: try row.uniqueID()),
            created: try row.time(), expires: try row.time(), revoked: try row.timeOrNil())
    }
}

/// The links of a portfolio, the first one first, with those that are over.
public struct ListShareLinks: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(ShareColumns.list) FROM portfolio.share_link AS link
        WHERE portfolio_id = $1 AND \(OwnedPortfolio.sql(1, 2))
        ORDER BY created_at, share_id
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

    /// Reads a link.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> ShareLink {
        try ShareColumns.read(&row)
    }
}

/// The portfolio that a secret opens at a moment: none when the link expired, was revoked, or never was, or
/// its owner's account is disabled.
public struct OpenShareLink: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(PortfolioColumns.list)
        FROM portfolio.share_link AS link JOIN portfolio.portfolio AS portfolio USING (portfolio_id)
        WHERE secret_sha256 = encode(sha256(convert_to($1, 'UTF8')), 'hex')
            AND revoked_at IS NULL AND expires_at > $2 AND deleted_at IS NULL
            AND NOT EXISTS (
                SELECT FROM accounts.account AS account
                WHERE account.user_id = portfolio.user_id AND account.disabled_at IS NOT NULL)
        """

    private let secret: String
    private let time: Timestamp

    /// Takes a link's secret and the time.
    public init(secret: String, at time: Timestamp) {
        self.secret = secret
        self.time = time
    }

    /// Appends both.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(secret)
        parameters.append(timestamp: time.nanoseconds)
    }

    /// Reads the portfolio.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredPortfolio {
        try PortfolioColumns.read(&row)
    }
}

/// Revokes a link of a user's portfolio; `execute` returns 1, or 0 when there is none that is open.
public struct RevokeShareLink: Statement {
    /// No rows.
    public typealias Row = Void
    /// The statement's text.
    public static let sql = """
        UPDATE portfolio.share_link AS link SET revoked_at = $4
        FROM portfolio.portfolio AS portfolio
        WHERE share_id = $1 AND link.portfolio_id = $2 AND portfolio.portfolio_id = $2
            AND \(OwnerPredicate.sql("portfolio.user_id = $3")) AND revoked_at IS NULL
        """

    private let id: UniqueID
    private let portfolio: PortfolioID
    private let user: UserID
    private let time: Timestamp

    /// Names the link, the portfolio and whose it is.
    public init(_ id: UniqueID, of portfolio: PortfolioID, of user: UserID, at time: Timestamp) {
        self.id = id
        self.portfolio = portfolio
        self.user = user
        self.time = time
    }

    /// Appends all four.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(portfolio.rawValue)
        parameters.append(user.rawValue)
        parameters.append(timestamp: time.nanoseconds)
    }
}

extension Session {
    /// Makes a link.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - link: Its key is new, and it expires after it was made.
    ///   - secret: What opens it: 32...128 characters that nobody can guess. Only its SHA-256 is stored.
    ///   - user: Whose the portfolio is.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    public func addShareLink(_ link: ShareLink, secret: String, of user: UserID) throws(StoreError) {
        _ = try lockPortfolio(link.portfolio, of: user)
        guard (32...128).contains(secret.utf8.count) else {
            throw .body(PortfolioRefused.fault("secret", "too short", "32...128 characters"))
        }
        guard link.expires > link.created else {
            throw .body(
                PortfolioRefused.fault(
                    "expires", link.expires.plain, "an instant after \(link.created.plain)"))
        }
        try execute(InsertShareLink(link: link, secret: secret))
    }
}

struct InsertShareLink: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO portfolio.share_link (share_id, portfolio_id, secret_sha256, created_at, expires_at)
        VALUES ($1, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'), $4, $5)
        """

    let link: ShareLink
    let secret: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(link.id)
        parameters.append(link.portfolio.rawValue)
        parameters.append(secret)
        parameters.append(timestamp: link.created.nanoseconds)
        parameters.append(timestamp: link.expires.nanoseconds)
    }
}
