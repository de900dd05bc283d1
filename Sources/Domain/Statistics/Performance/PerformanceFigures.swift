/// Return and risk of a series of daily values.
///
/// A year has 365 days, since coins trade on all of them; no risk-free rate. The return and the deepest fall
/// are of the whole series; what is told for a year, deviations, ratios of them and values at risk are of its
/// days but the first, which only puts the money in.
public struct PerformanceFigures: Sendable {
    /// Days of the window that have a return.
    public var days: Int
    /// Profit over what was put in.
    public var simpleReturn: Double?
    /// Time-weighted return of the window.
    public var timeWeightedReturn: Double
    /// The same for a year at that pace; `nil` for less than a year, where it would only exaggerate.
    public var yearlyTimeWeightedReturn: Double?
    /// Money-weighted return of a year.
    public var moneyWeightedReturn: Double?
    /// The last day's return.
    public var lastDay: Double?
    /// The deepest fall, 0 or less.
    public var maximumDrawdown: Double
    /// Volatility of a year.
    public var volatility: Double?
    /// Volatility of the window, of logarithmic returns.
    public var rangeVolatility: Double?
    /// Mean over volatility.
    public var sharpe: Double?
    /// Mean over downside deviation.
    public var sortino: Double?
    /// Return of a year over the deepest fall; of less than a year, too.
    public var calmar: Double?
    /// The day's return that one day in twenty falls short of, as it happened.
    public var historicalValueAtRisk: Double?
    /// The same for a normal distribution of the same mean and deviation.
    public var parametricValueAtRisk: Double?

    /// Days of a year.
    public static let periodsPerYear = 365.0

    /// Computes all of them.
    public init(_ series: ValueSeries) {
        // What the first day earns is not a whole day's return, and no measure of a day's risk.
        let returns = Array(series.returns.dropFirst())
        let year = PerformanceFigures.periodsPerYear
        days = returns.count
        simpleReturn = series.simpleReturn
        timeWeightedReturn = series.timeWeightedReturn
        yearlyTimeWeightedReturn =
            returns.count >= 365 ? Returns.annual(returns, periodsPerYear: year) : nil
        moneyWeightedReturn = series.moneyWeightedReturn
        lastDay = returns.last
        maximumDrawdown = Returns.maximumDrawdown(series.returns)
        volatility = Returns.volatility(returns, periodsPerYear: year)
        rangeVolatility = Returns.rangeVolatility(returns)
        sharpe = Returns.sharpe(returns, periodsPerYear: year)
        sortino = Returns.sortino(returns, periodsPerYear: year)
        let annual = Returns.annual(returns, periodsPerYear: year)
        calmar = maximumDrawdown < 0 ? annual.map { [fall = -maximumDrawdown] in $0 / fall } : nil
        historicalValueAtRisk = ValueAtRisk.historical(returns)
        parametricValueAtRisk = ValueAtRisk.parametric(returns)
    }
}
