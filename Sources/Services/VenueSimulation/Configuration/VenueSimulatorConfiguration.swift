package import Instruments
package import Operations

/// What the simulator serves and where.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `address` | host:port | `127.0.0.1:7430` | port 0: any free one |
/// | `recordings` | list of paths | none: the synthetic market | at most one a venue |
/// | `venues` | list of venues | none: all | of the synthetic market |
/// | `speed` | text | `1` | `1`...`1000` or `max` |
/// | `loop` | flag | `false` | |
/// | `seed` | integer | `1` | `0`... |
/// | `interval` | duration | `50ms` | `1ms`...`10s` |
/// | `patience` | duration | `2s` | `0s`...`10min` |
/// | `faults` | list of `KIND[:RATE]` | none | ``FaultKind``; above 0, up to 1 |
package struct VenueSimulatorConfiguration: Sendable {
    static let addressSetting = Setting.address(
        "address", default: "127.0.0.1:7430", "Where venues are served, ws and http, as /<venue>/….")
    static let recordingsSetting = Setting.list(
        "recordings", default: [], "Recordings to play, at most one a venue; none plays the synthetic market."
    )
    static let venuesSetting = Setting.list(
        "venues", default: [], "Venues of the synthetic market that are served; none serves all of them.")
    static let speedSetting = Setting.text(
        "speed", default: "1",
        "1...1000 times the recorded speed, or max: as fast as the slowest reader takes it.")
    static let loopSetting = Setting.flag("loop", default: false, "Begin again at the end of a recording.")
    static let seedSetting = Setting.integer(
        "seed", default: 1, in: 0...Int.max,
        "Seed of the synthetic market and of the faults: the same seed gives the same.")
    static let intervalSetting = Setting.duration(
        "interval", default: standardInterval, in: .milliseconds(1)...(.seconds(10)),
        "Mean time between two events of a venue of the synthetic market.")
    static let patienceSetting = Setting.duration(
        "patience", default: standardPatience, in: .zero...(.seconds(600)),
        "How long a recording waits for a client to subscribe to all of it and to ask for its books.")
    static let faultsSetting = Setting.list(
        "faults", default: [],
        "What goes wrong on the way to clients, KIND or KIND:RATE; the kinds are \(FaultKind.words).")

    /// What makes about 250 messages a second of all venues together: a market that lives, at half a core of
    /// a debug build.
    package static let standardInterval = Duration.milliseconds(50)
    static let standardPatience = Duration.seconds(2)

    /// Every key.
    package static let keys: [ConfigurationKey] = [
        addressSetting.key, recordingsSetting.key, venuesSetting.key, speedSetting.key, loopSetting.key,
        seedSetting.key, intervalSetting.key, patienceSetting.key, faultsSetting.key,
    ]
    /// Arguments of the program that stand for keys.
    package static let options: [ProcessOption] = [
        ProcessOption(name: "--fault", key: faultsSetting.key),
        ProcessOption(name: "--seed", key: seedSetting.key),
    ]

    /// Where to listen; port 0 is any free one.
    package var address: NetworkAddress
    /// Paths of recordings; none plays the synthetic market.
    package var recordings: [String]
    /// Those of the synthetic market that are served; empty for all.
    package var venues: [Venue] = []
    /// How fast.
    package var speed: PlaybackSpeed
    /// Whether a recording begins again at its end.
    package var loops: Bool
    /// Seed of the synthetic market and of the faults.
    package var seed: UInt64
    /// Mean time between two events of a venue of the synthetic market.
    package var interval: Duration
    /// How long a recording waits for what nobody has asked for yet.
    package var patience = VenueSimulatorConfiguration.standardPatience
    /// What goes wrong on the way to clients.
    package var faults: [Fault] = []

    /// What a caller in the same process wants.
    package init(
        address: NetworkAddress = NetworkAddress(host: "127.0.0.1", port: 7430), recordings: [String] = [],
        speed: PlaybackSpeed = .times(1), loops: Bool = false, seed: UInt64 = 1,
        interval: Duration = VenueSimulatorConfiguration.standardInterval
    ) {
        self.address = address
        self.recordings = recordings
        self.speed = speed
        self.loops = loops
        self.seed = seed
        self.interval = interval
    }

    /// What the operator configured.
    ///
    /// - Throws: ``ConfigurationError/invalidValue(of:value:accepted:)`` for a speed or a fault that is none.
    package init(settings: Settings) throws(ConfigurationError) {
        address = settings[Self.addressSetting]
        recordings = settings[Self.recordingsSetting]
        loops = settings[Self.loopSetting]
        seed = UInt64(settings[Self.seedSetting])
        interval = settings[Self.intervalSetting]
        patience = settings[Self.patienceSetting]
        for name in settings[Self.venuesSetting] {
            guard VenueSurvey.syntheticVenues.contains(Venue(rawValue: name)) else {
                let names = VenueSurvey.syntheticVenues.map(\.rawValue).joined(separator: ", ")
                throw settings.refusal(Self.venuesSetting, value: name, accepted: "venues among \(names)")
            }
            venues.append(Venue(rawValue: name))
        }
        let text = settings[Self.speedSetting]
        guard let speed = PlaybackSpeed(text) else {
            throw settings.refusal(Self.speedSetting, value: text, accepted: "1...1000 or max")
        }
        self.speed = speed
        for text in settings[Self.faultsSetting] {
            guard let fault = Fault(text) else {
                throw settings.refusal(Self.faultsSetting, value: text, accepted: Fault.accepted)
            }
            faults.append(fault)
        }
    }
}
