/// The distance of a fast from a slow exponential mean, and a mean of that distance: MACD.
///
/// Both means begin at the same value, the first with enough before it for the slow one.
/// Source: Gerald Appel's MACD, with the beginning as TA-Lib 0.6 has it.
public struct MovingAverageConvergence: StreamingIndicator {
    /// The three lines at one value.
    public struct Lines: Hashable, Sendable {
        /// Fast mean less slow mean.
        public var macd: Double
        /// The mean of that.
        public var signal: Double
        /// The one less the other.
        public var histogram: Double
    }

    private var fast: ExponentialMovingAverage
    private var slow: ExponentialMovingAverage
    private var signal: ExponentialMovingAverage
    private var skipped = 0
    private let lead: Int

    /// The shorter of the two periods is the fast one, in whichever order they are given.
    ///
    /// - Precondition: all periods are positive.
    public init(fast: Int = 12, slow: Int = 26, signal: Int = 9) {
        self.fast = ExponentialMovingAverage(period: min(fast, slow))
        self.slow = ExponentialMovingAverage(period: max(fast, slow))
        self.signal = ExponentialMovingAverage(period: signal)
        lead = max(fast, slow) - min(fast, slow)
    }

    /// Takes the next price; `nil` before there are slow + signal - 1.
    public mutating func update(_ price: Double) -> Lines? {
        var fastMean: Double?
        if skipped < lead { skipped += 1 } else { fastMean = fast.update(price) }
        guard let slowMean = slow.update(price), let fastMean else { return nil }
        let macd = fastMean - slowMean
        guard let signal = signal.update(macd) else { return nil }
        return Lines(macd: macd, signal: signal, histogram: macd - signal)
    }
}

extension MovingAverageConvergence: RestorableIndicator {
    func keep(in words: inout [UInt64]) {
        words.append(skipped)
        for mean in [fast, slow, signal] { mean.keep(in: &words) }
    }

    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool {
        guard let skipped = words.count(upTo: lead) else { return false }
        self.skipped = skipped
        return fast.takeOver(&words) && slow.takeOver(&words) && signal.takeOver(&words)
    }
}
