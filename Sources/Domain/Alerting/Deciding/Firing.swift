public import Instruments

/// One firing of a rule with everything that explains it.
public struct Firing: Hashable, Sendable {
    /// Why it fired.
    public enum Cause: Hashable, Sendable {
        /// The value rose to or over the level.
        case rose
        /// The value fell to or under the level.
        case fell
        /// The value already was where it was to go when the rule was made.
        case already
        /// The value rose out of the band.
        case leftUpwards
        /// The value fell out of the band.
        case leftDownwards
        /// It moved within a time: from `previous` to `price`.
        case moved(within: Int64, isPercent: Bool)
        /// So much was traded within a time, `level` being the least that counts.
        case traded(DecimalNumber, within: Int64)
        /// So much was traded within a time, `level` being how many times the usual that is at least.
        case tradedTimes(DecimalNumber, within: Int64)
        /// A trade of this size.
        case largeTrade(DecimalNumber)
        /// The balance of the book passed the level: bids and asks of the best levels.
        case imbalance(bids: DecimalNumber, asks: DecimalNumber)
        /// An indicator of closed candles, in words.
        case indicator(String)
        /// The feed changed, in words.
        case feed(FeedChange, String)
        /// A venue lists something new.
        case listed(InstrumentID)
    }

    public var rule: RuleID
    /// The number of this firing of the rule, from 1.
    public var epoch: UInt32
    /// What it was evaluated on; `nil` for conditions that look at no values.
    public var series: SeriesKey?
    public var cause: Cause
    /// The value that fired it.
    public var price: DecimalNumber?
    /// The value before.
    public var previous: DecimalNumber?
    /// The level that was passed.
    public var level: DecimalNumber?
    /// The trade that fired it; `nil` where it was none or has no id of the venue's.
    public var tradeID: String?
    /// When it happened by the venue; where the venue gives no time, when it was received.
    public var venueTime: Timestamp
    /// When we read what fired it.
    public var receivedTime: Timestamp
    /// The number of the message that fired it; 0 outside a stream.
    public var sequence: UInt64
    /// Nanoseconds by which it was found too late, after a gap; 0 for in time.
    public var lateBy: Int64
    /// Since when the condition held, for a rule with `for`.
    public var heldSince: Timestamp?
}

extension Firing {
    /// One sentence that says why, for a person.
    public var reason: String {
        var text = sentence
        if let heldSince { text += ", and stayed there since \(heldSince.iso8601)" }
        if lateBy > 0 { text += "; found \(RuleDuration.about(lateBy)) late, after a gap" }
        return text
    }

    private var sentence: String {
        let name = series?.words ?? "value"
        let now = price.map(\.description) ?? "?"
        let before = previous.map { " from \($0)" } ?? ""
        let through = level.map(\.description) ?? "?"
        switch cause {
        case .rose: return "\(name) rose to \(now)\(before), reaching \(through)"
        case .fell: return "\(name) fell to \(now)\(before), reaching \(through)"
        case .already:
            return "\(name) already was at \(now) when the rule was made, with its level at \(through)"
        case .leftUpwards: return "\(name) rose to \(now)\(before), leaving the band above \(through)"
        case .leftDownwards: return "\(name) fell to \(now)\(before), leaving the band below \(through)"
        case .moved(let within, let isPercent):
            let least = through + (isPercent ? " %" : "")
            return "\(name) moved to \(now)\(before) within \(RuleDuration.text(within)), at least \(least)"
        case .traded(let size, let within):
            return "\(size) traded within \(RuleDuration.text(within)), at least \(through)"
        case .tradedTimes(let size, let within):
            let times = "at least \(through) times the usual volume"
            return "\(size) traded within \(RuleDuration.text(within)), \(times)"
        case .largeTrade(let size): return "one trade of \(size) at \(now), more than \(through)"
        case .imbalance(let bids, let asks):
            return "the best levels bid \(bids) and ask \(asks), an imbalance past \(through)"
        case .indicator(let words): return words
        case .feed(let change, let words): return "the feed is \(change.rawValue): \(words)"
        case .listed(let id): return "\(id) is listed"
        }
    }
}

extension SeriesKey {
    /// What it is, in words that begin a sentence.
    var words: String {
        switch self {
        case .price(_, .last): "last price"
        case .price(_, .bid): "best bid"
        case .price(_, .ask): "best ask"
        case .price(_, .mid): "mid price"
        case .price(_, .mark): "mark price"
        case .price(_, .index): "index price"
        case .spread: "spread"
        case .close(_, let interval): "\(RuleDuration.text(interval)) close"
        case .portfolio(let id, .value): "value of \(id)"
        case .portfolio(let id, .profit): "profit of \(id)"
        case .portfolio(let id, .dayChange): "change of \(id) today"
        case .derivative(_, .funding): "funding rate in percent"
        case .derivative(_, .openInterest): "open interest"
        }
    }
}

/// What an engine says in answer to an event.
public enum AlertOutput: Hashable, Sendable {
    /// A rule fired.
    case fired(Firing)
    /// Nothing of a source can be believed since a time: the owners of its rules should know, once.
    case blind(InstrumentID, AlertSource, since: Timestamp, reason: String)
    /// It can be believed again; said only after `blind`.
    case seesAgain(InstrumentID, AlertSource, blindSince: Timestamp, at: Timestamp)
    /// A rule fired too often within an hour: more is left out until then, which its owner is told once.
    case quieted(RuleID, QuietPeriod)
    /// That is over; how many firings were left out is known now.
    case quietEnded(RuleID, QuietPeriod)
    /// A rule's time was over before it fired; it is done.
    case expired(RuleID, at: Timestamp)
}
