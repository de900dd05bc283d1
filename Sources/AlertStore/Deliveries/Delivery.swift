public import Instruments
public import Store

/// One firing that is to be told by one channel, claimed by one who tells it.
public struct Delivery: Hashable, Sendable {
    /// Which rule.
    public var rule: UniqueID
    /// Which firing of it.
    public var epoch: Int64
    /// Which attempt, from 1; names the claim.
    public var attempt: Int32
    /// By whom it is claimed.
    public var claimant: String
    /// Where to.
    public var channel: Channel
    /// The rule's version that fired, see `alerts.rule_event`.
    public var version: Int64
    /// Of what; `nil` for conditions that are not about one.
    public var instrument: InstrumentID?
    /// Why it fired.
    public var reason: String
    /// The value that fired it, plain decimal notation.
    public var price: String?
    /// When it happened by the venue.
    public var venueTime: Timestamp
    /// Nanoseconds by which it was found too late.
    public var lateBy: Int64
    /// When it was stored.
    public var fired: Timestamp

    /// The same at every attempt, so that a receiver knows what it has had already.
    public var messageID: String { "\(rule):\(epoch):\(channel.id)" }
}

/// How many deliveries are in each state.
public struct OutboxCounts: Statement {
    /// Deliveries by state.
    public struct Row: Hashable, Sendable {
        /// `waiting`, `delivered` or `dead`.
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
