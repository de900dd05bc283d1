import Statistics

/// An indicator by its name, with its settings, told one candle after the other.
struct IndicatorSeries {
    /// What a person may set; `nil` for the indicator's own default.
    struct Settings {
        var period: Int?
        var fast: Int?
        var slow: Int?
        var signal: Int?
        var smoothing: Int?
        var deviations: Double?
    }

    /// What an indicator can be asked for.
    enum Name: String, CaseIterable {
        case sma, ema, wma, stddev, roc, momentum, rsi, macd, bollinger, atr, stochastic, williams, cci, obv,
            vwap

        /// Whether closes are all that it needs.
        var needsOnlyCloses: Bool {
            switch self {
            case .sma, .ema, .wma, .stddev, .roc, .momentum, .rsi, .macd, .bollinger: true
            case .atr, .stochastic, .williams, .cci, .obv, .vwap: false
            }
        }

        var needsVolume: Bool { self == .obv || self == .vwap }
    }

    /// The names of the values of one candle.
    let columns: [String]
    private var step: (PriceBar) -> [Double]?

    init(_ name: Name, _ settings: Settings) {
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
    mutating func update(_ bar: PriceBar) -> [Double]? { step(bar) }

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
