public import AccountStore
public import Instruments
import Portfolio
public import Store

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
    ///   - now: The time of the change.
    /// - Returns: The portfolio as it is stored.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    public func createPortfolio(
        _ id: PortfolioID, named name: String, base: Asset, of user: UserID, at now: Timestamp
    ) throws(StoreError) -> StoredPortfolio {
        guard try first(LockUser(user)) != nil else { throw .body(PortfolioRefused(.noSuchUser)) }
        try checkName(name, of: user)
        guard base.isCurrency else {
            throw .body(
                PortfolioRefused.fault("base", "\"\(base)\"", "a currency of ISO 4217 such as USD or EUR"))
        }
        let now = now.stored
        let portfolio = StoredPortfolio(
            id: id, user: user, name: name, base: base, change: 0, changed: now, lastNumber: 0, created: now)
        try execute(InsertPortfolio(portfolio: portfolio))
        return portfolio
    }

    /// Gives a portfolio another name.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    public func renamePortfolio(
        _ id: PortfolioID, to name: String, of user: UserID
    ) throws(StoreError) -> StoredPortfolio {
        guard try first(LockUser(user)) != nil else { throw .body(PortfolioRefused(.noSuchUser)) }
        var portfolio = try lockPortfolio(id, of: user)
        guard name != portfolio.name else { return portfolio }
        try checkName(name, of: user)
        portfolio.name = name
        try execute(RenamePortfolio(portfolio: portfolio))
        return portfolio
    }

    private func checkName(_ name: String, of user: UserID) throws(StoreError) {
        guard (1...64).contains(name.utf8.count), name.isPlainLine else {
            throw .body(PortfolioRefused.fault("name", "\"\(name.prefix(80))\"", "one line of 1...64 bytes"))
        }
        guard try first(FindPortfolio(named: name, of: user)) == nil else {
            throw .body(
                PortfolioRefused.fault("name", "\"\(name)\"", "a name that none of your portfolios has"))
        }
    }

    /// Deletes a portfolio: it is not found any more, and what it contained stays for a backup.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    public func deletePortfolio(
        _ id: PortfolioID, of user: UserID, at now: Timestamp
    ) throws(StoreError) {
        let portfolio = try lockPortfolio(id, of: user)
        try execute(MarkPortfolioDeleted(id: id, time: now))
        try followMarkets(of: portfolio, holding: [], at: now.stored)
    }

    /// Adds a wallet to a portfolio, or changes the kind and note of one that it has.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    public func putWallet(
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
        let wallet = StoredWallet(name: name, kind: kind, note: note, created: now)
        try execute(UpsertWallet(portfolio: id, wallet: wallet))
    }

    /// The portfolio, locked: two writers of one portfolio wait for each other here.
    func lockPortfolio(_ id: PortfolioID, of user: UserID) throws(StoreError) -> StoredPortfolio {
        guard let portfolio = try first(LockPortfolio(id: id, user: user)) else {
            throw .body(PortfolioRefused(.noSuchPortfolio(id.description)))
        }
        return portfolio
    }

    /// Numbers a change; its time is later than that of every one before.
    func beginChange(
        _ kind: ChangeKind, of portfolio: inout StoredPortfolio, at now: Timestamp
    ) throws(StoreError) {
        portfolio.change += 1
        portfolio.changed = max(now.stored, portfolio.changed.adding(nanoseconds: 1_000))
        try execute(InsertChange(portfolio: portfolio, kind: kind))
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

struct InsertPortfolio: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO portfolio.portfolio (portfolio_id, user_id, name, base, changed_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $5)
        """

    let portfolio: StoredPortfolio

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.user.rawValue)
        parameters.append(portfolio.name)
        parameters.append(portfolio.base.rawValue)
        parameters.append(timestamp: portfolio.created.nanoseconds)
    }
}

struct RenamePortfolio: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE portfolio.portfolio SET name = $3
        WHERE portfolio_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))
        """

    let portfolio: StoredPortfolio

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.user.rawValue)
        parameters.append(portfolio.name)
    }
}

struct MarkPortfolioDeleted: Statement {
    typealias Row = Void
    static let sql = "UPDATE portfolio.portfolio SET deleted_at = $2 WHERE portfolio_id = $1"

    let id: PortfolioID
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(id.rawValue)
        parameters.append(timestamp: time.nanoseconds)
    }
}

struct LockPortfolio: Statement {
    static let sql = """
        SELECT \(PortfolioColumns.list) FROM portfolio.portfolio AS portfolio
        WHERE portfolio_id = $1 AND \(OwnerPredicate.sql("user_id = $2")) AND deleted_at IS NULL
        FOR NO KEY UPDATE
        """

    let id: PortfolioID
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(id.rawValue)
        parameters.append(user.rawValue)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredPortfolio {
        try PortfolioColumns.read(&row)
    }
}

/// A change and its trace in the portfolio's row, which wakes whoever listens.
struct InsertChange: Statement {
    typealias Row = Void
    static let sql = """
        WITH moved AS (
            UPDATE portfolio.portfolio SET change = $2, changed_at = $3 WHERE portfolio_id = $1
            RETURNING portfolio_id, change, changed_at
        )
        INSERT INTO portfolio.change (portfolio_id, change, made_at, kind)
        SELECT portfolio_id, change, changed_at, $4 FROM moved
        """

    let portfolio: StoredPortfolio
    let kind: ChangeKind

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.change)
        parameters.append(timestamp: portfolio.changed.nanoseconds)
        parameters.append(kind.rawValue)
    }
}

struct UpsertWallet: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO portfolio.wallet (portfolio_id, name, kind, note, created_at)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (portfolio_id, name) DO UPDATE SET kind = excluded.kind, note = excluded.note
        """

    let portfolio: PortfolioID
    let wallet: StoredWallet

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(wallet.name)
        parameters.append(wallet.kind.rawValue)
        parameters.append(wallet.note)
        parameters.append(timestamp: wallet.created.nanoseconds)
    }
}

/// Wallets that rows of an import name and that are not there yet.
struct AddMissingWallets: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO portfolio.wallet (portfolio_id, name, kind, note, created_at)
        SELECT $1, name, 'other', '', $3 FROM unnest($2::text[]) AS named (name)
        ON CONFLICT (portfolio_id, name) DO NOTHING
        """

    let portfolio: PortfolioID
    let names: [String]
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(names)
        parameters.append(timestamp: time.nanoseconds)
    }
}
