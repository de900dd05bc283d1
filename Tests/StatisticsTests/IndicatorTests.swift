import Statistics
import Support
import Testing

/// The closes of a worked example of the relative strength index that is often reprinted, with highs, lows
/// and volumes made up around them.
private let closes = [
    44.34, 44.09, 44.15, 43.61, 44.33, 44.83, 45.10, 45.42, 45.84, 46.08, 45.89, 46.03, 45.61, 46.28, 46.28,
    46.00, 46.03, 46.41, 46.22, 45.64,
]
private let bars: [PriceBar] = closes.enumerated().map { index, close in
    PriceBar(
        open: close, high: close + [0.3, 0.1, 0.5, 0.2, 0.4][index % 5],
        low: close - [0.2, 0.4, 0.1, 0.3][index % 4], close: close, volume: Double(index + 1) * 10)
}

@Suite("Indicators")
struct IndicatorTests {
    /// Source: TA-Lib 0.8.1 on the same series.
    @Test("equal TA-Lib on a small series and are nil before they have enough")
    func golden() {
        expect(SimpleMovingAverage(period: 5).series(of: closes), 4, [46.2, 46.188, 46.06])
        expect(
            ExponentialMovingAverage(period: 5).series(of: closes), 4,
            [46.151120643683875, 46.17408042912258, 45.99605361941506])
        expect(
            WeightedMovingAverage(period: 5).series(of: closes), 4,
            [46.20066666666672, 46.207333333333395, 46.02466666666673])
        expect(
            RelativeStrengthIndex(period: 14).series(of: closes), 14,
            [69.34685316290864, 66.29471265892623, 57.91502067008556])
        expect(
            StandardDeviation(period: 5).series(of: closes), 4,
            [0.15861904047118425, 0.15432433379088073, 0.2565151067676112])
        expect(
            RateOfChange(period: 5).series(of: closes), 5,
            [1.754001315500986, -0.12964563526361994, -1.382886776145209])
        expect(Momentum(period: 5).series(of: closes), 5, [0.8, -0.06, -0.64])
        expect(
            AverageTrueRange(period: 5).series(of: bars), 5,
            [0.6334598177259522, 0.5667678541807626, 0.6294142833446091])
        expect(
            WilliamsPercentRange(period: 5).series(of: bars), 4,
            [-41.322314049586986, -57.02479338842986, -80.89171974522303])
        expect(
            CommodityChannelIndex(period: 5).series(of: bars), 4,
            [94.66666666666637, 14.894709809963356, -121.21212121212358])
        expect(OnBalanceVolume().series(of: bars), 0, [640, 450, 250])
    }

    /// Source: TA-Lib 0.8.1 on the same series.
    @Test("of several lines equal TA-Lib too")
    func goldenLines() {
        let macd = MovingAverageConvergence(fast: 3, slow: 6, signal: 4).series(of: closes)
        expect(macd.map { $0?.macd }, 8, [0.12490054716459298, 0.0867434502626594, -0.06356172009698469])
        expect(macd.map { $0?.signal }, 8, [0.12714733698693498, 0.11098578229722475, 0.04116678133954097])
        let bands = BollingerBands(period: 5, deviations: 2).series(of: closes)
        expect(bands.map { $0?.upper }, 4, [46.51723808094235, 46.496648667581745, 46.573030213535205])
        expect(bands.map { $0?.lower }, 4, [45.882761919057614, 45.87935133241822, 45.54696978646476])
        let stochastic = StochasticOscillator(period: 5, smoothing: 3, signal: 3).series(of: bars)
        expect(stochastic.map { $0?.k }, 8, [51.31775883386484, 50.15726339992623, 40.253724272253386])
        expect(stochastic.map { $0?.d }, 8, [57.111316132984854, 52.022732695603224, 47.242915502014824])
    }

    /// By hand: (10 · 1 + 20 · 3) / 4.
    @Test("weights prices with their volumes")
    func volumeWeighted() {
        let bars = [(10.0, 1.0), (20.0, 3.0)].map {
            PriceBar(open: $0.0, high: $0.0, low: $0.0, close: $0.0, volume: $0.1)
        }
        #expect(VolumeWeightedPrice(period: 2).series(of: bars) == [nil, 17.5])
    }

