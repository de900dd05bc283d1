public import Instruments

/// A price crosses a level or leaves a band.
struct PriceCondition: ConditionKind {
    enum Edge: Hashable, Sendable {
        case crosses(CrossingDirection, level: DecimalNumber)
        /// It was within [low, high] and is no longer.
        case leaves(low: DecimalNumber, high: DecimalNumber)
    }

    var price: PriceKind
    var edge: Edge

    static let key = "price"
    static let layout = ConditionLayout.beside
    static let forms: [(name: String, example: PriceCondition)] = [
        (
            "price",
            PriceCondition(
                price: .last,
                edge: .crosses(.above, level: DecimalNumber(cutting: 610_005, places: 1)))
        ),
        (
            "band",
            PriceCondition(
                price: .mid,
                edge: .leaves(
                    low: DecimalNumber(units: 60_000, scale: .zero),
                    high: DecimalNumber(units: 62_000, scale: .zero)))
        ),
    ]

    private static let inQuote = "In the instrument's quote asset."

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.choice(.choice("price", PriceKind.self, missing: "a price"), &price)
        if fields.isGiven("leaves", now: decision.isBand) {
            try visitBand(&fields)
        } else {
            try visitLevel(&fields)
        }
    }

    private mutating func visitLevel<Fields: FieldVisitor>(
        _ fields: inout Fields
    ) throws(Fields.Failure) {
        var (direction, level) = (CrossingDirection.above, DecimalNumber.one)
        if case .crosses(let way, let edge) = edge { (direction, level) = (way, edge) }
        try fields.choice(.crosses, &direction)
        var field = ConditionField.level
        field.note = Self.inQuote
        try fields.decimal(field, &level)
        edge = .crosses(direction, level: level)
    }

    private mutating func visitBand<Fields: FieldVisitor>(
        _ fields: inout Fields
    ) throws(Fields.Failure) {
        var (low, high) = (DecimalNumber.one, DecimalNumber.one)
        if case .leaves(let least, let most) = edge { (low, high) = (least, most) }
        try fields.refuse(
            "leaves", beside: ["crosses", "level"], "either \"leaves\" or \"crosses\" with \"level\"")
        let field = ConditionField(
            "leaves", .object([], accepted: "{\"low\": \"59000\", \"high\": \"61000\"}"), note: Self.inQuote)
        try fields.begin(field)
        try fields.decimal(ConditionField("low", .decimal(.positive), unit: .quote), &low)
        try fields.decimal(ConditionField("high", .decimal(.positive), unit: .quote), &high)
        try fields.check(
            low < high && !low.isEqual(to: high), "high", "a decimal above \"low\", which is \(low)")
        try fields.end()
        edge = .leaves(low: low, high: high)
    }

    var input: ConditionInput { .price(price) }

    var decision: ConditionDecision {
        switch edge {
        case .crosses(let direction, let level): .level(direction, level)
        case .leaves(let low, let high): .band(low: low, high: high)
        }
    }

    var summary: String {
        switch edge {
        case .crosses(let way, let level): "\(price.rawValue) \(way.rawValue) \(level)"
        case .leaves(let low, let high): "\(price.rawValue) leaves \(low)...\(high)"
        }
    }
}

extension AlertCondition {
    /// A price crosses a level; levels may be finer than the market's prices.
    public static func crosses(
        _ price: PriceKind, _ direction: CrossingDirection, level: DecimalNumber
    ) -> AlertCondition {
        AlertCondition(PriceCondition(price: price, edge: .crosses(direction, level: level)))
    }

    /// A price was within [low, high] and is no longer.
    public static func leaves(
        _ price: PriceKind, low: DecimalNumber, high: DecimalNumber
    ) -> AlertCondition {
        AlertCondition(PriceCondition(price: price, edge: .leaves(low: low, high: high)))
    }
}
