/// Whether lines that are computed from closed candles cross each other or a level.
///
/// It takes integers with decimal places, so that whoever asks needs no binary fractions.
public struct CandleSignal: Hashable, Sendable {
    /// An integer and its decimal places.
    public struct Decimal: Hashable, Sendable {
        /// The nearest binary fraction.
        let value: Double
        /// How many are behind the point.
        let places: Int

        /// Joins both; value = units / 10^places.
        public init(_ units: Int64, places: Int) {
            // 10^22 and less are exact as binary fractions.
            var power = 1.0
            for _ in 0..<places { power *= 10 }
            value = Double(units) / power
            self.places = places
        }
    }

    /// previous < level <= current, or the same downwards.
    public enum Crossing: Hashable, Sendable {
        /// Upwards.
        case above
        /// Downwards.
        case below
        /// Any of the two.
        case either
    }

    /// What is watched.
    public enum Kind: Hashable, Sendable {
        /// The relative strength crosses a level.
        case rsi(period: Int, Crossing, level: Decimal)
        /// The MACD line crosses its signal line.
        case macd(fast: Int, slow: Int, signal: Int, Crossing)
        /// The fast exponential mean crosses the slow one.
        case ema(fast: Int, slow: Int, Crossing)
        /// The close leaves the band: above over its upper edge, below under its lower.
        case bollinger(period: Int, deviations: Decimal, Crossing)
    }

    private enum Lines: Hashable, Sendable {
        case rsi(RelativeStrengthIndex)
        case macd(MovingAverageConvergence)
        case ema(ExponentialMovingAverage, ExponentialMovingAverage)
        case bollinger(BollingerBands)
    }

    private let kind: Kind
    private var lines: Lines
    /// The distances of the last candle that had any: from the level, or from both edges of a band.
    private var previous: (upper: Double, lower: Double)? {
        get { hasPrevious ? (previousUpper, previousLower) : nil }
        set {
            hasPrevious = newValue != nil
            previousUpper = newValue?.upper ?? 0
            previousLower = newValue?.lower ?? 0
        }
    }
    private var hasPrevious = false
    private var previousUpper = 0.0
    private var previousLower = 0.0

    /// Nothing seen yet.
    ///
    /// - Precondition: periods are positive, that of the relative strength at least 2.
    public init(_ kind: Kind) {
        self.kind = kind
        switch kind {
        case .rsi(let period, _, _): lines = .rsi(RelativeStrengthIndex(period: period))
        case .macd(let fast, let slow, let signal, _):
            lines = .macd(MovingAverageConvergence(fast: fast, slow: slow, signal: signal))
        case .ema(let fast, let slow, _):
            lines = .ema(ExponentialMovingAverage(period: fast), ExponentialMovingAverage(period: slow))
        case .bollinger(let period, let deviations, _):
            lines = .bollinger(BollingerBands(period: period, deviations: deviations.value))
        }
    }

    /// Takes the next close; words for a person when it makes the lines cross.
    public mutating func update(close: Decimal) -> String? {
        guard let distance = distances(close.value) else { return nil }
        defer { previous = (distance.upper, distance.lower) }
        guard let previous else { return nil }
        let direction: Crossing
        switch kind {
        case .rsi(_, let crossing, _), .macd(_, _, _, let crossing), .ema(_, _, let crossing),
            .bollinger(_, _, let crossing):
            direction = crossing
        }
        if direction != .below, rises(from: previous.upper, to: distance.upper) {
            return distance.words + ", from below"
        }
        if direction != .above, rises(from: -previous.lower, to: -distance.lower) {
            return distance.words + ", from above"
        }
        return nil
    }

    /// A band must be left, a level need only be reached.
    private func rises(from previous: Double, to current: Double) -> Bool {
        if case .bollinger = kind { return previous <= 0 && current > 0 }
        return previous < 0 && current >= 0
    }

    private mutating func distances(_ close: Double) -> (upper: Double, lower: Double, words: String)? {
        switch (kind, lines) {
        case (.rsi(let period, _, let level), .rsi(var rsi)):
            let value = rsi.update(close)
            lines = .rsi(rsi)
            return value.map {
                (
                    $0 - level.value, $0 - level.value,
                    "RSI(\(period)) reached \(level.value), it is \(short($0))"
                )
            }
        case (.macd, .macd(var macd)):
            let value = macd.update(close)
            lines = .macd(macd)
            return value.map {
                (
                    $0.histogram, $0.histogram,
                    "MACD \(short($0.macd)) crossed its signal line \(short($0.signal))"
                )
            }
        case (.ema(let fast, let slow, _), .ema(var quick, var lasting)):
            let (first, second) = (quick.update(close), lasting.update(close))
            lines = .ema(quick, lasting)
            guard let first, let second else { return nil }
            let words = "EMA(\(fast)) \(short(first)) crossed EMA(\(slow)) \(short(second))"
            return (first - second, first - second, words)
        case (.bollinger(let period, _, _), .bollinger(var bands)):
            let value = bands.update(close)
            lines = .bollinger(bands)
            return value.map {
                (
                    close - $0.upper, close - $0.lower,
                    "close \(short(close)) left the band(\(period)) of \(short($0.lower)) to \(short($0.upper))"
                )
            }
        default: return nil
        }
    }

    /// Six significant places are enough for a sentence.
    private func short(_ value: Double) -> String {
        let scaled = (value * 1_000_000).rounded()
        guard scaled.magnitude < 9e15 else { return "\(value)" }
        return "\(scaled / 1_000_000)"
    }
}

extension CandleSignal {
    /// What it remembers, for ``takeOver(_:)`` of another one of the same kind.
    public var kept: [UInt64] {
        var words: [UInt64] = []
        words.append(hasPrevious)
        words.append(previousUpper)
        words.append(previousLower)
        switch lines {
        case .rsi(let rsi): rsi.keep(in: &words)
        case .macd(let macd): macd.keep(in: &words)
        case .ema(let quick, let lasting):
            quick.keep(in: &words)
            lasting.keep(in: &words)
        case .bollinger(let bands): bands.keep(in: &words)
        }
        return words
    }

    /// Goes on from what another one of the same kind remembered; false, and unchanged, when the words cannot
    /// be that.
    public mutating func takeOver(_ kept: [UInt64]) -> Bool {
        var words = IndicatorStateReader(kept)
        var next = self
        guard let hasPrevious = words.flag(), let upper = words.number(), let lower = words.number(),
            next.takeLines(&words), words.isEmpty
        else { return false }
        (next.hasPrevious, next.previousUpper, next.previousLower) = (hasPrevious, upper, lower)
        self = next
        return true
    }

    private mutating func takeLines(_ words: inout IndicatorStateReader) -> Bool {
        switch lines {
        case .rsi(var rsi):
            guard rsi.takeOver(&words) else { return false }
            lines = .rsi(rsi)
        case .macd(var macd):
            guard macd.takeOver(&words) else { return false }
            lines = .macd(macd)
        case .ema(var quick, var lasting):
            guard quick.takeOver(&words), lasting.takeOver(&words) else { return false }
            lines = .ema(quick, lasting)
        case .bollinger(var bands):
            guard bands.takeOver(&words) else { return false }
            lines = .bollinger(bands)
        }
        return true
    }
}
