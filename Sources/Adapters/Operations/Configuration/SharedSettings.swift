package import Logging

/// The keys that every process understands; each may be given for all (`BITPAL_BUS`) or for one service
/// (`BITPAL_FEED_INGESTOR_BUS`), which wins.
package enum SharedSettings {
    /// The bus-broker's address to publish to; the two ports after it are to subscribe from and to ask for
    /// state.
    package static let bus = Setting.text(
        "bus", default: "tcp://127.0.0.1:7411",
        "Address of the bus; its next two ports are for subscribers and for state.")
    /// What a client of an encrypted bus shows, or the broker's own keys; missing where the bus takes
    /// everybody.
    package static let busKeyFile = Setting.optionalText(
        "busKeyFile", "The file with this service's keys to the bus, of `bitpal keys`; else in the clear.")
    /// PostgreSQL; missing where a process brings its own or needs none.
    package static let databaseURL = Setting.optionalText(
        "database.url", isSecret: true, "URL of PostgreSQL (postgresql://user:password@host:port/name).")
    /// Alert rules that a user may have switched on at the same time, for whoever makes them.
    package static let rulesPerUser = Setting.integer(
        "alerts.perUser", default: 50, in: 1...1_000_000,
        "Alert rules that a user may have switched on at the same time.")
    /// The shortest cooldown of a recurring rule, for whoever makes or evaluates rules.
    package static let leastCooldown = Setting.duration(
        "alerts.leastCooldown", default: .seconds(1), in: .zero ... .seconds(3_600),
        "The shortest cooldown of a recurring alert rule; one that was made with less has it, too.")
    /// Where PostgreSQL keeps its files, for whoever looks for room there; missing where it is not on this
    /// machine, or nobody has said.
    package static let databaseDirectory = Setting.optionalText(
        "database.directory", "Where PostgreSQL keeps its files, if that is on this machine.")
    /// What stays free there.
    package static let databaseLeastFree = Setting.integer(
        "database.leastFreeMebibytes", default: 1_024, in: 0...1_000_000_000,
        "MiB that stay free on its disk: below it market data is not stored; 0 for none.")
    /// The file with the keys that secrets in the database are sealed with.
    package static let keyFile = Setting.optionalText(
        "keyFile", "The file with the keys that seal secrets; the same for gateway, notifier and commands.")
    /// The gateway that commands ask; missing where that is the one of `bitpal up` on this machine.
    package static let gatewayURL = Setting.optionalText(
        "url", "The gateway that `bitpal` asks, such as https://bitpal.example; else that of `bitpal up`.")
    /// What commands show to that gateway.
    package static let gatewayToken = Setting.optionalText(
        "token", isSecret: true,
        "The token that `bitpal` shows to that gateway; else the one that `bitpal up` left here.")
    /// Who may ask for metrics and health besides this machine itself.
    static let operationsClients = Setting.list(
        "operations.clients", default: [],
        "Addresses that /metrics and /health answer, besides those of this machine; none for everybody.")
    /// The least important events that are logged.
    package static let logLevel = Setting.choice(
        "log.level", default: Logger.Level.info, "The least important events that are logged.")
    /// How long a process may take to stop by itself.
    package static let stopTimeout = Setting.duration(
        "stop.timeout", default: .seconds(3), in: .milliseconds(100) ... .seconds(600),
        "How long services may take to stop; a second later the process ends with status 70.")

    /// The address of metrics and health; each service has its own default port on loopback.
    package static func operationsAddress(of service: String) -> Setting<NetworkAddress> {
        .address(
            "operations.address", default: "127.0.0.1:\(ServiceCatalogue.operationsPort(of: service) ?? 0)",
            "Where /metrics and /health are served.")
    }

    /// Those with a variable that names no service.
    static let shared = [
        bus.key, busKeyFile.key, databaseURL.key, rulesPerUser.key, leastCooldown.key,
        databaseDirectory.key, databaseLeastFree.key, keyFile.key, gatewayURL.key, gatewayToken.key,
        operationsClients.key, logLevel.key, stopTimeout.key,
    ]
}
