package import Instruments
import MarketStore
package import Store

/// Statements that write what came of attempts, which travel together.
extension Query {
    /// Ends an attempt; no row when the claim was over and the delivery is another's now.
    package static func endAttempt(_ delivery: Delivery, _ outcome: Delivery.Outcome) -> Query {
        let (state, time, error): (String, Timestamp?, String?)
        var (failures, isHeld) = (Int32(0), delivery.isHeld)
        switch outcome {
        case .delivered: (state, time, error) = ("delivered", nil, nil)
        case .retry(let next, let reason): (state, time, error, failures) = ("waiting", next, reason, 1)
        case .postponed(let next, let reason): (state, time, error) = ("waiting", next, reason)
        case .held(let next, let reason): (state, time, error, isHeld) = ("waiting", next, reason, true)
        case .dead(let reason): (state, time, error, failures) = ("dead", nil, reason, 1)
        }
        return """
            UPDATE alerts.outbox SET
                state = \(state), next_attempt = COALESCE(\(time), next_attempt),
                last_error = CASE WHEN \(state) <> 'delivered'
                    THEN COALESCE(\(error.map { String($0.prefix(1_000)) }), last_error) END,
                failures = failures + \(failures), held = \(isHeld), claimed_by = NULL,
                ended_at = CASE WHEN \(state) <> 'waiting' THEN clock_timestamp() END
            WHERE delivery_id = \(delivery.id) AND state = 'waiting' AND claimed_by = \(delivery.claimant)
                AND attempts = \(delivery.attempt)
            """
    }

    /// Ends attempts that arrived all at once; a claim that was over is another's now.
    package static func endDelivered(_ deliveries: [Delivery], by claimant: String) -> Query {
        """
        UPDATE alerts.outbox AS outbox SET
            state = 'delivered', last_error = NULL, claimed_by = NULL, ended_at = clock_timestamp()
        FROM unnest(\(deliveries.map(\.id))::uuid[], \(deliveries.map(\.attempt))::integer[])
            AS arrived (delivery_id, attempts)
        WHERE outbox.delivery_id = arrived.delivery_id AND outbox.attempts = arrived.attempts
            AND outbox.state = 'waiting' AND outbox.claimed_by = \(claimant)
        """
    }

    /// Switches a channel off whose receiver is gone, and has another of the same user's say so, once: one
    /// row, or none when there is no other channel or it was off already.
    ///
    /// Whoever comes first does it, unless its owner has set it up otherwise since: what the receiver of
    /// before said means nothing for the new one. Letters are preferred, then the oldest channel.
    ///
    /// - Parameters:
    ///   - channel: Which, as it was when its receiver said so.
    ///   - reason: What its receiver said, one sentence.
    ///   - notice: The key of what the other channel tells.
    ///   - now: The time.
    ///   - start: Only if nothing else has arrived there since then; `nil` for in any case.
    /// - Returns: The statement.
    package static func endChannel(
        _ channel: Channel, because reason: String, notice: UniqueID, at now: Timestamp,
        ifSilentSince start: Timestamp? = nil
    ) -> Query {
        """
        WITH ended AS (
            UPDATE alerts.channel SET disabled_at = clock_timestamp()
            WHERE channel_id = \(channel.id) AND disabled_at IS NULL
                AND settings::text = \(channel.settings) AND secrets::text = \(channel.secrets.json)
                AND (\(start)::timestamptz IS NULL OR NOT EXISTS (
                    SELECT FROM alerts.outbox
                    WHERE channel_id = \(channel.id) AND state = 'delivered' AND ended_at > \(start)))
            RETURNING channel_id, user_id, name
        ), other AS (
            SELECT channel.channel_id, ended.name
            FROM ended JOIN alerts.channel AS channel USING (user_id)
            WHERE channel.channel_id <> ended.channel_id
                AND channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
            ORDER BY channel.kind <> 'email', channel.created_at, channel.channel_id
            LIMIT 1
        )
        INSERT INTO alerts.outbox (delivery_id, channel_id, notice)
        SELECT \(notice), channel_id, json_build_object(
            'kind', 'channel_ended', 'time', \(now.nanoseconds)::bigint,
            'reason', \(String(reason.prefix(1_000)))::text, 'note', name, 'count', 1)
        FROM other
        """
    }
}
