/// The database role that a service signs in as, where an installation has one for each.
///
/// An installation of one person has a single role for all, which owns everything; `bitpal migrate --roles`
/// makes these.
///
/// Source: RELIABILITY S11; PostgreSQL manual 15, 22 "Database Roles".
package enum ServiceRole: String, CaseIterable, Sendable {
    case feedIngestor = "feed-ingestor"
    case bookBuilder = "book-builder"
    case alertEvaluator = "alert-evaluator"
    case portfolioService = "portfolio-service"
    case notifier
    case gateway

    /// Whose everything is; nobody signs in as it.
    package static let owner = "bitpal_owner"

    /// Who migrates without being a superuser: it is the owner from its first statement on.
    package static let migrate = "bitpal_migrate"

    /// What PostgreSQL calls it.
    package var name: String {
        // `bitpal_gateway` is whom the gateway takes on for a user, see GatewayRole: nobody signs in as that.
        self == .gateway ? "bitpal_gateway_service" : "bitpal_" + rawValue.replacing("-", with: "_")
    }

    /// Names of roles that somebody signs in as, by the name of the file that has the URL of each.
    package static let signingIn: [(file: String, role: String)] =
        [("migrate", migrate)] + allCases.map { ($0.rawValue, $0.name) }
}
