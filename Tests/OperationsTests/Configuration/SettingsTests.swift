import Configuration
import Logging
import Support
import Testing

@testable import Operations

@Suite("Settings")
struct SettingsTests {
    enum Mode: String, CaseIterable, Sendable { case demo, live }

    static let depth = Setting.integer("snapshot.depth", default: 1000, in: 1...5000, "Levels a side.")
    static let every = Setting.duration(
        "snapshot.everyInterval", default: .seconds(60), in: .seconds(1) ... .seconds(3600), "How often.")
    static let isLooping = Setting.flag("loop", default: false, "Again and again.")
    static let instruments = Setting.list("instruments", default: ["a", "b"], "What is followed.")
    static let mode = Setting.choice("mode", default: Mode.demo, "Which one.")
    static let listen = Setting.address("listen", default: "127.0.0.1:7430", "Where.")
    static let folder = Setting.optionalText("capture.folder", "Where captures go.")
    static let token = Setting.optionalText("accessToken", isSecret: true, "A secret.")
    static let keys = [
        depth.key, every.key, isLooping.key, instruments.key, mode.key, listen.key, folder.key, token.key,
    ]

    private func load(
        _ environment: [String: String] = [:], file: String? = nil, overrides: [String: String] = [:],
        keys: [ConfigurationKey] = keys, secrets: [String: String] = [:]
    ) throws(ConfigurationError) -> Settings {
        let sources = ConfigurationSources(
            overrides: overrides, environment: environment,
            file: try file.map { text throws(ConfigurationError) in
                try ConfigurationFile(path: "config.json", bytes: Array(text.utf8))
            },
            readSecret: { path in
                secrets[path].map { .success(Array($0.utf8)) } ?? .failure(FileError(reason: "No such file"))
            })
        return try SettingsLoader(service: "book-builder", keys: keys, sources: sources).load()
    }

    @Test("gives defaults when nothing is set")
    func defaults() throws {
        let settings = try load()
        #expect(settings[Self.depth] == 1000)
        #expect(settings[Self.every] == .seconds(60))
        #expect(!settings[Self.isLooping])
        #expect(settings[Self.instruments] == ["a", "b"])
        #expect(settings[Self.mode] == .demo)
        #expect(settings[Self.listen] == NetworkAddress(host: "127.0.0.1", port: 7430))
        #expect(settings[Self.folder] == nil)
        #expect(settings[SharedSettings.bus] == "tcp://127.0.0.1:7411")
        #expect(settings[SharedSettings.databaseURL] == nil)
        #expect(settings[SharedSettings.logLevel] == .info)
        #expect(settings[SharedSettings.stopTimeout] == .seconds(3))
        #expect(settings[SharedSettings.operationsAddress(of: "book-builder")].port == 7423)
    }

    @Test("options win over the service's variable, that over the shared one, that over the file")
    func layers() throws {
        let file =
            #"{"log": {"level": "error"}, "bus": "tcp://file:1", "snapshot": {"depth": 1}, "mode": "live"}"#
        let environment = [
            "BITPAL_BUS": "tcp://shared:1", "BITPAL_BOOK_BUILDER_BUS": "tcp://own:1",
            "BITPAL_LOG_LEVEL": "debug",
            "BITPAL_BOOK_BUILDER_SNAPSHOT_DEPTH": "2",
        ]
        let settings = try load(environment, file: file, overrides: ["snapshot.depth": "3"])
        #expect(settings[SharedSettings.bus] == "tcp://own:1")
        #expect(settings[SharedSettings.logLevel] == .debug)
        #expect(settings[Self.depth] == 3)
        #expect(settings[Self.mode] == .live)
        #expect(settings.reader.int(forKey: "snapshot.depth") == 3)
    }