    @Test("give what a market without movement has, never what is no number")
    func flat() {
        let flat = [PriceBar](repeating: PriceBar(open: 7, high: 7, low: 7, close: 7), count: 40)
        #expect(RelativeStrengthIndex().series(of: flat.map(\.close)).last == 0)
        #expect(StochasticOscillator().series(of: flat).last??.k == 0)
        #expect(WilliamsPercentRange().series(of: flat).last == 0)
        #expect(CommodityChannelIndex().series(of: flat).last == 0)
        #expect(StandardDeviation(period: 3).series(of: flat.map(\.close)).last == 0)
        #expect(VolumeWeightedPrice().series(of: flat).last == .some(nil))
    }

    @Test("are the same in pieces as at once, also from a copy made in between")
    func streaming() {
        property { generator in
            var prices: [Double] = [Double(generator.int(1...100_000))]
            for _ in 0..<generator.int(10...120) {
                prices.append(prices[prices.count - 1] * (1 + Double(generator.int(-50...50)) / 10_000))
            }
            let period = generator.int(2...20)
            try same(SimpleMovingAverage(period: period), prices)
            try same(ExponentialMovingAverage(period: period), prices)
            try same(RelativeStrengthIndex(period: period), prices)
            try same(BollingerBands(period: period), prices)
            try same(MovingAverageConvergence(fast: period, slow: period + 3, signal: 3), prices)
        }
    }

    private func same<Indicator: StreamingIndicator>(_ indicator: Indicator, _ prices: [Double]) throws
    where Indicator.Input == Double, Indicator.Output: Equatable {
        var streaming = indicator
        var pieces: [Indicator.Output?] = []
        for price in prices {
            var copy = streaming
            let value = streaming.update(price)
            try #require(copy.update(price) == value)
            pieces.append(value)
        }
        try #require(pieces == indicator.series(of: prices))
    }

    private func expect(
        _ values: [Double?], _ warmUp: Int, _ last: [Double],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(values.count { $0 == nil } == warmUp, sourceLocation: sourceLocation)
        for (value, wanted) in zip(values.suffix(last.count), last) {
            #expect(abs((value ?? .infinity) - wanted) < 1e-9, sourceLocation: sourceLocation)
        }
    }
}

@Suite("Candle signals")
struct CandleSignalTests {
    @Test("say so once when lines cross, in the direction that is asked for")
    func crossing() {
        // By hand: both means begin at 10, so that the rise at 4 begins on the level and crosses nothing.
        // EMA(2) and EMA(4): 13.01 and 12.99 at 7, 9.67 and 10.99 at 8, 4.63 and 6.52 at 10, 7.54 and 7.51 at
        // 11.
        let prices: [Int64] = [10, 10, 10, 10, 12, 14, 16, 12, 8, 4, 4, 9, 15]
        #expect(hits(.ema(fast: 2, slow: 4, .above), prices) == [11])
        #expect(hits(.ema(fast: 2, slow: 4, .below), prices) == [8])
        #expect(hits(.ema(fast: 2, slow: 4, .either), prices) == [8, 11])
    }

    @Test("take a relative strength that reaches its level, and a band that is left")
    func levels() {
        // By hand: gains and losses of Wilder's mean give 66.7 at 3, 44.4 at 4 and 29.6 at 5.
        let falling: [Int64] = [50, 51, 50, 51, 50, 49, 48, 47, 46, 45]
        #expect(hits(.rsi(period: 3, .below, level: .init(300, places: 1)), falling) == [5])
        let jump: [Int64] = [10, 11, 10, 11, 10, 30, 31, 10]
        #expect(hits(.bollinger(period: 4, deviations: .init(15, places: 1), .above), jump) == [5])
    }

    private func hits(_ kind: CandleSignal.Kind, _ prices: [Int64]) -> [Int] {
        var signal = CandleSignal(kind)
        return prices.indices.filter { signal.update(close: .init(prices[$0], places: 0)) != nil }
    }
}
