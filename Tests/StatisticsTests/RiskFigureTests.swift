import Statistics
import Testing

/// Values by numpy and scipy: `python3 Tests/Tools/portfolio-peers/risk_values.py` prints them.
@Suite("Figures of risk")
struct RiskFigureTests {
    private static let ours = [
        0.012, -0.034, 0.005, 0.021, -0.008, 0.0, 0.017, -0.019, 0.028, -0.041, 0.009, 0.013,
    ]
    private static let market = [
        0.010, -0.020, 0.001, 0.015, -0.012, 0.004, 0.011, -0.022, 0.019, -0.030, 0.006, 0.002,
    ]
    private static let hedge = [
        -0.003, 0.015, -0.006, -0.011, 0.009, 0.002, -0.004, 0.013, -0.017, 0.022, -0.001, -0.005,
    ]

    private static func isNear(_ found: Double?, _ value: Double) -> Bool {
        found.map { abs($0 - value) <= 1e-12 * max(1, abs(value)) } ?? false
    }

    @Test("equal numpy's and scipy's")
    func peers() {
        let figures: [(String, Double?, Double)] = [
            ("volatility", Returns.volatility(Self.ours, periodsPerYear: 365), 0.41515618638159435),
            ("sharpe", Returns.sharpe(Self.ours, periodsPerYear: 365), 0.21979679694843027),
            ("sortino", Returns.sortino(Self.ours, periodsPerYear: 365), 0.28969105512383614),
            ("drawdown", Returns.maximumDrawdown(Self.ours), -0.041000000000000036),
            ("annual", Returns.annual(Self.ours, periodsPerYear: 365), 0.011510385887953056),
            ("calmar", Returns.calmar(Self.ours, periodsPerYear: 365), 0.280741119218367),
            ("historical", ValueAtRisk.historical(Self.ours), -0.03715),
            ("parametric", ValueAtRisk.parametric(Self.ours), -0.03549311006262111),
            ("beta", Returns.beta(Self.ours, benchmark: Self.market), 1.3235081809432148),
            ("range", Returns.rangeVolatility(Self.ours), 0.07585591731666083),
        ]
        for (name, found, value) in figures {
            #expect(Self.isNear(found, value), "\(name): \(String(describing: found)), numpy \(value)")
        }
    }

    @Test("correlate each with each as numpy does")
    func correlation() {
        let expected = [
            [1, 0.9666234923622905, -0.9675402372027995], [0.9666234923622906, 1, -0.9556763296650744],
            [-0.9675402372027994, -0.9556763296650744, 1],
        ]
        let found = Returns.correlationMatrix([Self.ours, Self.market, Self.hedge])
        for (row, values) in zip(found, expected) {
            for (cell, value) in zip(row, values) {
                #expect(Self.isNear(cell, value), "\(String(describing: cell)), numpy \(value)")
            }
        }
    }

    @Test("do not exist where nothing moves or too little is known")
    func missing() {
        #expect(Returns.sharpe([0.01], periodsPerYear: 365) == nil)
        #expect(Returns.sharpe([0, 0, 0], periodsPerYear: 365) == nil)
        #expect(Returns.sortino([0.01, 0.02], periodsPerYear: 365) == nil)
        #expect(Returns.calmar([0.01, 0.02], periodsPerYear: 365) == nil)
        #expect(Returns.beta([0.01, 0.02], benchmark: [0.5, 0.5]) == nil)
        #expect(Returns.correlation([0.01, 0.02], [0.1]) == nil)
        #expect(ValueAtRisk.historical([]) == nil && ValueAtRisk.parametric([0.1]) == nil)
    }
}
