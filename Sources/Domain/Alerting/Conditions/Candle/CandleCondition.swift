public import Instruments

/// A candle's close crosses a level, compared with the close before.
struct CandleCondition: ConditionKind {
    /// In nanoseconds.
    var interval: Int64
    var direction: CrossingDirection
    var level: DecimalNumber

    static let key = "candle"
    static let about = "The close of a candle."
    static let forms: [(name: String, example: CandleCondition)] = [
        (
            "candle",
            CandleCondition(
                interval: 5 * RuleDuration.minute, direction: .below,
                level: DecimalNumber(units: 60_000, scale: .zero))
        )
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.duration(.interval, &interval)
        try fields.choice(.choice("close", CrossingDirection.self, picksSentence: true), &direction)
        try fields.decimal(.level, &level)
    }

    var input: ConditionInput { .closes(interval: interval) }
    var decision: ConditionDecision { .level(direction, level) }
    var summary: String { "\(RuleDuration.text(interval)) close \(direction.rawValue) \(level)" }
}

extension AlertCondition {
    /// A candle's close crosses a level, compared with the close before; the interval in nanoseconds.
    public static func candle(
        interval: Int64, _ direction: CrossingDirection, level: DecimalNumber
    ) -> AlertCondition {
        AlertCondition(CandleCondition(interval: interval, direction: direction, level: level))
    }
}
