import GatewayFrame
import Shapes
import Statistics

/// Which indicator somebody wants.
enum IndicatorQuery {
    private typealias Name = IndicatorSeries.Name

    private static let name = Parameter<Name>(
        ParameterDocument(
            name: "name", text: "Which.", schema: .words(Name.allCases.map(\.rawValue)), example: "ema",
            isRequired: true)
    ) { (query) throws(Problem) in
        guard let name = try query.choice("name", Name.self) else {
            throw .invalid("name", nil, accepted: Name.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return name
    }
    private static let period = period(
        "period",
        """
        Candles that it looks back on; 2 or more for rsi and cci. Unless said otherwise 30 for sma, ema and \
        wma; 20 for bollinger; 14 for rsi, atr, williams, cci and vwap; 10 for roc and momentum; 5 for \
        stddev and stochastic.
        """
    ) { (query) throws(Problem) in [.rsi, .cci].contains(try query[name]) ? 2 : 1 }
    private static let fast = period("fast", "The short period of macd; 12 unless said otherwise.")
    private static let slow = period("slow", "The long period of macd; 26 unless said otherwise.")
    private static let signal = period(
        "signal", "The period of a signal line; 9 for macd, 3 for stochastic unless said otherwise.")
    private static let smoothing = period(
        "smoothing", "Values in the mean that is the line k of stochastic; 3 unless said otherwise.")
    private static let deviations = Parameter<Double?>(
        "deviations", "Half the width of bollinger, in standard deviations; 2 unless said otherwise.",
        .keywords([.init("type", "number"), .init("exclusiveMinimum", 0), .init("maximum", 100)])
    ) { (query) throws(Problem) in
        guard let text = try query.text("deviations") else { return nil }
        guard let number = Double(text), number > 0, number <= 100 else {
            throw .invalid("deviations", text, accepted: "a number above 0, at most 100")
        }
        return number
    }

    /// What it is read of.
    static let parameters: [any QueryParameter] = [
        name, period, fast, slow, signal, smoothing, deviations,
    ]

    /// A count of candles; `nil` when it is missing.
    private static func period(
        _ name: String, _ text: String,
        from least: @escaping @Sendable (RequestQuery) throws(Problem) -> Int = { _ in 1 }
    ) -> Parameter<Int?> {
        Parameter(name, text, .integer(in: 1...1_000)) { (query) throws(Problem) in
            guard try query.text(name) != nil else { return nil }
            let least = try least(query)
            return try query.integer(name, in: least...1_000, default: least)
        }
    }

    /// Reads `?name=rsi&period=14`.
    ///
    /// - Throws: `invalid-field`.
    static func read(_ query: RequestQuery) throws(Problem) -> (
        name: IndicatorSeries.Name, settings: IndicatorSeries.Settings
    ) {
        (
            try query[name],
            IndicatorSeries.Settings(
                period: try query[period], fast: try query[fast], slow: try query[slow],
                signal: try query[signal], smoothing: try query[smoothing],
                deviations: try query[deviations])
        )
    }
}
