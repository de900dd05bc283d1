import Glibc

/// What a path does in an hour or a minute, in logarithms.
struct PathSpan: Hashable, Sendable {
    let open: Double
    private(set) var high: Double
    private(set) var low: Double
    let close: Double
    let variance: Double

    /// Draws the highest and the lowest of a walk between two ends.
    ///
    /// The distribution of a Brownian bridge's greatest value is known in closed form.
    ///
    /// Source: Borodin and Salminen, "Handbook of Brownian Motion", 2002, part II, 1.1.8.
    ///
    /// - Parameters:
    ///   - from: Where it begins.
    ///   - to: Where it ends.
    ///   - variance: Of the walk.
    ///   - seed: Of the draws.
    ///   - second: When it begins.
    ///   - whole: What it may not leave; `nil` for no bounds.
    init(from: Double, to: Double, variance: Double, seed: UInt64, second: Int64, within whole: PathSpan?) {
        var random = SplitMix64(seed: seed ^ 0x1234_5678, at: second)
        let square = (to - from) * (to - from)
        let up = (square - 2 * variance * log(random.fraction())).squareRoot()
        let down = (square - 2 * variance * log(random.fraction())).squareRoot()
        open = from
        close = to
        high = max((from + to + up) / 2, from, to)
        low = min((from + to - down) / 2, from, to)
        self.variance = variance
        if let whole {
            high = whole.clamped(high)
            low = whole.clamped(low)
        }
    }

    /// A value within the bounds, the nearest one.
    private func clamped(_ value: Double) -> Double { min(max(value, low), high) }

    /// A value within the bounds, thrown back by them.
    ///
    /// A path does not lie on one while the walk is beyond it.
    func reflected(_ value: Double) -> Double {
        let width = high - low
        guard value < low || value > high else { return value }
        guard width > 0 else { return low }
        let way = (value - low) - 2 * width * ((value - low) / (2 * width)).rounded(.down)
        return clamped(low + (way > width ? 2 * width - way : way))
    }

    /// Lets the parts of a whole reach its bounds, where they come next to them.
    static func reach(_ whole: PathSpan, _ parts: inout [PathSpan]) {
        var (highest, lowest) = (0, 0)
        for index in parts.indices {
            if parts[index].high > parts[highest].high { highest = index }
            if parts[index].low < parts[lowest].low { lowest = index }
        }
        parts[highest].high = whole.high
        parts[lowest].low = whole.low
    }
}
