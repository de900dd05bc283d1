package import ArgumentParser
import Instruments
import JSON
import Shapes
import Statistics

/// The command `bitpal indicator NAME --candles FILE`.
package struct IndicatorCommand: ParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "indicator",
        abstract: "Prints an indicator's series over a file of candles.",
        discussion: """
            Candles are JSON lines as `bitpal candles --json` prints them, or CSV with a header of the same \
            names. Candles of several instruments or intervals are separate series. With --json each candle \
            gives one object with venue, symbol, interval, start and the values as strings, null before \
            there are enough candles: "value", or macd, signal, histogram, or upper, middle, lower, or k, d.
            """)

    @Argument(help: "One of \(IndicatorSeries.Name.allCases.map(\.rawValue).joined(separator: ", ")).")
    var name: String

    @Option(help: "A file of candles.") var candles: String
    @Option(help: "Candles that it looks back on, 1...100000.") var period: Int?
    @Option(help: "The short period of macd.") var fast: Int?
    @Option(help: "The long period of macd.") var slow: Int?
    @Option(help: "The period of the signal line of macd, and of the line d of stochastic.") var signal: Int?
    @Option(help: "Values in the mean that is the line k of stochastic; 1 for the fast one.") var smoothing:
        Int?
    @Option(help: "Half the width of bollinger, in standard deviations.") var deviations: Double?
    @Flag(help: "One JSON object per line.") var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks what the parser cannot.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        guard let indicator = IndicatorSeries.Name(rawValue: name) else {
            let names = IndicatorSeries.Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("NAME is \(name); it must be one of \(names)")
        }
        let least = indicator == .rsi || indicator == .cci ? 2 : 1
        let limits = [("period", period, least), ("fast", fast, 1), ("slow", slow, 1), ("signal", signal, 1)]
        for (option, value, least) in limits + [("smoothing", smoothing, 1)] {
            guard let value, !(least...100_000).contains(value) else { continue }
            throw ValidationError("--\(option) is \(value); it must be \(least) to 100000")
        }
        if let deviations, !(deviations > 0 && deviations <= 100) {
            throw ValidationError("--deviations is \(deviations); it must be above 0, at most 100")
        }
    }

    /// Prints the series.
    ///
    /// - Throws: ``CommandFailure`` naming file, line, field, value and what is accepted.
    package func run() throws {
        guard let indicator = IndicatorSeries.Name(rawValue: name) else { return }
        let settings = IndicatorSeries.Settings(
            period: period, fast: fast, slow: slow, signal: signal, smoothing: smoothing,
            deviations: deviations)
        let output = StandardOutput()
        var series: [CandleFile.Series: IndicatorSeries] = [:]
        if !json {
            let columns = IndicatorSeries(indicator, settings).columns
            try output.writeLine((["start"] + columns).joined(separator: " "))
        }
        try CandleFile(path: candles).forEachCandle(for: indicator) { candle in
            var state = series[candle.series] ?? IndicatorSeries(indicator, settings)
            let values = state.update(candle.bar)
            series[candle.series] = state
            if json {
                try output.writeLine(
                    json: IndicatorLine(candle: candle, columns: state.columns, values: values))
            } else {
                let words = values?.map(\.description) ?? state.columns.map { _ in "-" }
                try output.writeLine(([candle.start] + words).joined(separator: " "))
            }
        }
        try output.flush()
    }
}

/// The values at a candle, as they are printed: its fields, then a member for each line of the indicator.
private struct IndicatorLine: WireValue {
    /// What it is of, as the file says it.
    private struct Head: WireBody {
        static let shape = BodyShape<Head>("IndicatorCandle", "Null is what the file does not say.") {
            Field("venue", \.candle.series.venue, example: .venue)
            Field("symbol", \.candle.series.symbol, example: "BTC/USD")
            Field("interval", \.candle.series.interval, example: "1m")
            Field("start", \.candle.start, example: "2026-11-21T12:00:00Z")
        }

        let candle: CandleFile.Candle
    }

    static var schema: Schema { Head.schema }

    let candle: CandleFile.Candle
    let columns: [String]
    /// `nil` before there are enough candles.
    let values: [Double]?

    // tidy: hand-made-json Which members there are depends on the indicator.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            Head(candle: candle).writeMembers(to: &writer)
            for (index, column) in columns.enumerated() {
                writer.pair(column, values.map { $0[index].description })
            }
        }
    }
}

/// Candles from a file, as `bitpal candles --json` prints them, or CSV with such a header.
struct CandleFile {
    /// What a candle is of; all `nil` for a file that does not say.
    struct Series: Hashable {
        var venue: String?
        var symbol: String?
        var interval: String?
    }

    struct Candle {
        var series: Series
        /// As the file writes it.
        var start: String
        var bar: PriceBar
    }

    private let table: TableFile

    init(path: String) throws { table = try TableFile(path: path) }

    /// Hands over each candle; those of one series must come in the order of their starts.
    ///
    /// - Throws: ``CommandFailure`` naming file, line, field, value and what is accepted.
    func forEachCandle(
        for indicator: IndicatorSeries.Name, _ body: (Candle) throws -> Void
    ) throws {
        var last: [Series: Timestamp] = [:]
        try table.forEachRow { row in
            let series = Series(
                venue: row.value("venue"), symbol: row.value("symbol"), interval: row.value("interval"))
            let text = row.value("start", "time")
            guard let text, let start = TradeTime.parse(text) else {
                throw table.fault(row, "start", text, accepted: TradeTime.accepted)
            }
            if let last = last[series], start <= last {
                throw table.fault(row, "start", text, accepted: "a start after that of the candle before")
            }
            last[series] = start
            let close = try number(row, "close")
            var bar = PriceBar(open: close, high: close, low: close, close: close)
            if !indicator.needsOnlyCloses {
                bar.high = try number(row, "high")
                bar.low = try number(row, "low")
                if indicator.needsVolume { bar.volume = try number(row, "volume") }
            }
            try body(Candle(series: series, start: text, bar: bar))
        }
    }

    private func number(_ row: TableFile.Row, _ name: String) throws -> Double {
        let text = row.value(name)
        guard let text, let value = Double(text), value.isFinite else {
            throw table.fault(row, name, text, accepted: "a decimal such as \"61000.5\"")
        }
        return value
    }
}
