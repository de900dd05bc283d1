import Glibc

/// The internal rate of return of dated flows.
public enum MoneyWeightedReturn {
    /// Money that moves on a day.
    public struct Flow: Sendable {
        /// The day, counted from any other.
        public var day: Double
        /// Above zero when the owner gets it, below when the owner pays it.
        public var amount: Double

        public init(day: Double, amount: Double) {
            self.day = day
            self.amount = amount
        }
    }

    /// The rate r of a year of 365 days for which the flows' values at (1 + r)^(-days / 365) sum to zero.
    ///
    /// Of several such rates the one nearest to zero, in growth, is given. `nil` when there is none: flows
    /// of one sign, of one day, or with no rate between -100 % and e^100.
    /// Source: the definition of XIRR in the OASIS OpenFormula standard 1.2, 6.12.51.
    public static func yearly(_ flows: [Flow]) -> Double? {
        guard let first = flows.map(\.day).min(), flows.contains(where: { $0.amount > 0 }),
            flows.contains(where: { $0.amount < 0 })
        else { return nil }
        let terms = flows.map { (years: ($0.day - first) / 365, amount: $0.amount) }
        guard terms.contains(where: { $0.years > 0 }) else { return nil }
        guard let bracket = bracket(terms) else { return nil }
        let growth = root(terms, bracket)
        return expm1(growth)
    }

    /// Value and slope at a rate that compounds at every instant: no power, and no pole at -100 %.
    private static func value(_ terms: [(years: Double, amount: Double)], _ growth: Double) -> (
        value: Double, slope: Double
    ) {
        terms.reduce((0.0, 0.0)) { sum, term in
            let present = term.amount * exp(-growth * term.years)
            return (sum.0 + present, sum.1 - term.years * present)
        }
    }

    /// Two rates with a change of sign between them, looked for outwards from zero in growing steps.
    private static func bracket(_ terms: [(years: Double, amount: Double)]) -> (Double, Double)? {
        var (low, high) = (0.0, 0.0)
        var (below, above) = (value(terms, 0).value, value(terms, 0).value)
        if below == 0 { return (0, 0) }
        var step = 0.01
        while high < 100 {
            let up = value(terms, high + step).value
            if up.isFinite {
                if (up < 0) != (above < 0) { return (high, high + step) }
                above = up
            }
            let down = value(terms, low - step).value
            if down.isFinite {
                if (down < 0) != (below < 0) { return (low - step, low) }
                below = down
            }
            high += step
            low -= step
            step *= 1.2
        }
        return nil
    }

    /// Newton's step where it stays inside the bracket, halving where it does not.
    private static func root(
        _ terms: [(years: Double, amount: Double)], _ bracket: (Double, Double)
    ) -> Double {
        var (low, high) = bracket
        let isNegativeLow = value(terms, low).value < 0
        var growth = (low + high) / 2
        for _ in 0..<200 {
            let (value, slope) = value(terms, growth)
            if value == 0 { return growth }
            if (value < 0) == isNegativeLow { low = growth } else { high = growth }
            var next = growth - value / slope
            if !(next > low && next < high) { next = (low + high) / 2 }
            if abs(next - growth) <= 1e-16 * max(1, abs(growth)) { return next }
            growth = next
        }
        return growth
    }
}
