import Glibc

/// Figures of a sequence of returns, each a ratio such as 0.01 for one in a hundred.
///
/// Conventions are those of empyrical-reloaded 0.7 where it has the figure: sample deviation (n - 1), no
/// risk-free rate unless given, years of `periodsPerYear` periods. A figure that does not exist, such as the
/// deviation of one return, is `nil`.
public enum Returns {
    /// The growth of all periods together, as a ratio.
    public static func cumulative(_ returns: [Double]) -> Double {
        returns.reduce(1) { $0 * (1 + $1) } - 1
    }

    /// The growth of a year at the same pace: (1 + cumulative)^(periodsPerYear / n) - 1.
    public static func annual(_ returns: [Double], periodsPerYear: Double) -> Double? {
        guard !returns.isEmpty else { return nil }
        let growth = 1 + cumulative(returns)
        guard growth >= 0 else { return nil }
        return pow(growth, periodsPerYear / Double(returns.count)) - 1
    }

    /// The mean; `nil` of none.
    public static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// The sample's standard deviation; `nil` of fewer than two.
    public static func deviation(_ values: [Double]) -> Double? {
        guard values.count > 1, let mean = mean(values) else { return nil }
        let sum = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (sum / Double(values.count - 1)).squareRoot()
    }

    /// Volatility of a year: the deviation × √periodsPerYear.
    public static func volatility(_ returns: [Double], periodsPerYear: Double) -> Double? {
        deviation(returns).map { $0 * periodsPerYear.squareRoot() }
    }

    /// Volatility of the whole range: the deviation of logarithmic returns × √n.
    ///
    /// Source: Portfolio Performance's manual, "Volatility", 2024. `nil` when a return is -1 or less.
    public static func rangeVolatility(_ returns: [Double]) -> Double? {
        guard returns.allSatisfy({ $0 > -1 }) else { return nil }
        return deviation(returns.map { log1p($0) }).map { $0 * Double(returns.count).squareRoot() }
    }

    /// Mean over deviation, both of what exceeds `riskFree` a period, × √periodsPerYear.
    public static func sharpe(_ returns: [Double], riskFree: Double = 0, periodsPerYear: Double) -> Double? {
        let excess = returns.map { $0 - riskFree }
        guard let mean = mean(excess), let deviation = deviation(excess), deviation > 0 else { return nil }
        return mean / deviation * periodsPerYear.squareRoot()
    }

    /// Mean over downside deviation, both of what exceeds `required` a period and of a year.
    ///
    /// The downside deviation divides by all periods, not only by those that fell short.
    public static func sortino(_ returns: [Double], required: Double = 0, periodsPerYear: Double) -> Double? {
        let excess = returns.map { $0 - required }
        guard let mean = mean(excess) else { return nil }
        let squares = excess.reduce(0) { $0 + min($1, 0) * min($1, 0) }
        let downside = (squares / Double(excess.count)).squareRoot() * periodsPerYear.squareRoot()
        return downside > 0 ? mean * periodsPerYear / downside : nil
    }

    /// The deepest fall from a height, as a ratio of 0 or less; the start counts as a height.
    public static func maximumDrawdown(_ returns: [Double]) -> Double {
        drawdowns(returns).min() ?? 0
    }

    /// How far below the highest point so far each period ends, as ratios of 0 or less.
    public static func drawdowns(_ returns: [Double]) -> [Double] {
        var (value, height) = (1.0, 1.0)
        return returns.map { change in
            value *= 1 + change
            height = max(height, value)
            return (value - height) / height
        }
    }

    /// The return of a year over the depth of the deepest fall; `nil` when nothing fell.
    public static func calmar(_ returns: [Double], periodsPerYear: Double) -> Double? {
        let drawdown = maximumDrawdown(returns)
        guard drawdown < 0, let annual = annual(returns, periodsPerYear: periodsPerYear) else { return nil }
        return annual / -drawdown
    }

    /// How much it moves with a benchmark: covariance over the benchmark's variance.
    ///
    /// `nil` for fewer than two periods, different lengths, or a benchmark that never moves.
    public static func beta(_ returns: [Double], benchmark: [Double]) -> Double? {
        guard let covariance = covariance(returns, benchmark), let deviation = deviation(benchmark),
            deviation > 0
        else { return nil }
        return covariance / (deviation * deviation)
    }

    /// Pearson's correlation, -1...1; `nil` where ``beta(_:benchmark:)`` is, or when either never moves.
    public static func correlation(_ left: [Double], _ right: [Double]) -> Double? {
        guard let covariance = covariance(left, right), let first = deviation(left),
            let second = deviation(right), first > 0, second > 0
        else { return nil }
        return min(max(covariance / (first * second), -1), 1)
    }

    /// The correlation of each with each.
    public static func correlationMatrix(_ series: [[Double]]) -> [[Double?]] {
        series.map { left in series.map { correlation(left, $0) } }
    }

    private static func covariance(_ left: [Double], _ right: [Double]) -> Double? {
        guard left.count == right.count, left.count > 1, let a = mean(left), let b = mean(right) else {
            return nil
        }
        return zip(left, right).reduce(0) { $0 + ($1.0 - a) * ($1.1 - b) } / Double(left.count - 1)
    }
}
