public import Instruments

/// A derivative's open interest crosses a level.
struct OpenInterestCondition: ConditionKind {
    var direction: CrossingDirection
    /// In the unit in which the venue says it.
    var level: DecimalNumber

    static let key = "open_interest"
    static let about = "How much of a derivative is open, by the venue's word."
    static let forms: [(name: String, example: OpenInterestCondition)] = [
        (
            "open_interest",
            OpenInterestCondition(direction: .above, level: DecimalNumber(units: 90_000, scale: .zero))
        )
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.choice(.crosses, &direction)
        try fields.decimal(
            ConditionField(
                "level", .decimal(.positive),
                note: "In the unit in which the venue says it: contracts, the base or the quote asset."),
            &level)
    }

    var input: ConditionInput { .derivative(.openInterest) }
    var decision: ConditionDecision { .level(direction, level) }
    var summary: String { "open interest \(direction.rawValue) \(level)" }
}

extension AlertCondition {
    /// A derivative's open interest crosses a level.
    public static func openInterest(_ direction: CrossingDirection, level: DecimalNumber) -> AlertCondition {
        AlertCondition(OpenInterestCondition(direction: direction, level: level))
    }
}
