package import Instruments
import MarketStore
package import Store

/// How the letters of accounts do, for who runs the installation: figures, nobody's address.
package struct LetterQueue: Hashable, Sendable {
    /// To be sent.
    package let waiting: Int64
    /// Of those, the ones that failed before.
    package let failing: Int64
    /// When the oldest of them was written; `nil` without any.
    package let oldest: Timestamp?
    /// Why one of them failed last; `nil` without any.
    package let lastError: String?
}

extension Session {
    /// How the letters of accounts do; what was sent is not looked at.
    package func letterQueue() throws(StoreError) -> LetterQueue? {
        try first(
            """
            SELECT count(*), count(*) FILTER (WHERE attempts > 0 AND problem IS NOT NULL), min(created_at),
                (array_agg(problem ORDER BY due_at DESC) FILTER (WHERE problem IS NOT NULL))[1]
            FROM accounts.letter WHERE sealed IS NOT NULL
            """
        ) { row in
            LetterQueue(
                waiting: try row.int64(), failing: try row.int64(), oldest: try row.timeOrNil(),
                lastError: try row.textOrNil())
        }
    }
}
