import Instruments
import Portfolio
import PortfolioStore
import Store

extension StoredLedger {
    /// Reads a portfolio by its name, and the prices of what it names.
    ///
    /// - Throws: ``CommandFailure``.
    static func read(
        _ name: String, from store: PortfolioStoreOptions, at moment: Timestamp? = nil,
        needsPrices: Bool = false, base: Asset? = nil
    ) async throws -> StoredLedger {
        try await store.use { database in
            let portfolio = try await store.find(name, in: database)
            return try await database.transaction(.snapshot) { session in
                try session.ledger(of: portfolio, at: moment, needsPrices: needsPrices, base: base)
            }
        }
    }
}
