public import ArgumentParser
import Glibc
import Instruments
import MarketState
import Recordings

/// The command `bitpal candles`: of a file of trades, or of what is stored.
package struct CandlesCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "candles",
        abstract: "Shows candles: of a file of trades without any server, or of the database. Times are UTC.",
        usage: """
            bitpal candles --from-trades FILE [--interval 1m] [--json] [--partial]
            bitpal candles VENUE SYMBOL [--interval 1h] [--from TIME] [--to TIME] [--flat] [--json]
            bitpal candles VENUE SYMBOL --range 1D [--to TIME] [--flat] [--json]
            bitpal candles VENUE SYMBOL --interval 1h --from TIME [--to TIME] --backfill [--rest-url URL]
            """,
        discussion: """
            A file has JSON lines as `bitpal normalize --emit trades` prints them, or CSV with a header \
            that names time, price and size, and if known side, id, venue and symbol. It may be gzipped and \
            in any order. Open and close are the first and the last trade by time, then by their order in \
            the file. The same id twice is one trade. \(PartialOptions.rule) No candle \
            is printed then; with --partial the last line says that some is missing.

            From the database come the candles that begin in [--from, --to). Without --to they end with the \
            newest one, without --from there are 500 of them. --backfill first fetches what is missing from \
            the venue, within the venue's limits, and may be interrupted and run again; it ends now unless \
            --to says otherwise.
            """)

    @Argument(help: "One of \(VenueNames.list).")
    var venue: String?

    @Argument(help: "In the venue's own spelling, such as XBTUSD or BTC/USD.")
    var symbol: String?

    @Option(name: .customLong("from-trades"), help: "A file of trades: JSON lines or CSV, plain or gzipped.")
    var fromTrades: String?

    @Option(
        help: "How long a candle is: \(CandleInterval.allCases.map(\.rawValue).joined(separator: ", ")); 1m.")
    var interval: CandleInterval?

    @OptionGroup var span: CandleSpanOptions

    @Flag(help: "Candles without trades too, at the price before them.")
    var flat = false

    @OptionGroup var partial: PartialOptions
    @OptionGroup var backfill: BackfillOptions
    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Flag(help: "One JSON object per line, by symbol and start.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks that the options are those of one of the forms.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        switch (fromTrades, venue, symbol) {
        case (nil, let venue?, let symbol?):
            try VenueNames.check(venue)
            guard !symbol.isEmpty else { throw ValidationError("the symbol is empty") }
            if partial.partial { throw ValidationError("--partial is for --from-trades FILE") }
            if span.range != nil, interval != nil {
                throw ValidationError("--range has an interval of its own; leave out --interval")
            }
            if backfill.isWanted, span.from == nil, span.range == nil {
                throw ValidationError("--backfill needs --from or --range, to know where to begin")
            }
            if !backfill.isWanted, backfill.restURL != nil {
                throw ValidationError("--rest-url is where --backfill fetches from; add --backfill")
            }
        case (_?, nil, nil):
            let isOther = span.isGiven || flat || backfill.isWanted || backfill.restURL != nil
            if isOther || bus.bus != nil || database.dataDir != nil {
                throw ValidationError("--from-trades takes only --interval, --json and --partial")
            }
        default:
            throw ValidationError("name either VENUE SYMBOL or --from-trades FILE")
        }
    }

    /// Prints the candles.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        if let fromTrades { return try show(fileOfTrades: fromTrades) }
        guard let venue, let symbol else { return }
        let question = StoredCandleQuery(
            id: InstrumentID(venue: Venue(rawValue: venue), symbol: symbol),
            interval: span.range?.interval ?? interval ?? .minute, span: span, wantsFlat: flat)
        let client = try BusClient(bus.addresses())
        let chart = try await database.use(client) { [backfill] database in
            let instrument = try await question.instrument(in: database)
            if backfill.isWanted {
                try await backfill.run(question, of: instrument, into: database, client)
            }
            return try await question.chart(of: instrument, in: database)
        }
        try chart.print(isJSON: json)
    }

    private func show(fileOfTrades path: String) throws {
        let report: CandleReport
        do {
            report = try CandleReport(path: path, interval: interval ?? .minute, policy: partial.policy)
        } catch let error as RecordingError {
            throw CommandFailure(.failed, error.description)
        }
        if json {
            let output = StandardOutput()
            try report.writeJSON(to: output)
            if let line = IncompleteLine(of: [report.faults]) { try output.writeLine(json: line) }
            try output.flush()
        } else {
            let terminal = Terminal()
            // A pipe takes whole numbers; only a screen has an edge.
            let columns = terminal.isInteractive ? terminal.size.columns : .max
            let isWhole = report.faults.isWhole
            try terminal.print(report.lines(columns: columns) + (isWhole ? [] : [StyledLine("incomplete")]))
        }
        try partial.report([report.faults])
        if report.duplicates > 0 {
            let note = "left out as duplicates, since each id counts once: \(report.duplicates)"
            let errors = StandardOutput(descriptor: STDERR_FILENO)
            try errors.writeLine("bitpal: \(note)")
            try errors.flush()
        }
    }
}

extension CandleInterval: ExpressibleByArgument {}
extension ChartRange: ExpressibleByArgument {}
