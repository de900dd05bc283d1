package import Instruments
import MarketStore
package import Store

/// How all users' deliveries do, for who runs the installation: figures, nobody's words.
package struct DeliveryQueue: Hashable, Sendable {
    /// To be delivered.
    package let waiting: Int64
    /// Of those, the ones that failed before.
    package let failing: Int64
    /// Of those, the ones held back for a digest.
    package let held: Int64
    /// When the oldest of them was made; `nil` without any.
    package let oldest: Timestamp?
    /// Dead letters that are kept.
    package let dead: Int64
    /// Why the newest of them failed; `nil` without any.
    package let lastError: String?
}

extension Session {
    /// How all users' deliveries do; what was delivered is not looked at.
    package func deliveryQueue() throws(StoreError) -> DeliveryQueue? {
        try first(
            """
            SELECT
                count(*) FILTER (WHERE state = 'waiting'),
                count(*) FILTER (WHERE state = 'waiting' AND failures > 0),
                count(*) FILTER (WHERE state = 'waiting' AND held),
                min(created_at) FILTER (WHERE state = 'waiting'),
                count(*) FILTER (WHERE state = 'dead'),
                (array_agg(last_error ORDER BY ended_at DESC) FILTER (WHERE state = 'dead'))[1]
            FROM alerts.outbox WHERE state IN ('waiting', 'dead')
            """
        ) { row in
            DeliveryQueue(
                waiting: try row.int64(), failing: try row.int64(), held: try row.int64(),
                oldest: try row.timeOrNil(), dead: try row.int64(), lastError: try row.textOrNil())
        }
    }
}
