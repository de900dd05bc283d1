import ArgumentParser
import Instruments
import LedgerFiles
import Portfolio
import Shapes
import Statistics

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

    func validate() throws {
        guard let days, days < 1 else { return }
        throw ValidationError("--days is \(days); accepted is 1 or more")
    }

    func run() async throws {
        let (loaded, days) = try await options.loadWithDays()
        let history = loaded.history
        // A change of the past has removed the days that it touches.
        let stored = Dictionary(
            days.filter { $0.value != nil }.map { ($0.end, $0) }, uniquingKeysWith: { first, _ in first })
        let all = history.days.map { $0.or(stored[$0.end]) }
        let shown = all.suffix(self.days ?? all.count)
        let values = all.suffix(60).compactMap { $0.value.map { Double($0) } }
        if !json, values.count > 1 { try StandardOutput.say(Sparkline.text(values)) }
        try StandardOutput.say(
            Array(shown), json: json,
            [
                Column("day", text: \.date),
                Column("value", .right) { $0.value?.text(places: 2) ?? "unknown" },
                Column("in", .right) { $0.inflow.text(places: 2) },
                Column("out", .right) { $0.outflow.text(places: 2) }, Column("", text: Self.note),
            ])
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
}

extension DailyHistory.Day {
    /// What was stored of the day, where that knew more: a price may be gone since.
    fileprivate func or(_ stored: DailyHistory.Day?) -> DailyHistory.Day {
        guard let stored, stored.value != value, value == nil || !stalePrices.isEmpty else { return self }
        return stored
    }
}