    @Test("reads every type from variables and from JSON")
    func types() throws {
        let environment = try load([
            "BITPAL_BOOK_BUILDER_SNAPSHOT_EVERY_INTERVAL": "90s", "BITPAL_BOOK_BUILDER_LOOP": "true",
            "BITPAL_BOOK_BUILDER_INSTRUMENTS": "kraken:BTC/USD, bitmex:XBTUSD,",
            "BITPAL_BOOK_BUILDER_LISTEN": "[::1]:80", "BITPAL_BOOK_BUILDER_CAPTURE_FOLDER": "/tmp/x",
        ])
        let file = try load(
            file: #"""
                {"snapshot": {"everyInterval": "90s"}, "loop": true, "instruments": ["kraken:BTC/USD", "bitmex:XBTUSD"],
                 "listen": "[::1]:80", "capture": {"folder": "/tmp/x"}}
                """#)
        for settings in [environment, file] {
            #expect(settings[Self.every] == .seconds(90))
            #expect(settings[Self.isLooping])
            #expect(settings[Self.instruments] == ["kraken:BTC/USD", "bitmex:XBTUSD"])
            #expect(settings[Self.listen] == NetworkAddress(host: "::1", port: 80))
            #expect(settings[Self.folder] == "/tmp/x")
        }
    }

    @Test(
        "refuses values of a wrong type or out of range, naming place, value and what is accepted",
        arguments: [
            ("SNAPSHOT_DEPTH", "0", "a whole number, 1...5000"),
            ("SNAPSHOT_DEPTH", "1.5", "a whole number, 1...5000"),
            ("SNAPSHOT_DEPTH", "ten", "a whole number, 1...5000"), ("LOOP", "yes", "true or false"),
            ("SNAPSHOT_EVERY_INTERVAL", "60", "a time such as 250ms, 5s or 2m, 1s...1h"),
            ("SNAPSHOT_EVERY_INTERVAL", "2h", "a time such as 250ms, 5s or 2m, 1s...1h"),
            ("MODE", "paper", "demo, live"), ("LISTEN", "7430", "host:port"),
        ])
    func refusesVariable(suffix: String, value: String, accepted: String) {
        let name = "BITPAL_BOOK_BUILDER_" + suffix
        #expect(throws: ConfigurationError.invalidValue(of: name, value: "\"\(value)\"", accepted: accepted))
        {
            try load([name: value])
        }
    }

    @Test(
        "refuses the same from a file, with its name",
        arguments: [
            (#"{"snapshot": {"depth": "1000.5"}}"#, "snapshot.depth", "\"1000.5\""),
            (#"{"snapshot": {"depth": 0}}"#, "snapshot.depth", "0"),
            (#"{"loop": "maybe"}"#, "loop", "\"maybe\""),
            (#"{"loop": 1}"#, "loop", "1"), (#"{"listen": null}"#, "listen", "null"),
            (#"{"instruments": true}"#, "instruments", "true"), (#"{"mode": ["demo"]}"#, "mode", "[demo]"),
        ])
    func refusesFile(text: String, key: String, shown: String) {
        let error = #expect(throws: ConfigurationError.self) { try load(file: text) }
        guard case .invalidValue(of: "\(key) in config.json", value: shown, _) = error else {
            Issue.record("refused with \(String(describing: error))")
            return
        }
    }

    @Test("refuses unknown variables and keys, with the nearest known name")
    func unknown() {
        #expect(
            throws: ConfigurationError.unknownVariable(
                "BITPAL_BOOK_BUILDER_SNAPSHOT_DEPHT", nearest: "BITPAL_BOOK_BUILDER_SNAPSHOT_DEPTH")
        ) { try load(["BITPAL_BOOK_BUILDER_SNAPSHOT_DEPHT": "1"]) }
        #expect(throws: ConfigurationError.unknownVariable("BITPAL_DATABASE", nearest: "BITPAL_DATABASE_URL"))
        {
            try load(["BITPAL_DATABASE": "x"])
        }
        let far = "BITPAL_" + String(repeating: "Q", count: 40)
        #expect(throws: ConfigurationError.unknownVariable(far, nearest: nil)) { try load([far: "x"]) }
        #expect(
            throws: ConfigurationError.unknownKey(
                "snapshot.dept", file: "config.json", nearest: "snapshot.depth")
        ) { try load(file: #"{"snapshot": {"dept": 5}}"#) }
    }

    @Test("leaves alone what is another's: services, recordings, variables of other products")
    func foreign() throws {
        _ = try load([
            "BITPAL_FEED_INGESTOR_VENUE": "x", "BITPAL_GATEWAY_ANYTHING": "y", "BITPAL_UP_PROFILE": "demo",
            "BITPAL_RECORDINGS": "/recordings", "BITPAL_BOOK_BUILDER_CONFIG": "x.json", "PATH": "/bin",
            "BITPALX": "z",
        ])
    }

    @Test("an empty variable counts as not set")
    func empty() throws {
        #expect(try load(["BITPAL_BUS": "", "BITPAL_BOOK_BUILDER_SNAPSHOT_DEPTH": ""])[Self.depth] == 1000)
    }

    @Test("a required key without a value is named with its variable")
    func required() {
        let name = Setting.text("venue.name", "Which venue.")
        #expect(
            throws: ConfigurationError.missing(
                key: "venue.name", variable: "BITPAL_BOOK_BUILDER_VENUE_NAME", summary: "Which venue.")
        ) { try load(keys: [name.key]) }
    }

    @Test("secrets come from files too, and are never shown")
    func secrets() throws {
        let settings = try load(
            [
                "BITPAL_BOOK_BUILDER_ACCESS_TOKEN_FILE": "/run/secrets/t",
                "BITPAL_DATABASE_URL_FILE": "/run/secrets/d",
            ],
            secrets: ["/run/secrets/t": "abc \nsecond line", "/run/secrets/d": "postgresql://x"])
        #expect(settings[Self.token] == "abc")
        #expect(settings[SharedSettings.databaseURL] == "postgresql://x")
        #expect(
            throws: ConfigurationError.invalidValue(
                of: "accessToken in config.json", value: nil, accepted: "a text")
        ) { try load(file: #"{"accessToken": 12345}"#) }
        #expect("\(settings.refusal(Self.token, value: "abc", accepted: "more"))".contains("abc") == false)
        #expect(throws: ConfigurationError.fileUnreadable("/run/secrets/none", reason: "No such file")) {
            try load(["BITPAL_DATABASE_URL_FILE": "/run/secrets/none"])
        }
    }

    @Test("a refusal by the service names where the value stands")
    func refusal() throws {
        let settings = try load(["BITPAL_BOOK_BUILDER_INSTRUMENTS": "kraken"])
        #expect(
            settings.refusal(Self.instruments, value: "kraken", accepted: "VENUE:SYMBOL")
                == .invalidValue(
                    of: "BITPAL_BOOK_BUILDER_INSTRUMENTS", value: "\"kraken\"", accepted: "VENUE:SYMBOL"))
        #expect("\(settings.refusal(Self.mode, value: "x", accepted: "y"))".hasPrefix("the default of mode"))
        let address = SharedSettings.operationsAddress(of: "book-builder")
        #expect(settings.variable(for: address) == "BITPAL_BOOK_BUILDER_OPERATIONS_ADDRESS")
    }

    @Test("a file that is not JSON is refused with line and column")
    func malformedFile() {
        #expect(
            throws: ConfigurationError.fileMalformed("config.json", line: 2, column: 1, reason: "expected :")
        ) { try load(file: "{\"bus\"\n}") }
    }

    @Test("every error is one line")
    func oneLine() {
        let errors: [ConfigurationError] = [
            .unknownVariable("A", nearest: nil), .unknownVariable("A", nearest: "B"),
            .unknownKey("a", file: "f", nearest: nil), .invalidValue(of: "A", value: "1", accepted: "2"),
            .invalidValue(of: "A", value: nil, accepted: "2"),
            .missing(key: "a", variable: "A", summary: "s"),
            .fileUnreadable("f", reason: "r"), .fileMalformed("f", line: 1, column: 2, reason: "r"),
            .unknownArgument("-x"), .portInUse("127.0.0.1:1", setting: "A"),
            .unavailable("x", advice: "do y"),
        ]
        for error in errors { #expect(!"\(error)".contains("\n") && "\(error)".contains(";")) }
    }

    @Test("help lists every key with variable, range and default")
    func help() throws {
        let text = HelpText.of(service: "book-builder", keys: try load().keys)
        #expect(text.contains("snapshot.depth  (BITPAL_BOOK_BUILDER_SNAPSHOT_DEPTH)"))
        #expect(text.contains("a whole number, 1...5000; default 1000"))
        #expect(text.contains("database.url  (BITPAL_DATABASE_URL)"))
        #expect(text.contains("secret, also BITPAL_DATABASE_URL_FILE"))
        #expect(text.contains("operations.address  (BITPAL_BOOK_BUILDER_OPERATIONS_ADDRESS)"))
    }
}

@Suite("Configuration texts")
struct ConfigurationTextTests {
    @Test(
        "durations",
        arguments: [
            ("0s", Duration.zero), ("250ms", .milliseconds(250)), ("5s", .seconds(5)), ("2m", .seconds(120)),
            ("1h", .seconds(3600)), ("7d", .seconds(604_800)), ("10us", .microseconds(10)),
            ("1ns", .nanoseconds(1)),
        ])
    func durations(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
        #expect(DurationText.format(duration) == text)
    }

    @Test("no durations", arguments: ["", "5", "s", "-5s", "1.5s", "5 s", "5S", "99999999999999d", "٣s"])
    func noDurations(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "addresses",
        arguments: [
            ("127.0.0.1:80", "127.0.0.1", 80, true), ("[::1]:0", "::1", 0, true),
            ("localhost:1", "localhost", 1, true),
            ("bus-broker:7411", "bus-broker", 7411, false), ("0.0.0.0:65535", "0.0.0.0", 65_535, false),
            ("bus_broker.example:1", "bus_broker.example", 1, false),
            ("[fe80::1%eth0]:80", "fe80::1%eth0", 80, false),
            ("[::ffff:10.0.0.1]:80", "::ffff:10.0.0.1", 80, false),
        ])
    func addresses(text: String, host: String, port: Int, isLoopback: Bool) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address == NetworkAddress(host: host, port: port))
        #expect(address.isLoopback == isLoopback)
        #expect(address.description == text)
    }

    /// What is no address: nothing of it may stop the process, and nothing be taken for another one.
    static let noAddresses = [
        "", "80", ":80", "h:", "h:65536", "h:-1", "h:8x", "::1:80", "a b:1", "tcp://h:1", "[", "]", "[]", ":",
        "[:", "]:", "[]:1", "[[]]:80", "[]]:80", "[[]:80", "[:80", "]:80", "a]:80", "[a:80", "[a]:80",
        "a[]:80", "[::1]", "::1", "[::1]:", "[::1]:99999", "[::1]80", "[[::1]]:80", "[::1]x:80", "[::1%]:80",
        "[::1%a%b]:80", "[%eth0]:80", "[:::]:80", "[1:2]:80", "[127.0.0.1]:80", "h:+80", "h:٣", "h:8 0",
        "h\u{0}:80", "h:80\u{0}", "[::1\u{0}]:80", "\u{0}:80", "é:80", "h\r\n:80", "h:80\n", "h:080x",
        "h:\u{301}80", "h:99999999999999999999999999",
    ]
    /// The same of which nobody wants to read the names of tests.
    static let longNoAddresses = [
        String(repeating: "a", count: 256) + ":80", String(repeating: "[", count: 100_000) + "]:80",
        String(repeating: ":", count: 100_000) + "1", "h:" + String(repeating: "9", count: 100_000),
        "[" + String(repeating: "1:", count: 100_000) + "]:80",
    ]

    @Test("no addresses", arguments: noAddresses)
    func isNoAddress(text: String) { Self.checkRefused(text) }

    @Test("no addresses, and long")
    func isLongNoAddress() { for text in Self.longNoAddresses { Self.checkRefused(text) } }

    private static func checkRefused(_ text: String) {
        #expect(NetworkAddress(text) == nil)
        let key = Setting.address("server.address", default: "127.0.0.1:1", "Where it listens.").key
        #expect(throws: ConfigurationError.self) {
            try Settings.load(service: "notifier", keys: [key], overrides: ["server.address": text])
        }
    }

    @Test("an address is read again as it is described, whatever was read")
    func described() throws {
        var generator = SeededGenerator(seed: 20_261_127)
        let pieces = ["[", "]", ":", ".", "%", "::", "[::1]", "1", "80", "a", "f", "-", "_", "\u{0}", "é"]
        var read = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...7, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + ":80"
            guard let address = NetworkAddress(text) else { continue }
            read += 1
            #expect(NetworkAddress(address.description) == address, "\(text)")
        }
        #expect(read > 0)
    }

    @Test("the nearest name is one that a third of edits reaches")
    func nearest() {
        #expect(NearestName.distance("kitten", "sitting") == 3)
        #expect(NearestName.distance("", "abc") == 3)
        #expect(NearestName.of("log.lvel", among: ["log.level", "bus"]) == "log.level")
        #expect(NearestName.of("LOG.LEVEL", among: ["log.level", "bus"]) == "log.level")
        #expect(NearestName.of("zzzzz", among: ["log.level", "bus"]) == nil)
        #expect(NearestName.of("x", among: []) == nil)
    }

    @Test(
        "variables of camel-case keys",
        arguments: [
            ("deltas.endpoint", "DELTAS_ENDPOINT"), ("snapshot.everyInterval", "SNAPSHOT_EVERY_INTERVAL"),
            ("bus", "BUS"),
        ])
    func variables(name: String, suffix: String) {
        #expect(Setting.text(name, "x").key.variableSuffix == suffix)
    }
}
