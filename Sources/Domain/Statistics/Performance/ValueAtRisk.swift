import Glibc

/// The return that a period falls short of only so often, as a ratio; a loss is below zero.
public enum ValueAtRisk {
    /// The quantile of what happened, between neighbours in proportion; `nil` of none.
    ///
    /// Source: empyrical-reloaded 0.7, `value_at_risk`, by numpy's percentile with linear interpolation.
    ///
    /// `cutoff` says how often, 0...1, such as 0.05.
    public static func historical(_ returns: [Double], cutoff: Double = 0.05) -> Double? {
        guard !returns.isEmpty, (0...1).contains(cutoff) else { return nil }
        let sorted = returns.sorted()
        let place = cutoff * Double(sorted.count - 1)
        let low = Int(place)
        guard low + 1 < sorted.count else { return sorted[low] }
        return sorted[low] + (sorted[low + 1] - sorted[low]) * (place - Double(low))
    }

    /// The quantile of a normal distribution of the same mean and sample deviation; `nil` of fewer than two.
    ///
    /// Source: quantstats 0.0.86, `value_at_risk`.
    ///
    /// `cutoff` says how often, above 0 and below 1, such as 0.05.
    public static func parametric(_ returns: [Double], cutoff: Double = 0.05) -> Double? {
        guard let mean = Returns.mean(returns), let deviation = Returns.deviation(returns),
            let quantile = normalQuantile(cutoff)
        else { return nil }
        return mean + deviation * quantile
    }

    /// The standard normal's quantile; `nil` outside 0 to 1.
    ///
    /// Source: Wichura, "Algorithm AS 241", Applied Statistics 37 (1988), routine PPND16: sixteen digits.
    static func normalQuantile(_ probability: Double) -> Double? {
        guard probability > 0, probability < 1 else { return nil }
        let offset = probability - 0.5
        if abs(offset) <= 0.425 {
            let r = 0.180625 - offset * offset
            return offset * polynomial(centreUpper, r) / polynomial(centreLower, r)
        }
        let r = (-log(offset < 0 ? probability : 1 - probability)).squareRoot()
        let value =
            r <= 5
            ? polynomial(tailUpper, r - 1.6) / polynomial(tailLower, r - 1.6)
            : polynomial(farUpper, r - 5) / polynomial(farLower, r - 5)
        return offset < 0 ? -value : value
    }

    private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
        coefficients.reversed().reduce(0) { $0 * x + $1 }
    }

    private static let centreUpper = [
        3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
        1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
        3.3430575583588128105e4, 2.5090809287301226727e3,
    ]
    private static let centreLower = [
        1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
        2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
        5.2264952788528545610e3,
    ]
    private static let tailUpper = [
        1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
        3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
        2.27238449892691845833e-2, 7.74545014278341407640e-4,
    ]
    private static let tailLower = [
        1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ]
    private static let farUpper = [
        6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
        2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ]
    private static let farLower = [
        1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ]
}
