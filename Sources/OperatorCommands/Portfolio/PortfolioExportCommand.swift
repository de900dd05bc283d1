import ArgumentParser
import Instruments
import JSONLines
import LedgerFiles
import Portfolio
import PortfolioStore
import Statistics
import Store

/// The forms in which a ledger leaves.
enum ExportForm: String, ExpressibleByArgument, CaseIterable {
    case csv, json
}

/// The command `bitpal portfolio export`.
struct PortfolioExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "The transactions of a portfolio as our own CSV or JSON; an import of it gives the same ledger.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Option(help: "csv or json.") var format = ExportForm.csv
    @Option(help: "As they were recorded at an instant, such as 2024-12-31T12:00:00Z.") var asRecorded:
        String?

    func run() async throws {
        let moment = try asRecorded.map { try LedgerOptions.instant($0, "--as-recorded") }
        let rows = try await StoredLedger.read(portfolio, from: store, at: moment).imported.transactions
        try StandardOutput.say(format == .csv ? LedgerCSV.write(rows) : LedgerJSON.write(rows))
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
            write: { change, line in
                line.key("from")
                line.string(Self.day(change))
                line.text("method", change.method.rawValue)
                line.text("scope", change.scope.rawValue)
            })
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
            unless prices, a day, a moment or a currency are asked for.
            """)

    @OptionGroup var options: LedgerOptions
    @Option(help: "Only so many days, the last ones.") var days: Int?
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let history = try await options.load().history
        let stored = try await storedDays()
        let all = history.days.map { day in stored[day.end] ?? day }
        let shown = all.suffix(days ?? all.count)
        let values = all.suffix(60).compactMap { $0.value.map { Double($0) } }
        if !json, values.count > 1 { try StandardOutput.say(Sparkline.text(values)) }
        try PortfolioRows.print(
            Array(shown), json,
            [("day", .left), ("value", .right), ("in", .right), ("out", .right)],
            cells: { day in
                [
                    PlanJSON.date(day), day.value?.text(places: 2) ?? "unknown", day.inflow.text(places: 2),
                    day.outflow.text(places: 2),
                ]
            },
            write: { PlanJSON.write(day: $0, to: &$1) })
        guard !json, !history.missingPrices.isEmpty, shown.contains(where: { $0.value == nil }) else {
            return
        }
        let names = history.missingPrices.map(\.rawValue).joined(separator: ", ")
        try Terminal().print([StyledLine("No price at some time for \(names)", .warning)])
    }

    /// What portfolio-service stored; a change of the past has removed the days that it touches.
    private func storedDays() async throws -> [Timestamp: DailyHistory.Day] {
        guard let name = options.name, options.isOfNow else { return [:] }
        let days = try await options.store.use { database in
            let portfolio = try await options.store.find(name, in: database)
            return try await database.rows(ListDays(of: portfolio.id, by: portfolio.user))
        }
        return Dictionary(
            days.filter { $0.value != nil }.map { ($0.end, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
