public import Operations

/// What the portfolio service says, and how often.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `producer` | text | portfolio-service | 1...63 bytes |
/// | `publish.interval` | duration | 500ms | 500 ms...1 h |
/// | `history.interval` | duration | 1m | 1 s...24 h |
public struct PortfolioKeepingConfiguration: Sendable {
    /// Name of the publisher on the bus, before a hyphen and the instance; 1...63 bytes.
    public var producer = "portfolio-service"
    /// How often a portfolio that changes is told at most.
    public var publishInterval = Duration.milliseconds(500)
    /// How often days that are missing in the history are looked for.
    public var historyInterval = Duration.seconds(60)

    /// The defaults.
    public init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    public init(settings: Settings) throws(ConfigurationError) {
        producer = settings[Self.producerName]
        guard (1...63).contains(producer.utf8.count) else {
            throw settings.refusal(Self.producerName, value: producer, accepted: "1 to 63 bytes")
        }
        publishInterval = settings[Self.publish]
        historyInterval = settings[Self.history]
    }

    /// Every key that the service reads.
    public static let keys: [ConfigurationKey] = [producerName.key, publish.key, history.key]

    private static let producerName = Setting.text(
        "producer", default: "portfolio-service", "Name of the publisher on the bus, before the instance.")
    private static let publish = Setting.duration(
        "publish.interval", default: .milliseconds(500), in: .milliseconds(500) ... .seconds(3_600),
        "How often a portfolio that changes is told at most.")
    private static let history = Setting.duration(
        "history.interval", default: .seconds(60), in: .seconds(1) ... .seconds(86_400),
        "How often days that are missing in the history are looked for.")
}
