import Channels
package import GatewayFrame
package import GatewayStream
package import Operations

/// How the gateway serves, and what its routes keep to.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `vapid.key` | secret | made once and kept | the notifier's, where that has one of its own |
/// | `channels.perUser` | integer | 100 | 1...1000, devices among them |
/// | `channels.perRule` | integer | 16 | 1...16, that one rule names |
/// | `instruments.perUser` | integer | 300 | 1...100000, of watchlists and enabled rules together |
///
/// Besides the keys of ``ServerConfiguration``, ``StreamBudgets``, ``AccountConfiguration``,
/// ``GatewayQuotas``, ``GatewayPools`` and ``DemoConfiguration``.
package struct GatewayConfiguration: Sendable {
    /// How requests are served.
    package var server = ServerConfiguration()
    /// How much of what clients share one of them may have.
    package var budgets = StreamBudgets()
    /// The private key for Web Push, where it is not the one that is kept in the database.
    var vapidKey: Secret?
    /// Alert rules that a user may have switched on at the same time; of the shared setting.
    package var rulesPerUser = 50
    /// The shortest cooldown of a recurring rule; of the shared setting.
    package var leastCooldown = Duration.seconds(1)
    /// Channels that a user may have, devices among them.
    package var channelsPerUser = 100
    /// Channels that one rule may name.
    package var channelsPerRule = 16
    /// Instruments that a user may have followed, for watchlists and enabled rules together.
    package var instrumentsPerUser = 300
    /// What else a user may have.
    var quotas = GatewayQuotas()
    /// Connections to PostgreSQL.
    var pools = GatewayPools()
    /// Who may have an account.
    package var accounts = AccountConfiguration()
    /// Whether the market is a demo's.
    package var demo = DemoConfiguration()

    package init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings) throws(ConfigurationError) {
        server = try ServerConfiguration(settings: settings)
        budgets = StreamBudgets(settings: settings)
        rulesPerUser = settings[SharedSettings.rulesPerUser]
        leastCooldown = settings[SharedSettings.leastCooldown]
        channelsPerUser = settings[Self.userChannels]
        channelsPerRule = settings[Self.ruleChannels]
        instrumentsPerUser = settings[Self.userInstruments]
        quotas = GatewayQuotas(settings: settings)
        pools = GatewayPools(settings: settings)
        if let text = settings[Self.vapid] {
            vapidKey = Secret(base64: text)
            guard vapidKey.flatMap(VAPIDKey.publicText) != nil else {
                throw settings.refusal(
                    Self.vapid, value: "", accepted: "Base64 of the 32 bytes of a private key of P-256")
            }
        }
        accounts = try AccountConfiguration(settings: settings)
        demo = try DemoConfiguration(settings: settings)
    }

    /// Every key that a gateway reads.
    package static let keys: [ConfigurationKey] =
        ServerConfiguration.keys + StreamBudgets.keys
        + [vapid.key, userChannels.key, ruleChannels.key, userInstruments.key]
        + AccountConfiguration.keys + GatewayQuotas.keys + GatewayPools.keys + DemoConfiguration.keys

    private static let vapid = Setting.optionalText(
        "vapid.key", isSecret: true,
        "The notifier's private key for Web Push, where it has one of its own.")
    private static let userChannels = Setting.integer(
        "channels.perUser", default: 100, in: 1...1_000,
        "Channels that a user may have, devices among them.")
    private static let ruleChannels = Setting.integer(
        "channels.perRule", default: 16, in: 1...16, "Channels that one rule may name.")
    private static let userInstruments = Setting.integer(
        "instruments.perUser", default: 300, in: 1...100_000,
        "Instruments that a user may have followed, for watchlists and enabled rules together.")
}
