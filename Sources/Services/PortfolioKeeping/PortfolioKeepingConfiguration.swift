package import Operations

/// What the portfolio service says, and how often, and whom it asks.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `producer` | text | portfolio-service | 1...63 bytes |
/// | `publish.interval` | duration | 500ms | 500 ms...1 h |
/// | `history.interval` | duration | 1m | 1 s...24 h |
/// | `leases.duration` | duration | 5s | 1 s...60 s |
/// | `rates.address` | text | the European Central Bank's | http, https; `none` asks nobody |
/// | `backfill.enabled` | flag | true | |
/// | `backfill.restURL` | text | each venue's public address | http, https; /VENUE is appended |
package struct PortfolioKeepingConfiguration: Sendable {
    /// Name of the publisher on the bus, before a hyphen and the instance; 1...63 bytes.
    package var producer = "portfolio-service"
    /// How often a portfolio that changes is told at most.
    package var publishInterval = Duration.milliseconds(500)
    /// How often days that are missing in the history are looked for.
    package var historyInterval = Duration.seconds(60)
    /// How long a dead instance's portfolios stay its own; leases are tended four times as often.
    package var leaseDuration = Duration.seconds(5)
    /// Where the files of reference rates are, without a slash at the end; empty when nobody is asked.
    package var ratesAddress = ""
    /// Whether venues are asked for the daily candles of what is held.
    package var isBackfilling = false
    /// Where they are asked instead of their public addresses; `/VENUE` is appended.
    package var backfillURL: String?

    /// The defaults, and nobody is asked for anything.
    package init() {}

    /// Reads what was configured.
    ///
    /// - Parameters:
    ///   - settings: Of the service.
    ///   - simulator: Address of the simulator that stands for everybody who is not configured.
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings, simulator: String? = nil) throws(ConfigurationError) {
        producer = settings[Self.producerName]
        guard (1...63).contains(producer.utf8.count) else {
            throw settings.refusal(Self.producerName, value: producer, accepted: "1 to 63 bytes")
        }
        publishInterval = settings[Self.publish]
        historyInterval = settings[Self.history]
        leaseDuration = settings[Self.leases]
        isBackfilling = settings[Self.backfill]
        backfillURL = try Self.address(Self.restURL, settings) ?? simulator
        let usual = simulator.map { "\($0)/ecb/stats/eurofxref" } ?? EuroRateUpdate.publicAddress
        if settings[Self.rates] != "none" {
            ratesAddress = try Self.address(Self.rates, settings) ?? usual
        }
    }

    private static func address(
        _ setting: Setting<String?>, _ settings: Settings
    ) throws(ConfigurationError) -> String? {
        guard var address = settings[setting], !address.isEmpty else { return nil }
        while address.hasSuffix("/") { address.removeLast() }
        guard ["http://", "https://"].contains(where: { address.hasPrefix($0) && address != $0 }) else {
            throw settings.refusal(
                setting, value: address, accepted: "an address such as https://www.example.org")
        }
        return address
    }

    /// Every key that the service reads.
    package static let keys: [ConfigurationKey] = [
        producerName.key, publish.key, history.key, leases.key, rates.key, backfill.key, restURL.key,
    ]

    private static let producerName = Setting.text(
        "producer", default: "portfolio-service", "Name of the publisher on the bus, before the instance.")
    private static let publish = Setting.duration(
        "publish.interval", default: .milliseconds(500), in: .milliseconds(500) ... .seconds(3_600),
        "How often a portfolio that changes is told at most.")
    private static let history = Setting.duration(
        "history.interval", default: .seconds(60), in: .seconds(1) ... .seconds(86_400),
        "How often days that are missing in the history are looked for.")
    private static let leases = Setting.duration(
        "leases.duration", default: .seconds(5), in: .seconds(1) ... .seconds(60),
        "How long a dead instance's portfolios stay its own.")
    private static let rates = Setting.optionalText(
        "rates.address",
        "Where eurofxref-daily.xml is, such as https://www.ecb.europa.eu/stats/eurofxref; none asks nobody.")
    private static let backfill = Setting.flag(
        "backfill.enabled", default: true, "Whether venues are asked for daily candles of what is held.")
    private static let restURL = Setting.optionalText(
        "backfill.restURL", "Where venues are asked, as the simulator serves them: /VENUE is appended.")
}
