public import Instruments
public import Store

/// Claims deliveries that are due, the longest due first; what others are claiming now is passed over.
///
/// For ``Store/Database/claim(_:)``. A claim is over when its time is: then the next one gets the delivery.
/// So a delivery whose sender dies is told again, perhaps for a second time, with the same ``Delivery/id``.
public struct ClaimDeliveries: Statement {
    /// The statement's text.
    public static let sql = "SELECT delivery_id FROM alerts.claim($1, $2, $3, $4)"

    fileprivate let claimant: String
    private let limit: Int32
    private let microseconds: Int64
    private let excluded: [UniqueID]

    /// Says who claims.
    ///
    /// - Parameters:
    ///   - claimant: A name that no other process ever has.
    ///   - limit: At most so many.
    ///   - duration: For how long, a millisecond to a day: longer than an attempt takes at most.
    ///   - excluded: Channels that can take no more now.
    public init(by claimant: String, limit: Int, for duration: Duration, except excluded: [UniqueID] = []) {
        self.claimant = claimant
        self.limit = Int32(clamping: limit)
        self.excluded = excluded
        let bounded = min(max(duration, .milliseconds(1)), .seconds(86_400)).components
        microseconds = bounded.seconds * 1_000_000 + bounded.attoseconds / 1_000_000_000_000
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(claimant)
        parameters.append(limit)
        parameters.append(microseconds)
        parameters.append(excluded)
    }

    /// Reads a key.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> UniqueID { try row.uniqueID() }
}

/// What was just claimed, with all that telling it needs, in the order of the keys.
private struct ReadClaimed: Statement {
    static let sql = """
        SELECT claimed.delivery_id, claimed.attempts, claimed.claimed_by, claimed.failures, claimed.held,
            claimed.created_at, claimed.counted, \(NoticeColumns.list), \(ChannelColumns.told),
            \(FiringColumns.list)
        FROM unnest($1::uuid[]) WITH ORDINALITY AS due (delivery_id, place)
        JOIN alerts.outbox AS claimed USING (delivery_id)
        JOIN alerts.channel AS channel USING (channel_id)
        LEFT JOIN accounts.setting AS setting ON setting.user_id = channel.user_id
        LEFT JOIN alerts.firing AS firing USING (rule_id, epoch)
        LEFT JOIN alerts.rule AS rule ON rule.rule_id = claimed.rule_id
        -- Of a channel that was disabled since, the claim is left to end.
        WHERE claimed.claimed_by = $2 AND channel.disabled_at IS NULL
        ORDER BY due.place
        """

    let ids: [UniqueID]
    let claimant: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(ids)
        parameters.append(claimant)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Delivery {
        let (id, attempt, claimant) = (try row.uniqueID(), try row.int32(), try row.text())
        let (failures, isHeld, created) = (try row.int32(), try row.bool(), try row.time())
        let isCounted = try row.bool()
        let notice = try NoticeColumns.read(&row)
        let channel = try ChannelColumns.readTold(&row)
        let firing = try FiringColumns.read(&row)
        guard let subject = notice.map(Delivery.Subject.notice) ?? firing.map(Delivery.Subject.firing) else {
            throw row.refusal()
        }
        return Delivery(
            id: id, attempt: attempt, claimant: claimant, failures: failures, isHeld: isHeld,
            isCounted: isCounted, created: created, channel: channel, subject: subject)
    }
}

extension Database {
    /// Claims deliveries and reads them.
    ///
    /// No transaction stays open while something is sent. Whether the disk has a claim is not waited for: a
    /// server that forgets one has it claimed again.
    ///
    /// - Returns: What is to be told, the longest due first.
    /// - Throws: ``StoreError``; nothing is claimed then, unless the outcome is unknown.
    public func claim(_ claim: ClaimDeliveries) async throws(StoreError) -> [Delivery] {
        try await transaction(.undurable) { session in
            let ids = try session.rows(claim)
            // A statement after the one that claims: that one claims what was stored since it began, and
            // would not see the firings of it.
            return ids.isEmpty ? [] : try session.rows(ReadClaimed(ids: ids, claimant: claim.claimant))
        }
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
        /// Not tried at all: its turn is then, and why.
        case postponed(until: Timestamp, error: String?)
        /// Not tried at all: it is held back until then, for a reason, and told together with others.
        case held(until: Timestamp, reason: String)
        /// Never to be tried again, and why.
        case dead(error: String)
    }

    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.outbox SET
            state = $4, next_attempt = COALESCE($5, next_attempt),
            last_error = CASE WHEN $4 <> 'delivered' THEN COALESCE($6, last_error) END,
            failures = failures + $7, held = $8, claimed_by = NULL,
            ended_at = CASE WHEN $4 <> 'waiting' THEN clock_timestamp() END
        WHERE delivery_id = $1 AND state = 'waiting' AND claimed_by = $2 AND attempts = $3
        """

    private let id: UniqueID
    private let claimant: String
    private let attempt: Int32
    private let isHeld: Bool
    private let outcome: Outcome

    /// Takes a claimed delivery and what came of it.
    public init(_ delivery: Delivery, _ outcome: Outcome) {
        id = delivery.id
        claimant = delivery.claimant
        attempt = delivery.attempt
        isHeld = delivery.isHeld
        self.outcome = outcome
    }

    /// Appends the claim and its outcome.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(claimant)
        parameters.append(attempt)
        switch outcome {
        case .delivered: append("delivered", to: &parameters)
        case .retry(let time, let error): append("waiting", time, error, failures: 1, to: &parameters)
        case .postponed(let time, let error): append("waiting", time, error, to: &parameters)
        case .held(let time, let reason):
            append("waiting", time, reason, isHeld: true, to: &parameters)
        case .dead(let error): append("dead", nil, error, failures: 1, to: &parameters)
        }
    }

    private func append(
        _ state: String, _ time: Timestamp? = nil, _ error: String? = nil, failures: Int32 = 0,
        isHeld: Bool? = nil, to parameters: inout Parameters
    ) {
        parameters.append(state)
        parameters.append(timestamp: time?.nanoseconds)
        parameters.append(error.map { String($0.prefix(1_000)) })
        parameters.append(failures)
        parameters.append(isHeld ?? self.isHeld)
    }
}
