import Operations
import PortfolioStore

/// What one user may have: one more is refused with `conflict`, the number and the limit.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `portfolios.perUser` | integer | 100 | 1...10000 |
/// | `transactions.perPortfolio` | integer | 200000 | 1...100000000, in force |
/// | `revisions.perTransaction` | integer | 50 | 1...10000, the first one among them |
/// | `tags.perTransaction` | integer | 64 | 0...64 |
/// | `shares.perPortfolio` | integer | 50 | 0...10000, links that are open |
/// | `alerts.disabledPerUser` | integer | 1000 | 0...1000000, switched off or done |
/// | `tags.perRule` | integer | 16 | 0...16 |
/// | `tokens.perUser` | integer | 50 | 0...400, in force |
/// | `passkeys.perUser` | integer | 20 | 0...1000 |
///
/// Rules that are switched on are bounded by the shared setting `alerts.perUser`.
struct GatewayQuotas: Sendable {
    /// Of portfolios and what they contain.
    var portfolio = PortfolioLimits()
    /// Alert rules of a user that are switched off or done.
    var disabledRules = 1_000
    /// Tags of one alert rule.
    var ruleTags = 16
    /// Tokens of a user that are in force.
    var tokens = 50
    /// Passkeys of a user.
    var passkeys = 20

    init() {}

    /// Reads what was configured.
    init(settings: Settings) {
        portfolio.portfolios = settings[Self.portfolios]
        portfolio.transactions = settings[Self.transactions]
        portfolio.revisions = settings[Self.revisions]
        portfolio.tags = settings[Self.transactionTags]
        portfolio.shares = settings[Self.shares]
        disabledRules = settings[Self.disabled]
        ruleTags = settings[Self.ruleTags]
        tokens = settings[Self.tokens]
        passkeys = settings[Self.passkeys]
    }

    /// Every key that is read here.
    static let keys: [ConfigurationKey] = [
        portfolios.key, transactions.key, revisions.key, transactionTags.key, shares.key, disabled.key,
        ruleTags.key, tokens.key, passkeys.key,
    ]

    private static let portfolios = Setting.integer(
        "portfolios.perUser", default: 100, in: 1...10_000, "Portfolios of a user.")
    private static let transactions = Setting.integer(
        "transactions.perPortfolio", default: 200_000, in: 1...100_000_000,
        "Transactions of a portfolio that are in force.")
    private static let revisions = Setting.integer(
        "revisions.perTransaction", default: 50, in: 1...10_000,
        "Revisions of a transaction, the first one among them.")
    private static let transactionTags = Setting.integer(
        "tags.perTransaction", default: 64, in: 0...64, "Tags of a transaction.")
    private static let shares = Setting.integer(
        "shares.perPortfolio", default: 50, in: 0...10_000, "Links of a portfolio that are open.")
    private static let disabled = Setting.integer(
        "alerts.disabledPerUser", default: 1_000, in: 0...1_000_000,
        "Alert rules of a user that are switched off or done.")
    private static let ruleTags = Setting.integer(
        "tags.perRule", default: 16, in: 0...16, "Tags of an alert rule.")
    private static let tokens = Setting.integer(
        "tokens.perUser", default: 50, in: 0...400, "Tokens of a user that are in force.")
    private static let passkeys = Setting.integer(
        "passkeys.perUser", default: 20, in: 0...1_000, "Passkeys of a user.")
}
