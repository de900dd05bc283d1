package import AccountStore
package import Store

extension Session {
    /// Takes an idempotency key for a request; false when another request has it.
    ///
    /// A key is free again after a day, and after a minute when its request never came to an end.
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
                    OR (answer.answer IS NULL
                        AND answer.started_at < clock_timestamp() - interval '1 minute')
            RETURNING true
            """)
    }

    /// What another request with the key was answered.
    package func findAnswer(
        _ key: [UInt8], of user: UserID
    ) throws(StoreError) -> (request: [UInt8], answer: [UInt8]?)? {
        try first(
            """
            SELECT request_hash, answer FROM gateway.answer
            WHERE user_id = \(user) AND key_hash = \(key)
            """
        ) { row in (request: try row.bytes(), answer: try row.bytesOrNil()) }
    }
}
