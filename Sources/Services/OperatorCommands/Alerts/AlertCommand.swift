import Alerting
package import ArgumentParser
import Glibc
import Instruments
import Recordings
import Shapes

/// `bitpal alert …`: rules that tell people what happens.
package struct AlertCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "alert", abstract: "Price alerts.",
        subcommands: [
            AlertCreateCommand.self, AlertListCommand.self, AlertShowCommand.self, AlertEditCommand.self,
            AlertEnableCommand.self, AlertDisableCommand.self, AlertDeleteCommand.self,
            AlertHistoryCommand.self, AlertExportCommand.self, AlertImportCommand.self,
            AlertExplainCommand.self, AlertTestFireCommand.self, AlertBacktestCommand.self,
        ])

    /// An unconfigured command, for the parser.
    package init() {}
}

struct AlertBacktestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Prints each firing that rules would have made, as lines of JSON.",
        discussion: """
            Rules are JSON lines such as \
            {"id":"r1","instrument":"binance-usdm:BTCUSDT","condition":{"price":"last","crosses":"above",\
            "level":"61000.5"},"repeat":"once"}. A rule on the last price is evaluated on each trade, one on \
            bid, ask or mid after each change of a live book. Above fires when previous < level <= current, \
            below when previous > level >= current; the first price only arms. A recurring rule may fire \
            again at exactly the end of its cooldown, and after the price moved back by exactly its \
            hysteresis. Firings come in the order of the venue's times; those of one event in the order \
            of the rules' ids. With --from and --to the trades are those that are stored; nothing is \
            stored of the changes of books. A rule that the data cannot decide is named on standard error, \
            and changes neither the others nor the exit status. \(PartialOptions.rule) No firing is printed \
            then; what a rule would have done with what is missing is not known.
            """)

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Option(help: "A file of rules, JSON lines.")
    var rules: String

    @Option(parsing: .upToNextOption, help: "Recordings, as `bitpal record` writes them.")
    var recording: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "Files of trades: lines of `bitpal normalize --emit trades`, or CSV time,price,size,side,id.")
    var trades: [String] = []

    @Option(help: "Stored trades from this venue time on, such as 2026-01-31T00:00:00Z.")
    var from: String?

    @Option(help: "Stored trades before this venue time.")
    var to: String?

    @OptionGroup var partial: PartialOptions

    func validate() throws {
        guard (from == nil) == (to == nil) else { throw ValidationError("--from and --to go together") }
        let sources = [!recording.isEmpty, !trades.isEmpty, from != nil].count { $0 }
        guard sources == 1 else {
            throw ValidationError(
                "give the data with one of --recording FILE, --trades FILE, and --from TIME --to TIME")
        }
        if from != nil, partial.partial {
            throw ValidationError("--partial is for --recording FILE and --trades FILE")
        }
        for (name, text) in [("--from", from), ("--to", to)] {
            guard let text, Timestamp(iso8601: text) == nil else { continue }
            throw ValidationError("\(name) is \"\(text)\"; accepted is a time such as 2026-01-31T00:00:00Z")
        }
    }

    /// The stored span, if that is wanted.
    private var span: Range<Timestamp>? {
        get throws {
            guard let from = from.flatMap({ Timestamp(iso8601: $0) }),
                let to = to.flatMap({ Timestamp(iso8601: $0) })
            else { return nil }
            guard from < to else { throw CommandFailure(.usage, "--to is not after --from") }
            return from..<to
        }
    }

    func run() async throws {
        var backtest = try AlertBacktest(rules: try RuleFile(path: rules))
        var faults: [InputFaults] = []
        do {
            for path in recording { faults.append(try backtest.play(recording: path)) }
        } catch let error as RecordingError {
            throw CommandFailure(.failed, error.description)
        }
        if !trades.isEmpty {
            let tape = try TapeFile(paths: trades, policy: partial.policy)
            faults = tape.faults
            try backtest.play(tape)
        }
        try partial.check(faults)
        if let span = try span {
            let played = backtest
            backtest = try await database.use(try BusClient(bus.addresses())) { database in
                var backtest = played
                try await backtest.play(stored: span, in: database)
                return backtest
            }
        }
        let firings = try backtest.firings()
        let errors = StandardOutput(descriptor: STDERR_FILENO)
        try partial.report(faults)
        for words in backtest.undecided { try errors.writeLine("warning: \(words)") }
        try errors.flush()
        let output = StandardOutput()
        for firing in firings { try output.writeLine(json: FiringLine(firing: firing)) }
        if let line = IncompleteLine(of: faults) { try output.writeLine(json: line) }
        try output.flush()
    }
}

/// A firing as `backtest` prints it.
private struct FiringLine: WireBody {
    static let shape = BodyShape<FiringLine>("BacktestFiring") {
        Field("rule", \.firing.rule.description, "Its id.", example: "r1")
        Field("venue_time", \.firing.venueTime.iso8601, as: .time)
        Field("price", \.firing.price?.description, as: .nullable(.decimal), example: "61000.5")
        Field("trade_id", \.firing.tradeID, "Of the trade that it fired on.", example: "98765")
        Field("reason", \.firing.reason, "In words.", example: "last rose above 61000")
    }

    let firing: Firing
}
