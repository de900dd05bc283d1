public import ArgumentParser
import Instruments
import JSONLines
public import LedgerFiles
import Portfolio

extension HistoryRange: ExpressibleByArgument {}

/// The command `bitpal portfolio report`.
struct PortfolioReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Lots, disposals with the lots they took, gains, balances and performance of a ledger.")

    @OptionGroup var options: LedgerOptions

    @Option(help: "An asset of --prices to compare with, such as BTC.")
    var benchmark: String?

    @Option(help: "The days that the performance is of: 1D, 1W, 1M, 3M, 6M, 1Y or ALL.")
    var range = HistoryRange.all

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
        var loaded = try await options.load()
        loaded.range = range
        if let benchmark, !loaded.knows(Asset(rawValue: benchmark)) {
            throw CommandFailure(
                .notFound,
                "no price in \(loaded.report.base) of --benchmark \(benchmark) is known: see --prices")
        }
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

extension LoadedLedger {
    /// Whether any price of an asset is known by the end.
    fileprivate func knows(_ asset: Asset) -> Bool {
        prices.price(of: asset, in: report.base, at: moment) != nil
    }
}
