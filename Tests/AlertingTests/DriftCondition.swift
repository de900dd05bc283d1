import Alerting
import Instruments

/// A price is farther from another one than so much: a kind of condition that only tests have.
struct DriftCondition: ConditionKind {
    var price: PriceKind
    var from: Int
    var by: Int

    static let key = "drift"
    static let about = "From a price of one's own."
    static let forms: [(name: String, example: DriftCondition)] = [
        ("drift", DriftCondition(price: .last, from: 61_000, by: 500))
    ]
    static let words: ConditionWords = [
        "drift": [
            "en": FormWords(
                "Price drifts away", "A price is far from one of yours.",
                says: ["": "{price} of {name} is more than {by} away from {from}"],
                labels: ["from": "Price of mine", "by": "Away by more than"])
        ]
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.choice(.choice("price", PriceKind.self, usual: .last), &price)
        try fields.whole(ConditionField("from", .whole(1...1_000_000), unit: .quote), &from)
        try fields.whole(ConditionField("by", .whole(1...1_000_000), usual: "500", unit: .quote), &by)
        try fields.check(by < from, "by", "a whole number below \"from\", which is \(from)")
    }

    var input: ConditionInput { .price(price) }

    var decision: ConditionDecision {
        .band(
            low: DecimalNumber(units: Int64(from - by), scale: .zero),
            high: DecimalNumber(units: Int64(from + by), scale: .zero))
    }

    var summary: String { "\(price.rawValue) \(by) away from \(from)" }
}
