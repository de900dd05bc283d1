package import AccountStore
package import Instruments
import MarketStore
import Portfolio
package import Store

extension Session {
    /// Makes a portfolio.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - id: A key that no portfolio has or had, see ``UniqueID/init(version7At:using:)``.
    ///   - name: 1...64 bytes that no other portfolio of the user has.
    ///   - base: A currency of ISO 4217.
    ///   - user: Whose.
    ///   - limits: What the user may have.
    ///   - now: The time of the change.
    /// - Returns: The portfolio as it is stored.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func createPortfolio(
        _ id: PortfolioID, named name: String, base: Asset, of user: UserID,
        limits: PortfolioLimits = PortfolioLimits(), at now: Timestamp
    ) throws(StoreError) -> StoredPortfolio {
        guard try lockUser(user) else { throw .body(PortfolioRefused(.noSuchUser)) }
        try checkRoom(forPortfolioOf: user, limits)
        try checkName(name, of: user)
        guard base.isCurrency else {
            throw .body(
                PortfolioRefused.fault("base", "\"\(base)\"", "a currency of ISO 4217 such as USD or EUR"))
        }
        let now = now.inMicroseconds
        let portfolio = StoredPortfolio(
            id: id, user: user, name: name, base: base, change: 0, changed: now, lastNumber: 0, created: now)
        try execute(
            """
            INSERT INTO portfolio.portfolio (portfolio_id, user_id, name, base, changed_at, created_at)
            VALUES (\(id), \(user), \(name), \(base.rawValue), \(now), \(now))
            """)
        return portfolio
    }

    /// Gives a portfolio another name.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func renamePortfolio(
        _ id: PortfolioID, to name: String, of user: UserID
    ) throws(StoreError) -> StoredPortfolio {
        guard try lockUser(user) else { throw .body(PortfolioRefused(.noSuchUser)) }
        var portfolio = try lockPortfolio(id, of: user)
        guard name != portfolio.name else { return portfolio }
        try checkName(name, of: user)
        portfolio.name = name
        try execute(
            """
            UPDATE portfolio.portfolio SET name = \(name)
            WHERE portfolio_id = \(id) AND \(owner: "user_id", is: portfolio.user)
            """)
        return portfolio
    }

    private func checkName(_ name: String, of user: UserID) throws(StoreError) {
        guard (1...64).contains(name.utf8.count), name.isPlainLine else {
            throw .body(PortfolioRefused.fault("name", "\"\(name.prefix(80))\"", "one line of 1...64 bytes"))
        }
        guard try findPortfolio(named: name, of: user) == nil else {
            throw .body(
                PortfolioRefused.fault("name", "\"\(name)\"", "a name that none of your portfolios has"))
        }
    }

    /// Deletes a portfolio: it is not found any more, and what it contained stays for a week.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func deletePortfolio(
        _ id: PortfolioID, of user: UserID, at now: Timestamp
    ) throws(StoreError) {
        let portfolio = try lockPortfolio(id, of: user)
        try execute("UPDATE portfolio.portfolio SET deleted_at = \(now) WHERE portfolio_id = \(id)")
        try followMarkets(of: portfolio, holding: [], at: now.inMicroseconds)
    }

    /// Adds a wallet to a portfolio, or changes the kind and note of one that it has.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func putWallet(
        _ name: String, kind: WalletKind, note: String = "", in id: PortfolioID, of user: UserID,
        at now: Timestamp
    ) throws(StoreError) {
        _ = try lockPortfolio(id, of: user)
        guard (1...128).contains(name.utf8.count), name.isPlainLine else {
            throw .body(
                PortfolioRefused.fault("wallet", "\"\(name.prefix(140))\"", "one line of 1...128 bytes"))
        }
        guard note.utf8.count <= 4_096, note.utf8.allSatisfy({ $0 != 0 }) else {
            throw .body(PortfolioRefused.fault("note", "\(note.utf8.count) bytes", "at most 4096 bytes"))
        }
        try execute(
            """
            INSERT INTO portfolio.wallet (portfolio_id, name, kind, note, created_at)
            VALUES (\(id), \(name), \(kind.rawValue), \(note), \(now))
            ON CONFLICT (portfolio_id, name) DO UPDATE SET kind = excluded.kind, note = excluded.note
            """)
    }

    /// The portfolio, locked: two writers of one portfolio wait for each other here.
    func lockPortfolio(_ id: PortfolioID, of user: UserID) throws(StoreError) -> StoredPortfolio {
        let portfolio = try first(
            """
            SELECT \(StoredPortfolio.columns) FROM portfolio.portfolio AS portfolio
            WHERE portfolio_id = \(id) AND \(owner: "user_id", is: user) AND deleted_at IS NULL
            FOR NO KEY UPDATE
            """, StoredPortfolio.init)
        guard let portfolio else {
            throw .body(PortfolioRefused(.noSuchPortfolio(id.description)))
        }
        return portfolio
    }

    /// Numbers a change; its time is later than that of every one before.
    ///
    /// The checkpoint goes along: whoever changes transactions puts what they come to afterwards.
    func beginChange(
        _ kind: ChangeKind, of portfolio: inout StoredPortfolio, at now: Timestamp
    ) throws(StoreError) {
        portfolio.change += 1
        portfolio.changed = max(now.inMicroseconds, portfolio.changed.adding(nanoseconds: 1_000))
        // Its trace in the portfolio's row wakes whoever listens.
        try execute(
            """
            WITH moved AS (
                UPDATE portfolio.portfolio
                SET change = \(portfolio.change), changed_at = \(portfolio.changed),
                    balanced = CASE WHEN balanced = change THEN change + 1 END
                WHERE portfolio_id = \(portfolio.id)
                RETURNING portfolio_id, change, changed_at
            )
            INSERT INTO portfolio.change (portfolio_id, change, made_at, kind)
            SELECT portfolio_id, change, changed_at, \(kind.rawValue) FROM moved
            """)
    }
}

/// What a change did.
enum ChangeKind: String {
    case added, edited, removed, imported, lots
}

extension String {
    /// Whether a person can read it on one line: no control characters.
    var isPlainLine: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
