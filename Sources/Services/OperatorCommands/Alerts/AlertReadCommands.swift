import AlertStore
import Alerting
import ArgumentParser
import Instruments
import Store

/// The command `bitpal alert list`.
struct AlertListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your rules, in the order in which they were made.")

    @OptionGroup var store: AlertStoreOptions
    @Option(help: "Only those with this tag.") var tag: String?
    @Option(help: "Only those that are armed, disabled or done.") var state: RuleStateName?
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let rules = try await store.rules(state: state).filter { row in
            tag.map { row.rule.tags.contains($0) } ?? true
        }
        try RuleRows(rules).print(json: json)
    }
}

/// What a rule can be, as a person types it.
enum RuleStateName: String, ExpressibleByArgument, CaseIterable {
    case armed, disabled, done
}

/// The command `bitpal alert export`.
struct AlertExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Your rules as JSON lines, for import and backtest.",
        discussion: "Whether a rule is switched on is not part of it: see --state, and import's --disabled.")

    @OptionGroup var store: AlertStoreOptions
    @Option(help: "Only those that are armed, disabled or done.") var state: RuleStateName?

    func run() async throws {
        let output = StandardOutput()
        for row in try await store.rules(state: state) { try output.writeLine(row.rule.json) }
        try output.flush()
    }
}

/// The command `bitpal alert show`.
struct AlertShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "One rule in full.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its id.") var id: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let row = try await store.use { database in try await store.find(id, in: database) }
        if json { return try RuleRows([row]).print(json: true) }
        try Terminal().print(RuleRows.page(row))
    }
}

/// The command `bitpal alert history`.
struct AlertHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What happened to a rule, newest first; also to a deleted one.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its id.") var id: String
    @Option(help: "At most so many events.") var limit = 100
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); accepted is 1...10000")
        }
    }

    func run() async throws {
        let limit = limit
        let events = try await store.use { database in
            let row = try await store.find(id, in: database)
            return try await database.withSession { session in
                try session.history(of: row.id, by: row.user, limit: limit)
            }
        }
        if json { return try HistoryRows.write(events) }
        let terminal = Terminal()
        try terminal.print(
            HistoryRows.table(events).lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }
}

extension AlertStoreOptions {
    /// Rules that were not deleted.
    fileprivate func rules(state: RuleStateName?) async throws -> [StoredRule] {
        let rows = try await use { [user] database in
            try await database.withSession { try $0.rules(of: user) }
        }
        return rows.filter { row in state.map { $0.rawValue == row.stateName(at: .now) } ?? true }
    }

    /// - Throws: ``CommandFailure`` when there is none.
    func find(_ id: String, in database: Database) async throws -> StoredRule {
        let key = try RuleArguments.key(id)
        let row = try await database.withSession { [user] in try $0.rule(key, of: user) }
        guard let row else {
            throw CommandFailure(
                .notFound, "there is no rule \(id); `bitpal alert list` shows those that there are")
        }
        return row
    }
}
