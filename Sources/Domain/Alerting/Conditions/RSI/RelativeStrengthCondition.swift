public import Instruments
import Statistics

/// Wilder's relative strength of closed candles crosses a level of 0...100.
struct RelativeStrengthCondition: ConditionKind {
    /// In nanoseconds.
    var interval: Int64
    /// Candles.
    var period: Int
    var direction: CrossingDirection
    var level: DecimalNumber

    static let key = "rsi"
    static let forms: [(name: String, example: RelativeStrengthCondition)] = [
        (
            "rsi",
            RelativeStrengthCondition(
                interval: 60 * RuleDuration.minute, period: 14, direction: .above,
                level: DecimalNumber(units: 70, scale: .zero))
        )
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.duration(.interval, &interval)
        try fields.whole(.candles("period", 14, from: 2), &period)
        try fields.choice(.crosses, &direction)
        try fields.decimal(
            ConditionField(
                "level", .decimal(.within(0...100, "a decimal of 0...100")), suggested: "70"), &level)
    }

    var input: ConditionInput { .closes(interval: interval) }

    var decision: ConditionDecision {
        .signal(
            .rsi(period: period, direction.crossing, level: level.signalled), name: "RSI(\(period))",
            direction, level: level)
    }

    var summary: String {
        "\(RuleDuration.text(interval)) RSI \(period) \(direction.rawValue) \(level)"
    }
}

extension AlertCondition {
    /// The relative strength of closed candles crosses a level; the interval in nanoseconds.
    public static func rsi(
        interval: Int64, period: Int, _ direction: CrossingDirection, level: DecimalNumber
    ) -> AlertCondition {
        AlertCondition(
            RelativeStrengthCondition(
                interval: interval, period: period, direction: direction, level: level))
    }
}
