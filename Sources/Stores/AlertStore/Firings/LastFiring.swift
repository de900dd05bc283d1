public import AccountStore
public import Instruments
public import Store

/// What a rule fired on last; no row when it never did.
public struct LastFiring: Statement {
    /// A firing as far as it is explained.
    public struct Row: Hashable, Sendable {
        /// Which firing of the rule.
        public var epoch: Int64
        /// When it happened by the venue.
        public var venueTime: Timestamp
        /// The value that fired it, plain decimal notation.
        public var price: String?
        /// The value before.
        public var previous: String?
        /// The level that was passed.
        public var level: String?
        /// The trade that fired it.
        public var tradeID: String?
        /// Nanoseconds by which it was found too late.
        public var lateBy: Int64
        /// Why, one sentence.
        public var reason: String
    }

    /// The statement's text.
    public static let sql = """
        SELECT epoch, venue_time, price, previous, level, trade_id, late_by, reason FROM alerts.firing
        WHERE rule_id = $1 AND kind = 'fired' AND \(OwnerPredicate.sql("user_id = $2")) ORDER BY epoch DESC LIMIT 1
        """

    private let rule: UniqueID
    private let user: UserID

    /// Names the rule, and whose it is.
    public init(of rule: UniqueID, by user: UserID) {
        self.rule = rule
        self.user = user
    }

    /// Appends both keys.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(rule)
        parameters.append(user.rawValue)
    }

    /// Reads the firing.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        Row(
            epoch: try row.int64(), venueTime: Timestamp(nanoseconds: try row.int64()),
            price: try row.numericOrNil()?.description, previous: try row.numericOrNil()?.description,
            level: try row.numericOrNil()?.description, tradeID: try row.textOrNil(),
            lateBy: try row.int64(), reason: try row.text())
    }
}
