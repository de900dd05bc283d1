public import Instruments

/// (bids - asks) / (bids + asks) over the best so many levels, -1...1, crosses a level.
struct ImbalanceCondition: ConditionKind {
    var levels: Int
    var direction: CrossingDirection
    var level: DecimalNumber

    static let key = "imbalance"
    static let about = "Of bids and asks, -1...1."
    /// What must be there.
    static let readFirst: Set<String> = ["crosses", "level"]
    static let forms: [(name: String, example: ImbalanceCondition)] = [
        (
            "imbalance",
            ImbalanceCondition(
                levels: 5, direction: .below, level: DecimalNumber(cutting: -6, places: 1))
        )
    ]

    private static let range: DecimalLimit = {
        var limit = DecimalLimit.within(-1...1, "a decimal of -1...1 with at most 9 places")
        limit.places = (9, limit.accepted)
        limit.isNormalized = true
        return limit
    }()

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.whole(ConditionField("levels", .whole(1...25), usual: "5"), &levels)
        try fields.choice(.crosses, &direction)
        try fields.decimal(ConditionField("level", .decimal(Self.range), suggested: "0.5"), &level)
    }

    var input: ConditionInput { .levels }
    var decision: ConditionDecision { .imbalance(levels: levels, direction, level: level) }
    var summary: String { "imbalance \(direction.rawValue) \(level)" }
}

extension AlertCondition {
    /// The balance of a book's best levels crosses a level.
    public static func imbalance(
        levels: Int, _ direction: CrossingDirection, level: DecimalNumber
    ) -> AlertCondition {
        AlertCondition(ImbalanceCondition(levels: levels, direction: direction, level: level))
    }
}
