public import Instruments

/// A venue begins to trade something, with this base or quote if they are named.
struct ListingCondition: ConditionKind {
    var venue: Venue
    var base: String?
    var quote: String?

    static let key = "listing"
    static let about = "A new instrument at a venue."
    static let forms: [(name: String, example: ListingCondition)] = [
        // tidy: venue-name An example must name one that there is.
        ("listing", ListingCondition(venue: Venue(rawValue: "kraken"), base: nil, quote: "USD"))
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        var name = venue.rawValue
        try fields.text(
            ConditionField("venue", .text(1...Int.max, accepted: "a venue such as \"kraken\"")), &name)
        venue = Venue(rawValue: name)
        try fields.text(Self.asset("base"), &base)
        try fields.text(Self.asset("quote"), &quote)
    }

    private static func asset(_ name: String) -> ConditionField {
        ConditionField(
            name, .text(0...Int.max, accepted: "a text"), isOptional: true, picksSentence: true)
    }

    var input: ConditionInput { .listings(of: venue) }
    var decision: ConditionDecision { .listing(base: base, quote: quote) }
    var summary: String { "listing on \(venue) of \(base ?? "*")/\(quote ?? "*")" }
}

extension AlertCondition {
    /// A venue begins to trade something, with this base or quote if they are named.
    public static func listing(venue: Venue, base: String?, quote: String?) -> AlertCondition {
        AlertCondition(ListingCondition(venue: venue, base: base, quote: quote))
    }
}
