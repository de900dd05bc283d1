import Instruments
import MarketData
import Statistics
import Support
import Testing

@testable import Alerting

/// What the engine is told of each condition, in words of its own: the naive model asks the conditions, too.
@Suite("What a condition means")
struct ConditionMeaningTests {
    struct Meaning: Sendable {
        let condition: AlertCondition
        let input: ConditionInput
        let decision: ConditionDecision
        let hasLevel: Bool

        init(
            _ condition: AlertCondition, _ input: ConditionInput, _ decision: ConditionDecision, _ level: Bool
        ) {
            (self.condition, self.input, self.decision, hasLevel) = (condition, input, decision, level)
        }
    }

    private static let minute: Int64 = 60_000_000_000
    private static let five = DecimalNumber(units: 5, scale: .zero)
    private static let nine = DecimalNumber(units: 9, scale: .zero)

    private static let meanings: [Meaning] = [
        Meaning(.crosses(.last, .above, level: five), .price(.last), .level(.above, five), true),
        Meaning(.crosses(.mid, .below, level: five), .price(.mid), .level(.below, five), true),
        Meaning(.leaves(.bid, low: five, high: nine), .price(.bid), .band(low: five, high: nine), true),
        Meaning(.spread(above: five), .spread, .level(.above, five), true),
        Meaning(
            .candle(interval: minute, .either, level: five), .closes(interval: minute),
            .level(.either, five), true),
        Meaning(
            .portfolio(id: "P", .profit, .below, level: five), .figure(of: "P", .profit),
            .level(.below, five), true),
        Meaning(
            .imbalance(levels: 3, .above, level: five), .levels, .imbalance(levels: 3, .above, level: five),
            false),
        Meaning(.trade(largerThan: five, side: .buy), .trades, .trade(largerThan: five, side: .buy), false),
        Meaning(.funding(.above, level: five), .derivative(.funding), .level(.above, five), true),
        Meaning(
            .openInterest(.either, level: five), .derivative(.openInterest), .level(.either, five), true),
        Meaning(.feed(.stale), .feed, .feed(.stale), false),
        Meaning(
            .listing(venue: .kraken, base: "BTC", quote: nil), .listings(of: .kraken),
            .listing(base: "BTC", quote: nil), false),
        Meaning(
            .rsi(interval: minute, period: 14, .below, level: five), .closes(interval: minute),
            .signal(
                .rsi(period: 14, .below, level: .init(5, places: 0)), name: "RSI(14)", .below, level: five),
            false),
        Meaning(
            .macd(interval: minute, fast: 12, slow: 26, signal: 9, .above), .closes(interval: minute),
            .signal(
                .macd(fast: 12, slow: 26, signal: 9, .above), name: "MACD(12, 26, 9)", .above, level: nil),
            false),
        Meaning(
            .ema(interval: minute, fast: 9, slow: 21, .above), .closes(interval: minute),
            .signal(.ema(fast: 9, slow: 21, .above), name: "EMA(9, 21)", .above, level: nil), false),
        Meaning(
            .bollinger(interval: minute, period: 20, deviations: five, .lower), .closes(interval: minute),
            .signal(
                .bollinger(period: 20, deviations: .init(5, places: 0), .below), name: "Bollinger(20, 5)",
                .below, level: nil),
            false),
    ]

    @Test("is what it looks at and how that is decided", arguments: meanings)
    func isKnown(meaning: Meaning) {
        #expect(meaning.condition.input == meaning.input)
        #expect(meaning.condition.decision == meaning.decision)
        #expect(meaning.condition.hasLevel == meaning.hasLevel)
    }

    @Test("names an instrument, but for a portfolio's figure and for what is listed")
    func instruments() {
        for meaning in Self.meanings {
            let isOfNone =
                switch meaning.input {
                case .figure, .listings: true
                default: false
                }
            #expect(meaning.condition.needsInstrument == !isOfNone)
        }
    }
}
