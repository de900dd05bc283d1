public import Instruments
public import MarketData

/// A trade of more than this size; every such trade counts.
struct TradeCondition: ConditionKind {
    var largerThan: DecimalNumber
    var side: Side?

    static let key = "trade"
    static let about = "One large trade."
    static let forms: [(name: String, example: TradeCondition)] = [
        ("trade", TradeCondition(largerThan: DecimalNumber(units: 10, scale: .zero), side: .sell))
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.decimal(ConditionField("larger_than", .decimal(.positive), unit: .size), &largerThan)
        var word = side?.name
        try fields.text(
            ConditionField(
                "side", .choice(Side.allCases.map(\.name)), isOptional: true, note: "Any if none.",
                picksSentence: true), &word)
        side = Side.allCases.first { $0.name == word }
    }

    var input: ConditionInput { .trades }
    var decision: ConditionDecision { .trade(largerThan: largerThan, side: side) }
    var summary: String { "\(side.map { $0.name + " " } ?? "")trade over \(largerThan)" }
}

extension AlertCondition {
    /// A trade of more than this size; every such trade counts.
    public static func trade(largerThan: DecimalNumber, side: Side?) -> AlertCondition {
        AlertCondition(TradeCondition(largerThan: largerThan, side: side))
    }
}
