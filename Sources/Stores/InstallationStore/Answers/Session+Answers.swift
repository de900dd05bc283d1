package import AccountStore
package import Store

extension Session {
    /// What errors call the claim of a key.
    package static let claimStatement = "claimAnswer"

    /// Takes an idempotency key for a request; false when another request had it.
    ///
    /// Waits for one that has it and is not done, for as long as a statement waits for a lock. A key is free
    /// again after a day, and for nothing else: who takes it commits it with what was done under it.
    package func claimAnswer(
        _ key: [UInt8], of user: UserID, for request: [UInt8]
    ) throws(StoreError) -> Bool {
        try exists(
            """
            INSERT INTO gateway.answer (user_id, key_hash, request_hash)
            VALUES (\(user), \(key), \(request))
            ON CONFLICT (user_id, key_hash) DO UPDATE
                SET request_hash = excluded.request_hash, started_at = clock_timestamp(), answer = NULL
                WHERE answer.started_at < clock_timestamp() - interval '24 hours'
            RETURNING true
            """, named: Self.claimStatement)
    }

    /// Keeps what the request with a key is answered.
    package func keepAnswer(_ sealed: [UInt8], under key: [UInt8], of user: UserID) throws(StoreError) {
        try execute(
            """
            UPDATE gateway.answer SET answer = \(sealed)
            WHERE user_id = \(user) AND key_hash = \(key)
            """)
    }

    /// What another request with the key was answered within a day; without an answer where none is kept.
    package func findAnswer(
        _ key: [UInt8], of user: UserID
    ) throws(StoreError) -> (request: [UInt8], answer: [UInt8]?)? {
        try first(
            """
            SELECT request_hash, answer FROM gateway.answer
            WHERE user_id = \(user) AND key_hash = \(key)
                AND started_at >= clock_timestamp() - interval '24 hours'
            """
        ) { row in (request: try row.bytes(), answer: try row.bytesOrNil()) }
    }

    /// Removes a thousand answers that are older than a day.
    ///
    /// - Returns: How many there were; fewer than a thousand once none is left.
    package func removeOldAnswers() throws(StoreError) -> Int {
        try execute(
            """
            DELETE FROM gateway.answer WHERE (user_id, key_hash) IN (
                SELECT user_id, key_hash FROM gateway.answer
                WHERE started_at < clock_timestamp() - interval '24 hours' LIMIT 1000)
            """)
    }
}
