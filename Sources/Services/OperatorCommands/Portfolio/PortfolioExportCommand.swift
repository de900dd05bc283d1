import ArgumentParser
import Instruments
import JSON
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes
import Statistics
import Store

extension ExportForm: ExpressibleByArgument {}

/// The command `bitpal portfolio export`.
struct PortfolioExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "A portfolio as our own CSV or JSON; an import of it gives the same ledger.",
        discussion: """
            CSV is the ledger alone. JSON is one document with the currency, wallets, lot settings, targets \
            and transactions; with --history also every revision of every transaction, the changes, imports \
            with the lines that added nothing, stored days and links, which an import leaves alone.
            """)

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Option(help: "csv or json.") var format = ExportForm.csv
    @Option(help: "Transactions as they were recorded at an instant, such as 2024-12-31T12:00:00Z.")
    var asRecorded: String?
    @Flag(help: "With --format json: what is no more, too.") var history = false

    func validate() throws {
        guard !history || format == .json else { throw ValidationError("--history needs --format json") }
    }

    func run() async throws {
        let moment = try asRecorded.map { try LedgerOptions.instant($0, "--as-recorded") }
        guard format == .json else {
            let rows = try await StoredLedger.read(portfolio, from: store, at: moment).imported.transactions
            return try StandardOutput.say(LedgerCSV.write(rows))
        }
        let hasHistory = history
        let bytes = try await store.use { database in
            let portfolio = try await store.find(self.portfolio, in: database)
            return try await database.transaction(.snapshot) { session in
                try session.document(of: portfolio, at: moment, withHistory: hasHistory)
            }
        }
        try StandardOutput.say(bytes)
    }
}

/// The command `bitpal portfolio lots`.
struct PortfolioLotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lots",
        abstract: "Shows or sets which lots the disposals of a portfolio take, and from when on.",
        discussion: """
            bitpal portfolio lots main fifo 2025-01-01=hifo/wallet sets first in, first out until 2024, and \
            the dearest first of each wallet from 2025 on. A setting without a scope keeps the one before. \
            Without settings it shows those in force.
            """)

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "METHOD or METHOD/SCOPE for the beginning, and DAY=METHOD/SCOPE for later.")
    var settings: [String] = []
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        if !settings.isEmpty {
            let changes = try LedgerOptions.changes(settings, "a setting", after: .universal)
            let now = Timestamp.now
            try await store.change(portfolio) { session, id, user in
                try session.setLots(changes, of: id, of: user, at: now)
            }
        }
        let stored = try await StoredLedger.read(portfolio, from: store).settings
        let changes = LotPolicy(settings: stored).changes
        try PortfolioRows.print(
            changes, json, [("from", .left), ("method", .left), ("scope", .left)],
            cells: { [Self.day($0) ?? "the beginning", $0.method.rawValue, $0.scope.rawValue] },
            write: { $0.writeMembers(to: &$1) })
    }

    private static func day(_ change: LotPolicy.Change) -> String? {
        change.from.nanoseconds == .min ? nil : change.from.plain
    }
}

/// The command `bitpal portfolio history`.
struct PortfolioHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "What a ledger was worth at the end of each UTC day, and what came in and went out.",
        discussion: """
            Of a portfolio the values are those that portfolio-service stored at the time, as far as it did, \
            unless prices, a day, a moment or a currency are asked for. A day without a price is unknown; \
            where the last price that was known is older than four days, the value is that of then and \
            marked as stale.
            """)

    @OptionGroup var options: LedgerOptions
    @Option(help: "Only so many days, the last ones.") var days: Int?
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let history = try await options.load().history
        let stored = try await storedDays()
        let all = history.days.map { $0.or(stored[$0.end]) }
        let shown = all.suffix(days ?? all.count)
        let values = all.suffix(60).compactMap { $0.value.map { Double($0) } }
        if !json, values.count > 1 { try StandardOutput.say(Sparkline.text(values)) }
        try PortfolioRows.print(
            Array(shown), json,
            [("day", .left), ("value", .right), ("in", .right), ("out", .right), ("", .left)],
            cells: { day in
                [
                    day.date, day.value?.text(places: 2) ?? "unknown", day.inflow.text(places: 2),
                    day.outflow.text(places: 2), Self.note(day),
                ]
            },
            write: { $0.writeMembers(to: &$1) })
        guard !json, !history.missingPrices.isEmpty, shown.contains(where: { $0.value == nil }) else {
            return
        }
        let names = history.missingPrices.map(\.rawValue).joined(separator: ", ")
        try Terminal().print([StyledLine("No price at some time for \(names)", .warning)])
    }

    private static func note(_ day: DailyHistory.Day) -> String {
        func words(_ what: String, _ assets: [Asset]) -> [String] {
            assets.isEmpty ? [] : ["\(what): \(assets.map(\.rawValue).joined(separator: ", "))"]
        }
        return (words("no price", day.missingPrices) + words("stale", day.stalePrices))
            .joined(separator: "; ")
    }

    /// What portfolio-service stored; a change of the past has removed the days that it touches.
    private func storedDays() async throws -> [Timestamp: DailyHistory.Day] {
        guard let name = options.name, options.isOfNow else { return [:] }
        let days = try await options.store.use { database in
            let portfolio = try await options.store.find(name, in: database)
            return try await database.withSession { try $0.days(of: portfolio.id, by: portfolio.user) }
        }
        return Dictionary(
            days.filter { $0.value != nil }.map { ($0.end, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension DailyHistory.Day {
    /// What was stored of the day, where that knew more: a price may be gone since.
    fileprivate func or(_ stored: DailyHistory.Day?) -> DailyHistory.Day {
        guard let stored, stored.value != value, value == nil || !stalePrices.isEmpty else { return self }
        return stored
    }
}
