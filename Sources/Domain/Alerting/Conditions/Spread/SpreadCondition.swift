public import Instruments

/// The best ask is at least so much above the best bid.
struct SpreadCondition: ConditionKind {
    var above: DecimalNumber

    static let key = "spread"
    static let about = "Of the best bid and ask."
    static let forms: [(name: String, example: SpreadCondition)] = [
        ("spread", SpreadCondition(above: DecimalNumber(units: 5, scale: .zero)))
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.decimal(ConditionField("above", .decimal(.positive), unit: .quote), &above)
    }

    var input: ConditionInput { .spread }
    var decision: ConditionDecision { .level(.above, above) }
    var summary: String { "spread \(above)" }
}

extension AlertCondition {
    /// The best ask is at least so much above the best bid.
    public static func spread(above: DecimalNumber) -> AlertCondition {
        AlertCondition(SpreadCondition(above: above))
    }
}
