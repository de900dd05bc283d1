import AlertStore
import Alerting
import ArgumentParser
import Instruments
import Store
import Venues

/// The command `bitpal alert create`.
struct AlertCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a rule, and prints it.",
        discussion: """
            A rule on a price is made with flags: bitpal alert create --instrument binance-usdm:BTCUSDT \
            --above 61000.5 --cooldown 1h --hysteresis 10. Every other with --rule JSON, without an id or \
            with a UUID of its own: {"instrument":"kraken:BTC/USD","condition":…} with one of


            """ + RuleForms.conditions + """


                "direction" is up, down or either, "against" start or extreme, "crosses" above, below or either. \
                Prices are last, bid, ask, mid, mark and index; of an index alone the instrument is such as \
                index:BTC-USD, and rules on a portfolio or a listing have none. Beside the condition:


                """ + RuleForms.options)

    @OptionGroup var store: AlertStoreOptions
    @OptionGroup var flags: RuleFlags
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let now = Timestamp.now
        var random = SystemRandomNumberGenerator()
        let id = AlertRule.newID(at: now, using: &random)
        let rule = try AlertRule(
            json: flags.json, id: id, marking: VenueCatalogue.standard.markPriceVenues
        ).withKey(id)
        let (user, limits) = (store.user, try store.limits)
        let rows = try await store.use { database in
            try await database.transaction { session in
                try session.addRules([rule], of: user, limits: limits, at: now)
            }
        }
        try RuleRows(rows).print(json: json)
    }
}

/// The command `bitpal alert edit`.
struct AlertEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes rules, all of those named or none, and prints them.",
        discussion: """
            What is given replaces that field of each rule; a field that is null in --rule goes. A rule \
            whose condition or options change begins anew, as if it had just been made.
            """)

    @OptionGroup var store: AlertStoreOptions
    @OptionGroup var rules: RuleArguments
    @OptionGroup var flags: RuleFlags
    @Option(help: "Only if this version is in force, as `bitpal alert show` says.") var version: Int64?
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard !flags.isEmpty else { throw ValidationError("say what to change: --rule JSON or other flags") }
    }

    func run() async throws {
        let (keys, user, patch, version, now) = (
            try rules.keys(), store.user, flags.json, version, Timestamp.now
        )
        let limits = try store.limits
        let rows = try await store.use { database in
            try await database.transaction { session in
                try session.editRules(keys, of: user, expecting: version, limits: limits, at: now) {
                    rule throws(FieldFault) in
                    try rule.merging(json: patch, marking: VenueCatalogue.standard.markPriceVenues)
                }
            }
        }
        try RuleRows(rows).print(json: json)
    }
}

/// The command `bitpal alert enable`.
struct AlertEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Switches rules on, all of those named or none; they begin anew.")

    @OptionGroup var store: AlertStoreOptions
    @OptionGroup var rules: RuleArguments
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try RuleRows(try await store.set(try rules.keys(), enabled: true)).print(json: json)
    }
}

/// The command `bitpal alert disable`.
struct AlertDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switches rules off, all of those named or none.")

    @OptionGroup var store: AlertStoreOptions
    @OptionGroup var rules: RuleArguments
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try RuleRows(try await store.set(try rules.keys(), enabled: false)).print(json: json)
    }
}

/// The command `bitpal alert delete`.
struct AlertDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes rules, all of those named or none; their history stays.")

    @OptionGroup var store: AlertStoreOptions
    @OptionGroup var rules: RuleArguments
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let (keys, user, now) = (try rules.keys(), store.user, Timestamp.now)
        let rows = try await store.use { database in
            try await database.transaction { session in
                try session.deleteRules(keys, of: user, at: now)
            }
        }
        try RuleRows(rows).print(json: json)
    }
}

/// The command `bitpal alert import`.
struct AlertImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Makes the rules of a file of JSON lines, all of them or none.",
        discussion: """
            An id that is a UUID is kept, so that an export comes back as it was; any other is replaced by a \
            new one, and so are none and that of a rule that you have deleted. An id that a rule has is \
            refused.
            """)

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "A file of rules, as `bitpal alert export` prints them.") var file: String
    @Flag(help: "Makes them, but does not switch them on.") var disabled = false
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let now = Timestamp.now
        var random = SystemRandomNumberGenerator()
        let file = try RuleFile(path: file, namesRules: true)
        // In the order of the file, so that a list has it too.
        let ids = file.rules.map { _ in AlertRule.newID(at: now, using: &random) }.sorted()
        let rules = zip(file.rules, ids).map { $0.withKey($1) }
        let (user, isEnabled, limits) = (store.user, !disabled, try store.limits)
        let rows = try await store.use(file) { database in
            try await database.transaction { session in
                try session.addRules(
                    rules, of: user, isEnabled: isEnabled, isReturning: true, limits: limits, at: now)
            }
        }
        try RuleRows(rows).print(json: json)
    }
}

extension AlertStoreOptions {
    fileprivate func set(_ keys: [UniqueID], enabled isEnabled: Bool) async throws -> [StoredRule] {
        let (user, limits, now) = (user, try limits, Timestamp.now)
        return try await use { database in
            try await database.transaction { session in
                try session.setRules(keys, enabled: isEnabled, of: user, limits: limits, at: now)
            }
        }
    }
}
