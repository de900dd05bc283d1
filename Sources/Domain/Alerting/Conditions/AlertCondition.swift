public import Instruments

/// Which of an instrument's prices a condition looks at.
public enum PriceKind: String, Hashable, Sendable, CaseIterable {
    /// Of the last public execution; needs a proven trade stream.
    case last
    /// The best bid of a live book.
    case bid
    /// The best ask of a live book.
    case ask
    /// The middle of both, exact.
    case mid
    /// The venue's mark price of a derivative.
    case mark
    /// The venue's index price.
    case index
}

/// The way in which a value must pass a level.
public enum CrossingDirection: String, Hashable, Sendable, CaseIterable {
    /// previous < level <= current.
    case above
    /// previous > level >= current.
    case below
    /// Any of the two.
    case either
}

/// What must happen for a rule to fire: a condition of any kind.
public struct AlertCondition: Hashable, Sendable {
    /// What it says, in the form of its kind.
    public let kind: any ConditionKind

    public init(_ kind: some ConditionKind) { self.kind = kind }

    /// Whether both are of one kind and say the same.
    public static func == (left: AlertCondition, right: AlertCondition) -> Bool {
        left.kind.isEqual(to: right.kind)
    }

    /// Adds what it says.
    public func hash(into hasher: inout Hasher) { kind.hash(into: &hasher) }
}

extension ConditionKind {
    fileprivate func isEqual(to other: any ConditionKind) -> Bool { (other as? Self) == self }
}

extension AlertCondition {
    /// What it looks at.
    public var input: ConditionInput { kind.input }

    /// How it is decided.
    public var decision: ConditionDecision { kind.decision }

    /// What must happen, in a few words of English.
    public var summary: String { kind.summary }

    /// Whether it is about one instrument, which the rule then must name.
    public var needsInstrument: Bool { input.needsInstrument }

    /// Which of an instrument's prices it looks at; `nil` when it looks at something else.
    public var price: PriceKind? { input.price }

    /// Whose data decides it; `nil` for what becomes of a feed.
    public var source: AlertSource? { input.source }

    /// Whether a value passes a level, so that `hysteresis`, `for` and `when_already` make sense.
    public var hasLevel: Bool { decision.hasLevel }

    /// The level of the condition; of a band, the edge that is nearer to what left it.
    public func level(passedBy price: DecimalNumber?) -> DecimalNumber? {
        switch decision {
        case .level(_, let level), .imbalance(_, _, let level): return level
        case .signal(_, _, _, let level): return level
        case .band(let low, let high):
            guard let price else { return nil }
            return price < low ? low : high
        case .change, .volume, .trade, .feed, .listing: return nil
        }
    }
}

extension ConditionDecision {
    /// Whether a value leaves a band.
    public var isBand: Bool {
        if case .band = self { return true }
        return false
    }

    /// Whether a value passes a level or leaves a band.
    public var hasLevel: Bool {
        switch self {
        case .level, .band: true
        case .change, .volume, .imbalance, .trade, .signal, .feed, .listing: false
        }
    }
}
