public import Instruments
public import Store

/// A firing as far as somebody is told of it.
public struct ToldFiring: Hashable, Sendable {
    /// Which rule.
    public var rule: UniqueID
    /// Which firing of it.
    public var epoch: Int64
    /// The rule's version that fired, see `alerts.rule_event`.
    public var version: Int64
    /// What the rule says now, in the form of import and export.
    public var definition: String
    /// Of what; `nil` for conditions that are not about one.
    public var instrument: InstrumentID?
    /// What it is: the condition came true, or what `alerts.firing.kind` says.
    public var kind: String
    /// Why it fired.
    public var reason: String
    /// The value that fired it, plain decimal notation.
    public var price: String?
    /// The value before.
    public var previous: String?
    /// The level that was passed.
    public var level: String?
    /// In what the instrument's prices are; `nil` for one that is not known.
    public var currency: String?
    /// The trade that fired it.
    public var tradeID: String?
    /// When it happened by the venue.
    public var venueTime: Timestamp
    /// Nanoseconds by which it was found too late.
    public var lateBy: Int64
    /// When it was stored.
    public var fired: Timestamp
}

/// Something that is to be told by one channel, claimed by one who tells it.
public struct Delivery: Hashable, Sendable {
    /// What there is to tell.
    public enum Subject: Hashable, Sendable {
        /// A rule fired.
        case firing(ToldFiring)
        /// Anything else; for what a digest tells see ``GatheredFirings``.
        case notice(OutboxNotice)
    }

    /// The key: the same at every attempt, so that a receiver knows what it has had already.
    public var id: UniqueID
    /// Which claim of it, from 1.
    public var attempt: Int32
    /// By whom it is claimed.
    public var claimant: String
    /// Attempts that were made and failed.
    public var failures: Int32
    /// Whether it was held back, so that it is to be told in a digest.
    public var isHeld: Bool
    /// Whether it is counted among what its user is told within the hour.
    public var isCounted = false
    /// When it was put into the outbox.
    public var created: Timestamp
    /// Where to.
    public var channel: Channel
    /// What.
    public var subject: Subject

    /// The firing, if it tells one.
    public var firing: ToldFiring? {
        if case .firing(let firing) = subject { return firing }
        return nil
    }

    /// The key as text.
    public var messageID: String { id.description }
}

/// How many deliveries are in each state.
public struct OutboxCounts: Statement {
    /// Deliveries by state.
    public struct Row: Hashable, Sendable {
        /// `waiting`, `delivered`, `gathered` or `dead`.
        public var state: String
        /// How many.
        public var count: Int64
    }

    /// The statement's text.
    public static let sql = "SELECT state, count(*) FROM alerts.outbox GROUP BY state ORDER BY state"

    /// One statement.
    public init() {}

    /// Reads a count.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        Row(state: try row.text(), count: try row.int64())
    }
}

/// The columns of a firing that is told, and how they are read.
enum FiringColumns {
    static let list = """
        firing.rule_id, firing.epoch, firing.rule_version, rule.rule::text, firing.venue, firing.symbol, \
        firing.reason, firing.price, firing.previous, firing.level, firing.trade_id, firing.venue_time, \
        firing.late_by, firing.fired_at, firing.kind, (SELECT quote FROM market.instrument AS traded \
        WHERE traded.venue = firing.venue AND traded.symbol = firing.symbol)
        """

    /// `nil` when the columns are those of no firing.
    static func read(_ row: inout RowReader) throws(StoreError) -> ToldFiring? {
        let rule = try row.uniqueIDOrNil()
        let (epoch, version) = (try row.int64OrNil(), try row.int64OrNil())
        let definition = try row.textOrNil()
        let (venue, symbol, reason) = (try row.textOrNil(), try row.textOrNil(), try row.textOrNil())
        let numbers = [try row.numericOrNil(), try row.numericOrNil(), try row.numericOrNil()]
        let (trade, time) = (try row.textOrNil(), try row.int64OrNil())
        let (lateBy, fired) = (try row.int64OrNil(), try row.timeOrNil())
        let (kind, currency) = (try row.textOrNil(), try row.textOrNil())
        guard let rule, let epoch, let version, let reason, let time, let lateBy, let fired else {
            return nil
        }
        return ToldFiring(
            rule: rule, epoch: epoch, version: version, definition: definition ?? "",
            instrument: venue.map { InstrumentID(venue: Venue(rawValue: $0), symbol: symbol ?? "") },
            kind: kind ?? "fired", reason: reason, price: numbers[0]?.description,
            previous: numbers[1]?.description, level: numbers[2]?.description, currency: currency,
            tradeID: trade, venueTime: Timestamp(nanoseconds: time), lateBy: lateBy, fired: fired)
    }
}
