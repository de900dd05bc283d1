import Instruments
import JSON

/// The kinds of conditions that there are.
public struct ConditionCatalogue: Sendable {
    /// In the order in which help and the API's document show them.
    public let kinds: [any ConditionKind.Type]

    /// A catalogue of some kinds.
    public init(_ kinds: [any ConditionKind.Type]) { self.kinds = kinds }

    /// All that somebody can make a rule of.
    public static let standard = ConditionCatalogue([
        PriceCondition.self, ChangeCondition.self, VolumeCondition.self, SpreadCondition.self,
        ImbalanceCondition.self, TradeCondition.self, CandleCondition.self, RelativeStrengthCondition.self,
        ConvergenceCondition.self, MeansCondition.self, BandsCondition.self, FundingCondition.self,
        OpenInterestCondition.self, FeedChangeCondition.self, PortfolioCondition.self, ListingCondition.self,
    ])

    /// What a refusal accepts as a condition.
    var accepted: String { "an object with one of \(kinds.map { $0.key }.joined(separator: ", "))" }

    /// Reads the `condition` of a rule.
    func read(_ node: JSONValue) throws(FieldFault) -> AlertCondition {
        let fields = try FieldReader(node, path: "condition", accepted: accepted)
        if let kind = kinds.first(where: { $0.layout == .beside && fields.has($0.key) }) {
            return try kind.read(fields)
        }
        // tidy: unordered-iteration A list, and of one here.
        guard fields.keys.count == 1, let key = fields.keys.first, let body = fields.value(key) else {
            throw FieldFault("condition", "an object of \(fields.keys)", accepted: accepted)
        }
        guard let kind = kinds.first(where: { $0.key == key }) else {
            throw FieldFault("condition.\(key)", body.excerpt, accepted: accepted)
        }
        guard kind.layout == .inside else { return try kind.read(fields) }
        return try kind.read(try FieldReader(body, path: "condition.\(key)", accepted: "an object"))
    }
}

extension ConditionKind {
    /// Reads all fields and refuses what is none.
    fileprivate static func read(_ fields: FieldReader) throws(FieldFault) -> AlertCondition {
        var kind = forms[0].example
        var reader = ConditionFieldReader(fields)
        if !readFirst.isEmpty {
            reader.only = readFirst
            try kind.visit(&reader)
            reader.only = nil
        }
        try kind.visit(&reader)
        try reader.fields.finish()
        return AlertCondition(kind)
    }
}
