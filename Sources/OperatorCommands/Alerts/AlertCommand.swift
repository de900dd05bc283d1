import Alerting
public import ArgumentParser
import Instruments
import Recordings

/// `bitpal alert …`: rules that tell people what happens.
public struct AlertCommand: AsyncParsableCommand {
    /// How the parser presents it.
    public static let configuration = CommandConfiguration(
        commandName: "alert", abstract: "Price alerts.",
        subcommands: [
            AlertCreateCommand.self, AlertListCommand.self, AlertShowCommand.self, AlertEditCommand.self,
            AlertEnableCommand.self, AlertDisableCommand.self, AlertDeleteCommand.self,
            AlertHistoryCommand.self, AlertExportCommand.self, AlertImportCommand.self,
            AlertBacktestCommand.self,
        ])

    /// An unconfigured command, for the parser.
    public init() {}
}

/// The command `bitpal alert backtest`.
struct AlertBacktestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Prints each firing that rules would have made on a file, as lines of JSON.",
        discussion: """
            Rules are JSON lines such as \
            {"id":"r1","instrument":"binance-usdm:BTCUSDT","condition":{"price":"last","crosses":"above",\
            "level":"61000.5"},"repeat":"once"}. A rule on the last price is evaluated on each trade, one on \
            bid, ask or mid after each change of a live book. Above fires when previous < level <= current, \
            below when previous > level >= current; the first price only arms. A recurring rule may fire \
            again at exactly the end of its cooldown, and after the price moved back by exactly its \
            hysteresis. Firings come in the order of the venue's times; those of one event in the order \
            of the rules' ids.
            """)

    @Option(help: "A file of rules, JSON lines.")
    var rules: String

    @Option(parsing: .upToNextOption, help: "Recordings, as `bitpal record` writes them.")
    var recording: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "Files of trades: lines of `bitpal normalize --emit trades`, or CSV time,price,size,side,id.")
    var trades: [String] = []

    func validate() throws {
        guard recording.isEmpty != trades.isEmpty else {
            throw ValidationError("give the data with either --recording FILE or --trades FILE")
        }
    }

    func run() throws {
        var backtest = try AlertBacktest(rules: try RuleFile(path: rules))
        do {
            for path in recording { try backtest.play(recording: path) }
        } catch let error as RecordingError {
            throw CommandFailure(.failed, error.description)
        }
        for path in trades { try backtest.play(try TapeFile(path: path)) }
        let output = StandardOutput()
        var line = JSONLine()
        for firing in try backtest.firings() {
            line.removeAll()
            line.firing(firing)
            try output.write(line.bytes)
        }
        try output.flush()
    }
}

extension JSONLine {
    /// A firing as `backtest` prints it.
    fileprivate mutating func firing(_ firing: Firing) {
        beginObject()
        key("rule")
        string(firing.rule.description)
        key("venue_time")
        string(firing.venueTime.iso8601)
        key("price")
        string(firing.price?.description)
        key("trade_id")
        string(firing.tradeID)
        key("reason")
        string(firing.reason)
        endObject()
        endLine()
    }
}
