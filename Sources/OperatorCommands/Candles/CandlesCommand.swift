public import ArgumentParser
import Glibc
import MarketState
import Recordings

/// The command `bitpal candles --from-trades FILE`.
public struct CandlesCommand: ParsableCommand {
    /// How the parser presents it.
    public static let configuration = CommandConfiguration(
        commandName: "candles",
        abstract: "Turns a file of trades into candles, without any server. Times are UTC.",
        discussion: """
            The file has JSON lines as `bitpal normalize --emit trades` prints them, or CSV with a header \
            that names time, price and size, and if known side, id, venue and symbol. It may be gzipped and \
            in any order. Open and close are the first and the last trade by time, then by their order in \
            the file. The same id twice is one trade.
            """)

    @Option(name: .customLong("from-trades"), help: "A file of trades: JSON lines or CSV, plain or gzipped.")
    var fromTrades: String

    @Option(help: "How long a candle is: \(CandleInterval.allCases.map(\.rawValue).joined(separator: ", ")).")
    var interval: CandleInterval = .minute

    @Flag(help: "One JSON object per line, by symbol and start.")
    var json = false

    /// An unconfigured command, for the parser.
    public init() {}

    /// Prints the candles.
    ///
    /// - Throws: ``CommandFailure`` naming the file, the line, the field and what is accepted.
    public func run() throws {
        let report: CandleReport
        do {
            report = try CandleReport(path: fromTrades, interval: interval)
        } catch let error as RecordingError {
            throw CommandFailure(.failed, error.description)
        }
        if json {
            let output = StandardOutput()
            try report.writeJSON(to: output)
            try output.flush()
        } else {
            let terminal = Terminal()
            // A pipe takes whole numbers; only a screen has an edge.
            let columns = terminal.isInteractive ? terminal.size.columns : .max
            try terminal.print(report.lines(columns: columns))
        }
        if report.duplicates > 0 {
            let note = "left out as duplicates, since each id counts once: \(report.duplicates)"
            let errors = StandardOutput(descriptor: STDERR_FILENO)
            try errors.writeLine("bitpal: \(note)")
            try errors.flush()
        }
    }
}

extension CandleInterval: ExpressibleByArgument {}
