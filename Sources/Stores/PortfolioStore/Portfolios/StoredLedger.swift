package import Instruments
package import LedgerFiles
package import Portfolio
package import Store

/// A portfolio as it is stored, in the form of a file that was read: its lines are numbers of transactions.
package struct StoredLedger: Sendable {
    package var portfolio: StoredPortfolio
    /// Its transactions.
    package var imported: ImportedLedger
    /// How its lots are taken.
    package var settings: [LotPolicy.Change]
    /// The currency that it is reckoned in.
    package var base: Asset
    /// Whether its wallets are accounts at an exchange, as far as their kinds say.
    package var areExchanges: [String: Bool]
    /// Daily closes of what it names; none unless they were asked for.
    package var prices: PriceHistory
    /// Where prices of the moment are from; none of assets that have a daily close alone.
    package var sources: [Asset: String] = [:]

    /// The same as a document for whoever reckons elsewhere.
    package var document: LedgerDocument {
        LedgerDocument(
            base: base, settings: settings, areExchanges: areExchanges, imported: imported, prices: prices)
    }

    /// Values by prices of the moment where there are any, else by the daily closes; see
    /// ``PriceHistory/take(_:in:)``.
    package mutating func take(_ live: [LivePrice]) {
        sources.merge(prices.take(live, in: base)) { _, new in new }
    }

    /// Its lots, gains and balances.
    ///
    /// - Parameter end: The last instant that counts; `nil` for the newest row or price.
    /// - Returns: The whole reckoning.
    /// - Throws: ``LedgerError``, whose index is a place in ``imported``.
    package func loaded(until end: Timestamp? = nil) throws -> LoadedLedger {
        let policy = LotPolicy(settings: settings)
        let report = try LotReport(
            try imported.ledger(), policy, base: base, prices: prices, until: end)
        var loaded = LoadedLedger(
            imported: imported, report: report, policy: policy, prices: prices, end: end)
        loaded.areExchanges = areExchanges
        loaded.sources = sources
        return loaded
    }
}

extension Session {
    /// Reads a portfolio, and the prices of what it names.
    ///
    /// Inside a transaction of ``TransactionOptions/snapshot``.
    ///
    /// - Parameters:
    ///   - portfolio: Which.
    ///   - moment: As it was recorded then; `nil` for now.
    ///   - needsPrices: Whether prices are wanted.
    ///   - base: The currency that is wanted; `nil` for the portfolio's.
    /// - Returns: The portfolio at that moment.
    /// - Throws: ``StoreError``.
    package func ledger(
        of portfolio: StoredPortfolio, at moment: Timestamp? = nil, needsPrices: Bool = false,
        base: Asset? = nil
    ) throws(StoreError) -> StoredLedger {
        let (id, user) = (portfolio.id, portfolio.user)
        var change: Int64?
        if let moment { change = try lastChange(of: id, by: user, at: moment) }
        let stored = try ledgerRows(of: id, by: user, after: change)
        var assets: Set<Asset> = []
        for row in stored {
            for holding in [row.transaction.subject, row.transaction.counter, row.transaction.fee] {
                if let holding { assets.insert(holding.asset) }
            }
        }
        let imported = ImportedLedger(
            transactions: stored.map(\.transaction), lines: stored.map { Int($0.number) })
        let base = base ?? portfolio.base
        return StoredLedger(
            portfolio: portfolio, imported: imported,
            settings: try lotSettings(of: id, by: user, after: change), base: base,
            areExchanges: Dictionary(
                try wallets(of: id, by: user).compactMap { wallet in
                    wallet.kind.isExchange.map { (wallet.name, $0) }
                }, uniquingKeysWith: { first, _ in first }),
            prices: needsPrices ? PriceHistory(try dailyCloses(of: assets, in: base)) : PriceHistory())
    }
}

extension TransactionOptions {
    /// All that is read is of one moment.
    package static var snapshot: TransactionOptions {
        var options = TransactionOptions()
        options.isolation = .repeatableRead
        options.isReadOnly = true
        return options
    }
}
