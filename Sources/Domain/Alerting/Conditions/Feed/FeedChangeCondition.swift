/// What happens to a feed.
public enum FeedChange: String, Hashable, Sendable, CaseIterable {
    /// It says nothing any more, or nothing that can be believed.
    case stale
    /// It can be believed again.
    case resynced
}

/// The instrument's feed changes.
struct FeedChangeCondition: ConditionKind {
    var change: FeedChange

    static let key = "feed"
    static let layout = ConditionLayout.alone
    static let forms: [(name: String, example: FeedChangeCondition)] = [
        ("feed", FeedChangeCondition(change: .stale))
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.choice(
            .choice(
                "feed", FeedChange.self, note: "Of the instrument's data.", picksSentence: true), &change)
    }

    var input: ConditionInput { .feed }
    var decision: ConditionDecision { .feed(change) }
    var summary: String { "feed \(change.rawValue)" }
}

extension AlertCondition {
    /// The instrument's feed changes.
    public static func feed(_ change: FeedChange) -> AlertCondition {
        AlertCondition(FeedChangeCondition(change: change))
    }
}
