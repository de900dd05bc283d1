package import Logging
import PortfolioStore
package import Store

/// The schema `alerts`: rules, what they did, and what is to be delivered.
package enum AlertSchema {
    static let migrator = Migrator(
        schema: "alerts",
        migrations: [
            M0001_Rules.self, M0002_Firings.self, M0003_Evaluation.self, M0004_Deliveries.self,
            M0005_Pushes.self, M0006_OwnRows.self, M0007_Pace.self, M0008_Rest.self, M0009_SealedKeys.self,
            M0010_Adoption.self, M0011_Kinds.self, M0012_PublicErrors.self,
            M0013_Quiet.self, M0014_History.self, M0015_OperatorNotices.self,
            M0016_DeletedRules.self, M0017_ReadableTexts.self,
        ])

    /// The version that ``migrate(_:logger:)`` brings it to.
    package static var version: Int { migrator.version }

    /// Channel that is notified when rules changed; for ``Database/listen(to:)``.
    ///
    /// A notification is a hint: ``Store/Session/rules(changedAfter:limit:)`` after it, after each
    /// (re)connection and now and then is the truth.
    package static let ruleChannel = "alerts_rule"

    /// Channel that is notified after firings were stored; for ``Database/listen(to:)``.
    ///
    /// A hint as well: ``Store/Database/claim(by:limit:for:except:)`` now and then is the truth.
    package static let outboxChannel = "alerts_outbox"

    /// Of the schema and those that it refers to, `market`, `accounts`, `portfolio` and `rates`, in their
    /// order.
    package static let migrators = PortfolioSchema.migrators + [migrator]

    /// Brings them to this program's version.
    ///
    /// - Throws: As ``Migrator/migrate(_:logger:)``.
    package static func migrate(_ configuration: StoreConfiguration, logger: Logger) async throws(StoreError)
    {
        for migrator in migrators { try await migrator.migrate(configuration, logger: logger) }
    }
}
