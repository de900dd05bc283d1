package import Instruments
import LedgerFiles
import Portfolio
package import Store

extension Session {
    /// A portfolio as our own JSON: currency, wallets, lot settings, targets and transactions; read again, it
    /// gives the same.
    ///
    /// Inside a transaction of ``TransactionOptions/snapshot``.
    ///
    /// - Parameters:
    ///   - portfolio: Which; whoever asks may see it.
    ///   - moment: Transactions and lot settings as they were recorded then; `nil` for now. Wallets and
    ///     targets have no past.
    ///   - hasHistory: Whether what is no more follows too: every revision of every transaction, changes,
    ///     imports with the lines that added nothing, stored days and links. An import leaves these alone.
    /// - Returns: A document of UTF-8.
    /// - Throws: ``StoreError``.
    package func document(
        of portfolio: StoredPortfolio, at moment: Timestamp? = nil, withHistory hasHistory: Bool = false
    ) throws -> [UInt8] {
        let stored = try ledger(of: portfolio, at: moment)
        var settings = PortfolioSettings()
        settings.base = portfolio.base
        settings.lots = stored.settings
        settings.wallets = try wallets(of: portfolio.id, by: portfolio.user).map {
            PortfolioSettings.Wallet(name: $0.name, kind: $0.kind.rawValue, note: $0.note)
        }
        settings.targets = try targets(of: portfolio.id, by: portfolio.user).map {
            PortfolioSettings.Target(asset: $0.asset, share: $0.share)
        }
        var further = ""
        if hasHistory {
            try export(PortfolioExport.history, of: portfolio.id.rawValue) { further += $0 }
        }
        return LedgerJSON.write(stored.imported.transactions, settings, further: further)
    }
}
