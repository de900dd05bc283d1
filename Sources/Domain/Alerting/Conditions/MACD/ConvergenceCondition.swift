import Statistics

/// The MACD line of closed candles crosses its signal line.
struct ConvergenceCondition: ConditionKind {
    /// In nanoseconds.
    var interval: Int64
    var fast: Int
    var slow: Int
    var signal: Int
    var direction: CrossingDirection

    static let key = "macd"
    static let forms: [(name: String, example: ConvergenceCondition)] = [
        (
            "macd",
            ConvergenceCondition(
                interval: 60 * RuleDuration.minute, fast: 12, slow: 26, signal: 9, direction: .above)
        )
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.duration(.interval, &interval)
        try fields.whole(.candles("fast", 12), &fast)
        try fields.whole(.candles("slow", 26), &slow)
        try fields.check(slow > fast, "slow", "a whole number above \"fast\", which is \(fast)")
        try fields.whole(.candles("signal", 9), &signal)
        try fields.choice(.crosses, &direction)
    }

    var input: ConditionInput { .closes(interval: interval) }

    var decision: ConditionDecision {
        .signal(
            .macd(fast: fast, slow: slow, signal: signal, direction.crossing),
            name: "MACD(\(fast), \(slow), \(signal))", direction, level: nil)
    }

    var summary: String {
        "\(RuleDuration.text(interval)) MACD \(fast)/\(slow)/\(signal) \(direction.rawValue)"
    }
}

extension AlertCondition {
    /// The MACD line of closed candles crosses its signal line; the interval in nanoseconds.
    public static func macd(
        interval: Int64, fast: Int, slow: Int, signal: Int, _ direction: CrossingDirection
    ) -> AlertCondition {
        AlertCondition(
            ConvergenceCondition(
                interval: interval, fast: fast, slow: slow, signal: signal, direction: direction))
    }
}
