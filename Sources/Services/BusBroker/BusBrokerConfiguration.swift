package import Bus
package import Operations

/// What a ``BusBroker`` needs to know.
///
/// Keys, all optional:
/// - `bus` (address, `tcp://127.0.0.1:7411`): where publishers connect; the next two ports are for
///   subscribers and for state. Loopback, `ipc://` in a directory of mode 0700, or `inproc://`; any other
///   `tcp://` with keys only.
/// - `busKeyFile` (file, none): the broker's keys, `bus-broker.key` of `bitpal keys init`. With it `tcp://`
///   and `ipc://` are encrypted and take only clients with a key of `allowedKeys`.
/// - `allowedKeys` (folder, `allowed` beside the key file): a file for each client, with what it may publish
///   and hear; read again when one changes.
/// - `queue.publisher` (messages, 1000...10,000,000, 100,000): waiting in the broker from all its publishers.
/// - `queue.subscriber` (messages, 1000...10,000,000, 20,000): waiting for each subscriber; a slower one
///   loses the rest and knows it. Bounds memory to that many messages per stalled subscriber.
/// - `retained.topics` (1...10,000,000, 200,000): topics that are followed.
/// - `retained.mebibytes` (1...65,536, 512): all retained messages together.
/// - `retained.bookDeltas` (1...1,000,000, 20,000): deltas kept of a book since its snapshot.
/// - `retained.bookMebibytes` (1...64, 4): bytes of those deltas.
/// - `retained.silentMinutes` (10...43,200, 720): a producer that was not heard for so long is forgotten with
///   all that it said, and a topic that neither comes nor is named by a heartbeat.
package struct BusBrokerConfiguration: Sendable {
    /// Where the broker listens.
    package var addresses: BusAddresses
    /// Where it listens besides, such as `inproc://` addresses for parts of the same process.
    package var additionalAddresses: [BusAddresses] = []
    /// With them everything but `inproc://` is encrypted, and takes only who is allowed.
    package var brokerKeys: BrokerKeys?
    /// Messages that may wait in the broker before ZeroMQ pushes back on publishers; 0 means no limit.
    package var receiveHighWaterMark = 100_000
    /// Messages that may wait for each subscriber before its further ones are dropped; 0 means no limit.
    package var sendHighWaterMark = 20_000
    /// What the broker remembers at most.
    package var limits = BrokerLimits()

    /// Describes a broker with the default bounds.
    package init(addresses: BusAddresses = .loopback) { self.addresses = addresses }

    /// Whether somebody in this process uses the broker without keys.
    var hasInsideAddress: Bool { ([addresses] + additionalAddresses).contains(where: \.isInside) }

    static let allowedKeys = Setting.optionalText(
        "allowedKeys", "The folder with the clients that an encrypted bus takes; else beside the key file.")
    static let receiveQueue = Setting.integer(
        "queue.publisher", default: 100_000, in: 1_000...10_000_000,
        "Messages that may wait in the broker, from all publishers.")
    static let sendQueue = Setting.integer(
        "queue.subscriber", default: 20_000, in: 1_000...10_000_000,
        "Messages that may wait for each subscriber; a slower one loses the rest and knows it.")
    static let topics = Setting.integer(
        "retained.topics", default: 200_000, in: 1...10_000_000, "Topics that are followed.")
    static let mebibytes = Setting.integer(
        "retained.mebibytes", default: 512, in: 1...65_536, "Mebibytes of all retained messages together.")
    static let bookDeltas = Setting.integer(
        "retained.bookDeltas", default: 20_000, in: 1...1_000_000, "Deltas kept of a book since its snapshot."
    )
    static let bookMebibytes = Setting.integer(
        "retained.bookMebibytes", default: 4, in: 1...64,
        "Mebibytes of the deltas kept of a book since its snapshot.")
    static let silentMinutes = Setting.integer(
        "retained.silentMinutes", default: 720, in: 10...43_200,
        "Minutes after which a producer that is not heard is forgotten with all that it said.")

    /// Every key that ``init(settings:)`` reads, shared ones excepted.
    package static let keys: [ConfigurationKey] = [
        allowedKeys.key, receiveQueue.key, sendQueue.key, topics.key, mebibytes.key, bookDeltas.key,
        bookMebibytes.key, silentMinutes.key,
    ]

    /// Reads the keys above.
    ///
    /// - Throws: `ConfigurationError` when the address cannot be bound safely.
    package init(settings: Settings) throws(ConfigurationError) {
        let base = settings[SharedSettings.bus]
        do {
            addresses = try BusAddresses(base: base)
            if let path = settings[SharedSettings.busKeyFile] {
                brokerKeys = try BrokerKeys(file: path, allowedFolder: settings[Self.allowedKeys])
            }
            try addresses.checkBindable(hasKeys: brokerKeys != nil)
        } catch {
            throw Self.refusal(error, base, settings)
        }
        receiveHighWaterMark = settings[Self.receiveQueue]
        sendHighWaterMark = settings[Self.sendQueue]
        limits.topics = settings[Self.topics]
        limits.bytes = settings[Self.mebibytes] << 20
        limits.bookDeltas = settings[Self.bookDeltas]
        limits.bookBytes = settings[Self.bookMebibytes] << 20
        limits.silence = Int64(settings[Self.silentMinutes]) * BrokerLimits.minute
    }

    private static func refusal(_ error: BusError, _ base: String, _ settings: Settings) -> ConfigurationError
    {
        switch error {
        case .addressInUse(let address):
            .portInUse(address, setting: "BITPAL_BUS")
        case .insecureAddress:
            settings.refusal(
                SharedSettings.bus, value: base,
                accepted:
                    "an address on loopback, such as tcp://127.0.0.1:7411, because the bus is not encrypted; "
                    + "with keys any: make them with `bitpal keys init`, and set BITPAL_BUS_KEY_FILE to "
                    + "\(KeyFolder.broker).key")
        case .keysInvalid, .openToStrangers: error.refusal(otherwise: "")
        case .addressInvalid(_, let reason):
            settings.refusal(
                SharedSettings.bus, value: base, accepted: "tcp://127.0.0.1:7411 or the like (\(reason))")
        default:
            .unavailable("\(error)", advice: "look at the limits of open files of the process")
        }
    }
}

extension BusError {
    /// What an operator has to repair.
    ///
    /// - Parameter advice: What to do unless it is about keys.
    /// - Returns: One line that says what to do.
    func refusal(otherwise advice: String) -> ConfigurationError {
        switch self {
        case .keysInvalid:
            .unavailable(
                description, advice: "make keys with `bitpal keys init`, or repair what is said above")
        case .openToStrangers:
            .unavailable(description, advice: "look whether another process answers there")
        default: .unavailable(description, advice: advice)
        }
    }
}
