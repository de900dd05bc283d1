public import Instruments

/// A perpetual's funding rate crosses a level.
struct FundingCondition: ConditionKind {
    var direction: CrossingDirection
    /// In percent of a position's value, as people say it: 0.01 is one basis point.
    var level: DecimalNumber

    static let key = "funding"
    static let about = "What holders of a perpetual pay each other, by the venue's word."
    static let forms: [(name: String, example: FundingCondition)] = [
        ("funding", FundingCondition(direction: .above, level: DecimalNumber(cutting: 5, places: 2)))
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.choice(.crosses, &direction)
        try fields.decimal(
            ConditionField(
                "level", .decimal(.any),
                note: "Percent of a position's value, for one interval of the venue's; above 0 longs pay.",
                unit: .percent),
            &level)
    }

    var input: ConditionInput { .derivative(.funding) }
    var decision: ConditionDecision { .level(direction, level) }
    var summary: String { "funding \(direction.rawValue) \(level) %" }
}

extension AlertCondition {
    /// A perpetual's funding rate crosses a level in percent.
    public static func funding(_ direction: CrossingDirection, level: DecimalNumber) -> AlertCondition {
        AlertCondition(FundingCondition(direction: direction, level: level))
    }
}
