public import Instruments
public import Store

/// Claims deliveries that are due, the longest due first; what others are claiming now is passed over.
///
/// A claim is over when its time is: then the next one gets the delivery, with one attempt more. So a
/// delivery whose sender dies is told again, perhaps for a second time, with the same
/// ``Delivery/messageID``. Run it on its own: no transaction stays open while something is sent.
public struct ClaimDeliveries: Statement {
    /// The statement's text.
    public static let sql = """
        WITH due AS (
            SELECT outbox.rule_id, outbox.epoch, outbox.channel_id
            FROM alerts.outbox AS outbox
            JOIN alerts.channel AS channel USING (channel_id)
            WHERE outbox.state = 'waiting' AND outbox.next_attempt <= clock_timestamp()
                AND channel.disabled_at IS NULL
            ORDER BY outbox.next_attempt
            LIMIT $2
            FOR UPDATE OF outbox SKIP LOCKED
        )
        UPDATE alerts.outbox AS outbox SET
            claimed_by = $1, attempts = outbox.attempts + 1,
            next_attempt = clock_timestamp() + $3 * interval '1 microsecond'
        FROM due
        JOIN alerts.firing AS firing USING (rule_id, epoch)
        JOIN alerts.channel AS channel USING (channel_id)
        WHERE outbox.rule_id = due.rule_id AND outbox.epoch = due.epoch
            AND outbox.channel_id = due.channel_id
        RETURNING outbox.rule_id, outbox.epoch, outbox.attempts, outbox.claimed_by, firing.rule_version,
            firing.venue, firing.symbol, firing.reason, firing.price, firing.venue_time, firing.late_by,
            firing.fired_at, \(ChannelColumns.list)
        """

    private let claimant: String
    private let limit: Int32
    private let microseconds: Int64

    /// Says who claims.
    ///
    /// - Parameters:
    ///   - claimant: A name that no other process ever has.
    ///   - limit: At most so many.
    ///   - duration: For how long, a millisecond to a day: longer than an attempt takes at most.
    public init(by claimant: String, limit: Int, for duration: Duration) {
        self.claimant = claimant
        self.limit = Int32(clamping: limit)
        let bounded = min(max(duration, .milliseconds(1)), .seconds(86_400)).components
        microseconds = bounded.seconds * 1_000_000 + bounded.attoseconds / 1_000_000_000_000
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(claimant)
        parameters.append(limit)
        parameters.append(microseconds)
    }

    /// Reads a delivery.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Delivery {
        let (rule, epoch, attempt) = (try row.uniqueID(), try row.int64(), try row.int32())
        let (claimant, version) = (try row.text(), try row.int64())
        let (venue, symbol) = (try row.textOrNil(), try row.textOrNil())
        let (reason, price) = (try row.text(), try row.numericOrNil()?.description)
        let venueTime = Timestamp(nanoseconds: try row.int64())
        let (lateBy, fired) = (try row.int64(), try row.time())
        return Delivery(
            rule: rule, epoch: epoch, attempt: attempt, claimant: claimant,
            channel: try ChannelColumns.read(&row), version: version,
            instrument: venue.map { InstrumentID(venue: Venue(rawValue: $0), symbol: symbol ?? "") },
            reason: reason, price: price, venueTime: venueTime, lateBy: lateBy, fired: fired)
    }
}

/// Ends an attempt; `execute` returns 1, or 0 when the claim was over and the delivery is another's now.
public struct EndAttempt: Statement {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The receiver has it.
        case delivered
        /// To be tried again then, and why.
        case retry(at: Timestamp, error: String)
        /// Never to be tried again, and why.
        case dead(error: String)
    }

    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.outbox SET
            state = $6, next_attempt = COALESCE($7, next_attempt), last_error = $8, claimed_by = NULL,
            ended_at = CASE WHEN $6 <> 'waiting' THEN clock_timestamp() END
        WHERE rule_id = $1 AND epoch = $2 AND channel_id = $3 AND state = 'waiting'
            AND claimed_by = $4 AND attempts = $5
        """

    private let delivery: Delivery
    private let outcome: Outcome

    /// Takes a claimed delivery and what came of it.
    public init(_ delivery: Delivery, _ outcome: Outcome) {
        self.delivery = delivery
        self.outcome = outcome
    }

    /// Appends the claim and its outcome.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(delivery.rule)
        parameters.append(delivery.epoch)
        parameters.append(delivery.channel.id)
        parameters.append(delivery.claimant)
        parameters.append(delivery.attempt)
        switch outcome {
        case .delivered: append("delivered", nil, nil, to: &parameters)
        case .retry(let time, let error): append("waiting", time, error, to: &parameters)
        case .dead(let error): append("dead", nil, error, to: &parameters)
        }
    }

    private func append(
        _ state: String, _ time: Timestamp?, _ error: String?, to parameters: inout Parameters
    ) {
        parameters.append(state)
        parameters.append(timestamp: time?.nanoseconds)
        parameters.append(error.map { String($0.prefix(1_000)) })
    }
}
