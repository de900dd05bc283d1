/// An indicator by its name, with its settings, told one candle after the other.
public struct IndicatorSeries {
    /// What a person may set; `nil` for the indicator's own default.
    public struct Settings: Sendable {
        /// Candles that it looks back on, 1 or more; for `rsi` and `cci` 2 or more.
        public var period: Int?
        /// The short period of `macd`, 1 or more.
        public var fast: Int?
        /// The long period of `macd`, 1 or more.
        public var slow: Int?
        /// The period of the signal line, 1 or more.
        public var signal: Int?
        /// Values in the mean that is the line k of `stochastic`, 1 or more.
        public var smoothing: Int?
        /// Half the width of `bollinger`, in standard deviations, above 0.
        public var deviations: Double?

        public init(
            period: Int? = nil, fast: Int? = nil, slow: Int? = nil, signal: Int? = nil,
            smoothing: Int? = nil, deviations: Double? = nil
        ) {
            self.period = period
            self.fast = fast
            self.slow = slow
            self.signal = signal
            self.smoothing = smoothing
            self.deviations = deviations
        }
    }

    /// What an indicator can be asked for.
    public enum Name: String, CaseIterable, Sendable {
        /// By the words that textbooks have for them.
        case sma, ema, wma, stddev, roc, momentum, rsi, macd, bollinger, atr, stochastic, williams, cci, obv,
            vwap

        /// Whether closes are all that it needs.
        public var needsOnlyCloses: Bool {
            switch self {
            case .sma, .ema, .wma, .stddev, .roc, .momentum, .rsi, .macd, .bollinger: true
            case .atr, .stochastic, .williams, .cci, .obv, .vwap: false
            }
        }

        /// Whether it counts what was traded.
        public var needsVolume: Bool { self == .obv || self == .vwap }
    }

    /// The names of the values of one candle.
    public let columns: [String]
    private var step: (PriceBar) -> [Double]?

    /// Begins a series without a candle.
    ///
    /// - Precondition: The settings are in their ranges.
    public init(_ name: Name, _ settings: Settings) {
        let period = settings.period
        switch name {
        case .sma: self.init(SimpleMovingAverage(period: period ?? 30))
        case .ema: self.init(ExponentialMovingAverage(period: period ?? 30))
        case .wma: self.init(WeightedMovingAverage(period: period ?? 30))
        case .stddev: self.init(StandardDeviation(period: period ?? 5))
        case .roc: self.init(RateOfChange(period: period ?? 10))
        case .momentum: self.init(Momentum(period: period ?? 10))
        case .rsi: self.init(RelativeStrengthIndex(period: period ?? 14))
        case .macd:
            let macd = MovingAverageConvergence(
                fast: settings.fast ?? 12, slow: settings.slow ?? 26, signal: settings.signal ?? 9)
            self.init(macd, ["macd", "signal", "histogram"], of: \.close) {
                [$0.macd, $0.signal, $0.histogram]
            }
        case .bollinger:
            let bands = BollingerBands(period: period ?? 20, deviations: settings.deviations ?? 2)
            self.init(bands, ["upper", "middle", "lower"], of: \.close) { [$0.upper, $0.middle, $0.lower] }
        case .atr: self.init(AverageTrueRange(period: period ?? 14), ["value"], of: \.self) { [$0] }
        case .stochastic:
            let oscillator = StochasticOscillator(
                period: period ?? 5, smoothing: settings.smoothing ?? 3, signal: settings.signal ?? 3)
            self.init(oscillator, ["k", "d"], of: \.self) { [$0.k, $0.d] }
        case .williams: self.init(WilliamsPercentRange(period: period ?? 14), ["value"], of: \.self) { [$0] }
        case .cci: self.init(CommodityChannelIndex(period: period ?? 14), ["value"], of: \.self) { [$0] }
        case .obv: self.init(OnBalanceVolume(), ["value"], of: \.self) { [$0] }
        case .vwap: self.init(VolumeWeightedPrice(period: period ?? 14), ["value"], of: \.self) { [$0] }
        }
    }

    /// The values at the next candle, as many as there are columns; `nil` before there are enough candles.
    public mutating func update(_ bar: PriceBar) -> [Double]? { step(bar) }

    private init(_ indicator: some StreamingIndicator<Double, Double>) {
        self.init(indicator, ["value"], of: \.close) { [$0] }
    }

    private init<Indicator: StreamingIndicator>(
        _ indicator: Indicator, _ columns: [String], of input: KeyPath<PriceBar, Indicator.Input>,
        _ values: @escaping (Indicator.Output) -> [Double]
    ) {
        self.columns = columns
        var indicator = indicator
        step = { bar in indicator.update(bar[keyPath: input]).map(values) }
    }
}
