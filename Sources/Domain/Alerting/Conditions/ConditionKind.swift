public import Instruments
public import MarketData
public import Statistics

/// One kind of condition, declared once: what it says, what it looks at and how that is decided.
///
/// Reading and writing of JSON, the API's document, help, the page's form and the words of notices are made
/// of this. A kind is a folder beside this file and a line in ``ConditionCatalogue/standard``.
public protocol ConditionKind: Hashable, Sendable {
    /// The name in a condition's JSON.
    static var key: String { get }
    /// Where its fields stand in a condition's JSON.
    static var layout: ConditionLayout { get }
    /// A line for the API's document; empty where the name says all.
    static var about: String { get }
    /// Fields that are read before the others, so that they are the first to be refused.
    static var readFirst: Set<String> { get }
    /// What a person can choose to fill in, each with an example; the fields may differ between them.
    static var forms: [(name: String, example: Self)] { get }
    /// Names, help and sentences of its forms, in each language.
    static var words: ConditionWords { get }

    /// Shows each field to whoever reads, writes or lists them.
    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure)

    /// What it looks at.
    var input: ConditionInput { get }
    /// How it is decided.
    var decision: ConditionDecision { get }
    /// What must happen, in a few words of English.
    var summary: String { get }
}

extension ConditionKind {
    /// In an object under its name.
    public static var layout: ConditionLayout { .inside }
    public static var about: String { "" }
    /// In the order in which they are shown.
    public static var readFirst: Set<String> { [] }
}

/// Where the fields of a condition stand in its JSON.
public enum ConditionLayout: Sendable {
    /// In an object under the kind's name: `{"spread":{"above":"5"}}`.
    case inside
    /// In the condition itself, one of them under the kind's name: `{"price":"last","crosses":"above",…}`.
    case beside
    /// One field, under the kind's name: `{"feed":"stale"}`.
    case alone
}

/// What a condition looks at: from it follows what it is about, whose data it needs and what is followed.
public enum ConditionInput: Hashable, Sendable {
    /// One of an instrument's prices.
    case price(PriceKind)
    /// Closed candles of an instrument; the interval in nanoseconds.
    case closes(interval: Int64)
    /// Every trade of an instrument.
    case trades
    /// The best bid and ask of an instrument.
    case spread
    /// The best levels of an instrument's book.
    case levels
    /// What a venue says of the state of a derivative.
    case derivative(DerivativeMeasure)
    /// What becomes of an instrument's feed.
    case feed
    case figure(of: String, PortfolioMetric)
    /// What a venue lists.
    case listings(of: Venue)
}

/// How a condition is decided; what the engine knows to do.
///
/// Everything is an edge: it must have been otherwise at the last evaluation, and the first value only arms.
public enum ConditionDecision: Hashable, Sendable {
    /// A value crosses a level; levels may be finer than the values.
    case level(CrossingDirection, DecimalNumber)
    /// A value was within [low, high] and is no longer.
    case band(low: DecimalNumber, high: DecimalNumber)
    /// A price moves by so much within a time.
    case change(ChangeCondition)
    /// So much is traded within a time.
    case volume(VolumeCondition)
    /// (bids - asks) / (bids + asks) over the best so many levels, -1...1, crosses a level.
    case imbalance(levels: Int, CrossingDirection, level: DecimalNumber)
    /// A trade of more than this size; every such trade counts.
    case trade(largerThan: DecimalNumber, side: Side?)
    /// Lines computed of closes cross each other or a level.
    ///
    /// With its name in all languages, such as `RSI(14)`, and the way and the level that notices speak of.
    case signal(CandleSignal.Kind, name: String, CrossingDirection, level: DecimalNumber?)
    case feed(FeedChange)
    /// Something of this base or quote, if they are named, is listed.
    case listing(base: String?, quote: String?)
}
