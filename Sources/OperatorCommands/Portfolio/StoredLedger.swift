import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Store

/// A portfolio as it is stored, in the form of a file that was read: its lines are numbers of transactions.
struct StoredLedger: Sendable {
    var portfolio: StoredPortfolio
    var imported: ImportedLedger
    var settings: [LotPolicy.Change]
    var base: Asset
    var prices: PriceBook

    /// Reads a portfolio, and the prices of what it names.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - store: Where.
    ///   - moment: As it was recorded then; `nil` for now.
    ///   - needsPrices: Whether prices are wanted.
    ///   - base: The currency that is wanted; `nil` for the portfolio's.
    /// - Returns: The portfolio at that moment.
    /// - Throws: ``CommandFailure``.
    static func read(
        _ name: String, from store: PortfolioStoreOptions, at moment: Timestamp? = nil,
        needsPrices: Bool = false, base: Asset? = nil
    ) async throws -> StoredLedger {
        try await store.use { database in
            let portfolio = try await store.find(name, in: database)
            return try await database.transaction(.snapshot) { session in
                try read(portfolio, session, moment, needsPrices, base ?? portfolio.base)
            }
        }
    }

    private static func read(
        _ portfolio: StoredPortfolio, _ session: borrowing Session, _ moment: Timestamp?,
        _ needsPrices: Bool, _ base: Asset
    ) throws(StoreError) -> StoredLedger {
        var change: Int64?
        if let moment { change = try session.first(ChangeAt(of: portfolio.id, at: moment)) ?? 0 }
        let rows = try session.rows(LedgerRows(of: portfolio.id, after: change))
        var assets: Set<Asset> = []
        for row in rows {
            for holding in [row.transaction.subject, row.transaction.counter, row.transaction.fee] {
                if let holding { assets.insert(holding.asset) }
            }
        }
        let imported = ImportedLedger(
            transactions: rows.map(\.transaction), lines: rows.map { Int($0.number) })
        return StoredLedger(
            portfolio: portfolio, imported: imported,
            settings: try session.rows(LotSettings(of: portfolio.id, after: change)), base: base,
            prices: needsPrices ? PriceBook(try session.dailyCloses(of: assets, in: base)) : PriceBook())
    }
}

extension TransactionOptions {
    /// All that is read is of one moment.
    static var snapshot: TransactionOptions {
        var options = TransactionOptions()
        options.isolation = .repeatableRead
        options.isReadOnly = true
        return options
    }
}
