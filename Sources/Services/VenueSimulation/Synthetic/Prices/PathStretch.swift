/// A path through one day, hour or minute: a random walk that begins and ends where it has to.
struct PathStretch: Hashable, Sendable {
    /// The path at the beginning of each part and at the end of the last.
    var knots: [Double]
    /// Of the move within each part.
    var variances: [Double]

    init(knots: [Double], variances: [Double]) {
        self.knots = knots
        self.variances = variances
    }

    /// A Brownian bridge whose parts have these variances.
    init(from: Double, to: Double, variances: [Double], _ random: inout SplitMix64) {
        var knots: [Double] = [from]
        knots.reserveCapacity(variances.count + 1)
        var (walk, spent) = (0.0, 0.0)
        for variance in variances {
            walk += variance.squareRoot() * random.deviate()
            knots.append(walk)
            spent += variance
        }
        let missing = to - from - walk
        var part = 0.0
        for index in variances.indices {
            part += variances[index]
            knots[index + 1] += from + (spent > 0 ? missing * part / spent : 0)
        }
        knots[variances.count] = to
        self.init(knots: knots, variances: variances)
    }
}
