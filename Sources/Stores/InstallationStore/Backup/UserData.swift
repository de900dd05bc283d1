import AccountStore
import AlertStore
package import Logging
import PortfolioStore
package import Store

/// Everything that people own: who they are, their alerts and portfolios, and what they follow.
///
/// The market's data is not part of it: it comes back from the venues.
package enum UserData {
    /// Writes it and puts it back.
    package static let backup = SchemaBackup(
        [
            .init("accounts", version: AccountSchema.migrator.version),
            .init("alerts", version: AlertSchema.version),
            .init("portfolio", version: PortfolioSchema.version),
        ],
        // Rules name instruments, and whoever owns something wants its market followed; no line of the audit
        // log goes, whatever is put in the place of what it tells of.
        alongside: ["market.instrument", "market.subscription", "accounts.audit"],
        // How far each part of the rules was evaluated, what was removed and what operators were told: there
        // with the first start.
        standing: ["alerts.evaluation", "alerts.retention", "alerts.operator_notice"])

    /// Brings its schemas to this program's version.
    ///
    /// - Throws: `StoreError`.
    package static func migrate(_ configuration: StoreConfiguration, logger: Logger) async throws {
        try await AlertSchema.migrate(configuration, logger: logger)
    }

    /// Makes what is missing of its schemas, and changes none that is there.
    ///
    /// - Throws: As `Migrator.prepare`.
    package static func prepare(
        _ configuration: StoreConfiguration, logger: Logger
    ) async throws(StoreError) {
        for migrator in AlertSchema.migrators { try await migrator.prepare(configuration, logger: logger) }
    }
}
