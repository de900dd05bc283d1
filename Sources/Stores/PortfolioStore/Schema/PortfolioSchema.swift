import AccountStore
package import Logging
import MarketStore
package import Store

/// The schema `portfolio`: what people own, how they came to it, and how it is to be reckoned.
package enum PortfolioSchema {
    static let migrator = Migrator(
        schema: "portfolio",
        migrations: [
            M0001_Ledgers.self, M0002_Imports.self, M0003_Views.self, M0004_OwnRows.self,
            M0005_OwnerErasure.self, M0006_Adoption.self, M0007_Checkpoints.self,
            M0008_Deletions.self,
        ])

    /// The version that ``migrate(_:logger:)`` brings it to.
    package static var version: Int { migrator.version }

    /// Channel that is notified when a portfolio changed, with its key; for ``Database/listen(to:)``.
    ///
    /// A notification is a hint: ``Session/activePortfolios(_:)`` after each (re)connection is the truth.
    package static let changeChannel = "portfolio_change"

    /// Of the schema and those that it uses, `market`, `accounts` and `rates`, in their order.
    package static let migrators = [
        MarketSchema.migrator, AccountSchema.migrator, migrator, RateSchema.migrator,
    ]

    /// Brings them to this program's version.
    ///
    /// - Throws: As ``Migrator/migrate(_:logger:)``.
    package static func migrate(_ configuration: StoreConfiguration, logger: Logger) async throws(StoreError)
    {
        for migrator in migrators { try await migrator.migrate(configuration, logger: logger) }
    }
}
