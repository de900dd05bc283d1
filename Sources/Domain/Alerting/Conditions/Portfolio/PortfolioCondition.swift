public import Instruments

/// Which of a portfolio's figures.
public enum PortfolioMetric: String, Hashable, Sendable, CaseIterable {
    /// What it is worth.
    case value
    /// Profit since the beginning.
    case profit
    /// Change since midnight UTC.
    case dayChange = "day_change"
}

/// A portfolio's figure crosses a level.
struct PortfolioCondition: ConditionKind {
    var id: String
    var metric: PortfolioMetric
    var direction: CrossingDirection
    var level: DecimalNumber

    static let key = "portfolio"
    static let about = "A figure of one's own portfolio."
    static let forms: [(name: String, example: PortfolioCondition)] = [
        (
            "portfolio",
            PortfolioCondition(
                id: "ID", metric: .value, direction: .below,
                level: DecimalNumber(units: 5_000, scale: .zero))
        )
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.text(ConditionField("id", .portfolio), &id)
        try fields.choice(.choice("metric", PortfolioMetric.self), &metric)
        try fields.choice(.crosses, &direction)
        try fields.decimal(ConditionField("level", .decimal(.any), unit: .currency), &level)
    }

    var input: ConditionInput { .figure(of: id, metric) }
    var decision: ConditionDecision { .level(direction, level) }
    var summary: String { "\(metric.rawValue) of \(id) \(direction.rawValue) \(level)" }
}

extension AlertCondition {
    /// A portfolio's figure crosses a level.
    public static func portfolio(
        id: String, _ metric: PortfolioMetric, _ direction: CrossingDirection, level: DecimalNumber
    ) -> AlertCondition {
        AlertCondition(PortfolioCondition(id: id, metric: metric, direction: direction, level: level))
    }
}
