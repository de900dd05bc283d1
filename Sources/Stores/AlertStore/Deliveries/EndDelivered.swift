public import Store

/// Ends attempts that arrived, as ``EndAttempt`` does, all at once.
///
/// `execute` returns how many; a claim that was over is another's now.
public struct EndDelivered: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.outbox AS outbox SET
            state = 'delivered', last_error = NULL, claimed_by = NULL, ended_at = clock_timestamp()
        FROM unnest($1::uuid[], $2::integer[]) AS arrived (delivery_id, attempts)
        WHERE outbox.delivery_id = arrived.delivery_id AND outbox.attempts = arrived.attempts
            AND outbox.state = 'waiting' AND outbox.claimed_by = $3
        """

    private let deliveries: [Delivery]
    private let claimant: String

    /// Takes deliveries that one claimant claimed.
    public init(_ deliveries: [Delivery], by claimant: String) {
        self.deliveries = deliveries
        self.claimant = claimant
    }

    /// Appends the claims.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(deliveries.map(\.id))
        parameters.append(deliveries.map(\.attempt))
        parameters.append(claimant)
    }
}
