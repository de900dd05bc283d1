package import AccountStore
package import Instruments
package import LedgerFiles
import MarketStore
package import Portfolio
import Statistics
package import Store

/// A link that shows an anonymised view of a portfolio.
package struct ShareLink: Hashable, Sendable {
    package var id: UniqueID
    package var portfolio: PortfolioID
    package var created: Timestamp
    /// From when on it shows nothing.
    package var expires: Timestamp
    /// When its owner revoked it.
    package var revoked: Timestamp?

    package init(
        id: UniqueID, portfolio: PortfolioID, created: Timestamp, expires: Timestamp,
        revoked: Timestamp? = nil
    ) {
        self.id = id
        self.portfolio = portfolio
        self.created = created.inMicroseconds
        self.expires = expires.inMicroseconds
        self.revoked = revoked
    }
}

extension ShareLink {
    /// `revoked`, `expired` or `open`.
    package func stateName(at now: Timestamp) -> String {
        revoked != nil ? "revoked" : expires <= now ? "expired" : "open"
    }

    /// What opens a link: 64 hexadecimal digits that nobody can guess.
    package static func newSecret(using random: inout some RandomNumberGenerator) -> String {
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
    package func sharedView(at now: Timestamp) throws(FileFault) -> SharedView? {
        let ledger = try imported.ledger()
        let report: LotReport
        do {
            report = try LotReport(
                ledger, LotPolicy(settings: settings), base: base, prices: prices, until: now)
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

extension Session {
    /// Makes a link.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - link: Its key is new, and it expires after it was made.
    ///   - secret: What opens it: 32...128 characters that nobody can guess. Only its SHA-256 is stored.
    ///   - user: Whose the portfolio is.
    ///   - limits: What the portfolio may have.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func addShareLink(
        _ link: ShareLink, secret: String, of user: UserID, limits: PortfolioLimits = PortfolioLimits()
    ) throws(StoreError) {
        _ = try lockPortfolio(link.portfolio, of: user)
        guard (32...128).contains(secret.utf8.count) else {
            throw .body(PortfolioRefused.fault("secret", "too short", "32...128 characters"))
        }
        guard link.expires > link.created else {
            throw .body(
                PortfolioRefused.fault(
                    "expires", link.expires.plain, "an instant after \(link.created.plain)"))
        }
        // Behind the portfolio's lock: of two at once the later one counts the earlier one.
        let week = link.created.adding(nanoseconds: -QuotaFault.newNanoseconds)
        let (open, new) =
            try first(
                """
                SELECT
                    count(*) FILTER (WHERE revoked_at IS NULL AND expires_at > \(link.created)),
                    count(*) FILTER (WHERE created_at > \(week))
                FROM portfolio.share_link WHERE portfolio_id = \(link.portfolio)
                """
            ) { (Int(try $0.int64()), Int(try $0.int64())) } ?? (0, 0)
        guard open < limits.shares else {
            let fault = QuotaFault(
                "shares", count: open + 1, limit: limits.shares, advice: "revoke one first")
            throw .body(PortfolioRefused(.quota(fault)))
        }
        if let fault = QuotaFault.ofMade("shares", inAWeek: new, whereKept: limits.shares) {
            throw .body(PortfolioRefused(.quota(fault)))
        }
        try execute(
            """
            INSERT INTO portfolio.share_link (share_id, portfolio_id, secret_sha256, created_at, expires_at)
            VALUES (\(link.id), \(link.portfolio), encode(sha256(convert_to(\(secret), 'UTF8')), 'hex'),
                \(link.created), \(link.expires))
            """)
    }

    /// The links of a portfolio, the first one first, with those that are over.
    package func shareLinks(of portfolio: PortfolioID, by user: UserID) throws(StoreError) -> [ShareLink] {
        try rows(
            """
            SELECT link.share_id, link.portfolio_id, link.created_at, link.expires_at, link.revoked_at
            FROM portfolio.share_link AS link
            WHERE portfolio_id = \(portfolio) AND \(owned: portfolio, by: user)
            ORDER BY created_at, share_id
            """
        ) { row in
            ShareLink(
                id: try row.uniqueID(), portfolio: PortfolioID(rawValue: try row.uniqueID()),
                created: try row.time(), expires: try row.time(), revoked: try row.timeOrNil())
        }
    }

    /// The portfolio that a secret opens at a moment: none when the link expired, was revoked, or never was,
    /// or its owner's account is disabled.
    package func sharedPortfolio(secret: String, at now: Timestamp) throws(StoreError) -> StoredPortfolio? {
        try first(
            """
            SELECT \(StoredPortfolio.columns)
            FROM portfolio.share_link AS link JOIN portfolio.portfolio AS portfolio USING (portfolio_id)
            WHERE secret_sha256 = encode(sha256(convert_to(\(secret), 'UTF8')), 'hex')
                AND revoked_at IS NULL AND expires_at > \(now) AND deleted_at IS NULL
                AND NOT EXISTS (
                    SELECT FROM accounts.account AS account
                    WHERE account.user_id = portfolio.user_id AND account.disabled_at IS NOT NULL)
            """, StoredPortfolio.init)
    }

    /// Revokes a link of a user's portfolio; false when there is none that is open.
    package func revokeShareLink(
        _ id: UniqueID, of portfolio: PortfolioID, by user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try execute(
            """
            UPDATE portfolio.share_link AS link SET revoked_at = \(now)
            FROM portfolio.portfolio AS portfolio
            WHERE share_id = \(id) AND link.portfolio_id = \(portfolio)
                AND portfolio.portfolio_id = \(portfolio)
                AND \(owner: "portfolio.user_id", is: user) AND revoked_at IS NULL
            """) == 1
    }
}
