import ArgumentParser
import Glibc
import Instruments
import LedgerFiles
import Portfolio

extension GainForm: ExpressibleByArgument {}

struct PortfolioGainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gains", abstract: "Capital gains of a calendar year (UTC) as CSV, one line per lot.")

    @OptionGroup var options: LedgerOptions

    @Option(help: "The calendar year.")
    var year: Int

    @Option(help: "The columns: 8949 or generic.")
    var form = GainForm.generic

    @Flag(
        help:
            "Lots with losses instead, the largest first, with purchases in the 61 days of the wash-sale rule around now."
    )
    var losses = false

    func validate() throws {
        guard (1678...2261).contains(year) else {
            throw ValidationError("--year is \(year); it must be 1678 to 2261")
        }
    }

    func run() async throws {
        let loaded = try await options.load()
        if losses {
            let candidates = LossCandidate.all(
                in: loaded.report, prices: loaded.prices, at: loaded.moment)
            return try StandardOutput.say(GainTable.losses(candidates, loaded.report, at: loaded.moment))
        }
        let base = loaded.report.base.rawValue
        guard form != .form8949 || base == "USD" else {
            throw CommandFailure(
                .usage, "Form 8949 is in dollars, and this ledger is in \(base): give --base USD")
        }
        let report = GainReport(loaded.report, year: year)
        let unknown = report.lines.filter { $0.proceeds == nil }
        if let first = unknown.first {
            let errors = StandardOutput(descriptor: STDERR_FILENO)
            try errors.writeLine(
                "warning: of \(unknown.count) lines the proceeds are not known and left empty, first of "
                    + "\(first.subject.amount) \(first.subject.asset) at \(first.disposed.plain); "
                    + "--prices FILE may say them")
            try errors.flush()
        }
        try StandardOutput.say(form == .form8949 ? GainTable.form8949(report) : GainTable.generic(report))
    }
}
