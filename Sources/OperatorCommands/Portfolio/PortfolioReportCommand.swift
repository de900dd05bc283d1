import ArgumentParser
import Instruments
import LedgerFiles
import Portfolio

/// The command `bitpal portfolio report`.
struct PortfolioReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Lots, disposals with the lots they took, gains, balances and performance of a ledger.")

    @OptionGroup var options: LedgerOptions

    @Flag(help: "One JSON object.")
    var json = false

    func run() throws {
        let loaded = try options.load()
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
