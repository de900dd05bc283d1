public import Instruments

/// A move of the price by so much within a time.
public struct ChangeCondition: ConditionKind {
    /// How much is enough.
    public enum Size: Hashable, Sendable {
        /// Percent of the price compared with, at most 4 decimal places.
        case percent(DecimalNumber)
        /// In the price's own unit.
        case amount(DecimalNumber)
    }

    /// What the price is compared with.
    public enum Anchor: String, Hashable, Sendable, CaseIterable {
        /// The price at the window's start.
        case start
        /// The lowest price of the window for a rise, the highest for a fall.
        case extreme
    }

    /// Which way it must move.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// It must rise.
        case up
        /// It must fall.
        case down
        /// Any of the two.
        case either
    }

    /// Whether the size is a share of the price.
    public var isPercent: Bool {
        if case .percent = size { return true }
        return false
    }

    public var price: PriceKind
    /// How much is enough.
    public var size: Size
    /// Nanoseconds, one minute to a day.
    public var within: Int64
    /// Which way.
    public var direction: Direction
    /// Compared with what.
    public var anchor: Anchor

    public init(
        price: PriceKind, size: Size, within: Int64, direction: Direction = .either, anchor: Anchor = .start
    ) {
        self.price = price
        self.size = size
        self.within = within
        self.direction = direction
        self.anchor = anchor
    }
}

extension ChangeCondition {
    /// In a condition's JSON.
    public static let key = "change"
    /// For the API's document.
    public static let about = "Of a price within a time; by percent or by amount."
    /// By a share of the price, and by an amount.
    public static let forms: [(name: String, example: ChangeCondition)] = [
        (
            "change",
            ChangeCondition(
                price: .last, size: .percent(DecimalNumber(units: 5, scale: .zero)),
                within: 60 * RuleDuration.minute)
        ),
        (
            "change_amount",
            ChangeCondition(
                price: .last, size: .amount(DecimalNumber(units: 100, scale: .zero)),
                within: 15 * RuleDuration.minute, direction: .up, anchor: .extreme)
        ),
    ]

    /// Shows each field.
    public mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.choice(.choice("price", PriceKind.self, usual: .last), &price)
        try visitSize(&fields)
        try fields.duration(
            ConditionField(
                "within", .duration(RuleDuration.minute...RuleDuration.day), note: "1m...1d.",
                suggested: "1h"), &within)
        try fields.choice(
            .choice("direction", Direction.self, usual: .either, picksSentence: true), &direction)
        try fields.choice(.choice("against", Anchor.self, usual: .start, picksSentence: true), &anchor)
    }

    private mutating func visitSize<Fields: FieldVisitor>(
        _ fields: inout Fields
    ) throws(Fields.Failure) {
        var number: DecimalNumber
        switch size {
        case .percent(let size), .amount(let size): number = size
        }
        guard fields.isGiven("percent", now: isPercent) else {
            let isAmount = fields.isGiven("amount", now: true)
            try fields.check(isAmount, "percent", "\"percent\" or \"amount\"")
            try fields.decimal(
                ConditionField(
                    "amount", .decimal(.positive), unit: .quote), &number)
            return size = .amount(number)
        }
        let accepted = "a decimal of at most 4 places, without \"amount\""
        try fields.decimal(
            ConditionField("percent", .decimal(.factor(accepted)), suggested: "5", unit: .percent), &number)
        try fields.refuse("percent", beside: ["amount"], accepted)
        size = .percent(number)
    }

    /// The price that moves.
    public var input: ConditionInput { .price(price) }

    /// By the prices of the time before.
    public var decision: ConditionDecision { .change(self) }

    /// What moves by how much.
    public var summary: String {
        let said =
            switch size {
            case .percent(let percent): "\(percent) %"
            case .amount(let amount): amount.description
            }
        return "\(price.rawValue) moves \(said) within \(RuleDuration.text(within))"
    }
}

extension AlertCondition {
    /// A price moves by so much within a time.
    public static func change(_ change: ChangeCondition) -> AlertCondition { AlertCondition(change) }
}
