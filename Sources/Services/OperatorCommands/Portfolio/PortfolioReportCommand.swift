import ArgumentParser
import Instruments
package import LedgerFiles
import Portfolio
import Shapes

extension HistoryRange: ExpressibleByArgument {}

struct PortfolioReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Lots, disposals with the lots they took, gains, balances and performance of a ledger.")

    @OptionGroup var options: LedgerOptions

    @Option(
        help:
            "An asset or an instrument to compare with, such as BTC or kraken:BTC/USD: of --prices, or of a portfolio by the daily closes that are stored."
    )
    var benchmark: String?

    @Option(help: "The days that the performance is of: 1D, 1W, 1M, 3M, 6M, 1Y or ALL.")
    var range = HistoryRange.all

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
        var loaded = try await options.load(benchmark: benchmark)
        loaded.range = range
        if let benchmark, loaded.benchmark == nil { loaded.benchmark = try Self.find(benchmark, loaded) }
        if json { return try StandardOutput.say(lines: [ReportBody(of: loaded)]) }
        let terminal = Terminal()
        try terminal.print(ReportPage(loaded: loaded).lines(columns: terminal.size.columns))
    }

    /// What is compared with by prices of a file, which has one by the end.
    private static func find(_ name: String, _ loaded: LoadedLedger) throws -> Benchmark {
        let base = loaded.report.base
        let benchmark = Benchmark(name, prices: loaded.prices)
        guard benchmark.price(in: base, at: loaded.moment) != nil else {
            throw CommandFailure(
                .notFound,
                "no price in \(base) of --benchmark \(name) is known: give lines such as "
                    + "2024-12-31,\(name),\(base),1.5 with --prices")
        }
        return benchmark
    }
}
