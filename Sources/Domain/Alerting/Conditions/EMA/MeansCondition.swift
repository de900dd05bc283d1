import Statistics

/// The fast exponential mean of closes crosses the slow one.
struct MeansCondition: ConditionKind {
    /// In nanoseconds.
    var interval: Int64
    var fast: Int
    var slow: Int
    var direction: CrossingDirection

    static let key = "ema"
    static let forms: [(name: String, example: MeansCondition)] = [
        ("ema", MeansCondition(interval: 60 * RuleDuration.minute, fast: 9, slow: 21, direction: .above))
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.duration(.interval, &interval)
        try fields.whole(.candles("fast", 9), &fast)
        try fields.whole(.candles("slow", 21), &slow)
        try fields.check(slow > fast, "slow", "a whole number above \"fast\", which is \(fast)")
        try fields.choice(.crosses, &direction)
    }

    var input: ConditionInput { .closes(interval: interval) }

    var decision: ConditionDecision {
        .signal(
            .ema(fast: fast, slow: slow, direction.crossing), name: "EMA(\(fast), \(slow))", direction,
            level: nil)
    }

    var summary: String { "\(RuleDuration.text(interval)) EMA \(fast)/\(slow) \(direction.rawValue)" }
}

extension AlertCondition {
    /// The fast exponential mean of closes crosses the slow one; the interval in nanoseconds.
    public static func ema(
        interval: Int64, fast: Int, slow: Int, _ direction: CrossingDirection
    ) -> AlertCondition {
        AlertCondition(MeansCondition(interval: interval, fast: fast, slow: slow, direction: direction))
    }
}
