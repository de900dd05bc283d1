import ArgumentParser
import Instruments
import JSONLines
import LedgerFiles
import Portfolio

/// The command `bitpal portfolio report`.
struct PortfolioReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Lots, disposals with the lots they took, gains, balances and performance of a ledger.")

    @OptionGroup var options: LedgerOptions

    @Option(help: "An asset of --prices to compare with, such as BTC.")
    var benchmark: String?

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
        var loaded = try await options.load()
        loaded.benchmark = benchmark.map { Asset(rawValue: $0) }
        if json {
            var line = JSONLine()
            ReportJSON(loaded: loaded).write(to: &line)
            line.endLine()
            return try StandardOutput.say(line.bytes)
        }
        let terminal = Terminal()
        try terminal.print(ReportPage(loaded: loaded).lines(columns: terminal.size.columns))
    }
}
