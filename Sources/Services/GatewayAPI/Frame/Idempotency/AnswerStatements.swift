import AccountStore
import Store

/// Takes an idempotency key for a request, unless another request has it.
///
/// A key is free again after a day, and after a minute when its request never came to an end.
struct ClaimAnswer: Statement {
    static let sql = """
        INSERT INTO gateway.answer (user_id, key_hash, request_hash) VALUES ($1, $2, $3)
        ON CONFLICT (user_id, key_hash) DO UPDATE
            SET request_hash = excluded.request_hash, started_at = clock_timestamp(), answer = NULL
            WHERE answer.started_at < clock_timestamp() - interval '24 hours'
                OR (answer.answer IS NULL AND answer.started_at < clock_timestamp() - interval '1 minute')
        RETURNING true
        """
    let user: UserID
    let key: [UInt8]
    let request: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(bytes: key)
        parameters.append(bytes: request)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}

/// What another request with the key was answered.
struct FindAnswer: Statement {
    static let sql = "SELECT request_hash, answer FROM gateway.answer WHERE user_id = $1 AND key_hash = $2"
    let user: UserID
    let key: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(bytes: key)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> (request: [UInt8], answer: [UInt8]?) {
        (try row.bytes(), try row.bytesOrNil())
    }
}

/// Keeps an answer.
struct KeepAnswer: Statement {
    static let sql = "UPDATE gateway.answer SET answer = $3 WHERE user_id = $1 AND key_hash = $2"
    let user: UserID
    let key: [UInt8]
    let answer: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(bytes: key)
        parameters.append(bytes: answer)
    }
}

/// Gives a key back: its request did nothing.
struct ForgetAnswer: Statement {
    static let sql = "DELETE FROM gateway.answer WHERE user_id = $1 AND key_hash = $2 AND answer IS NULL"
    let user: UserID
    let key: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(bytes: key)
    }
}

/// Removes a thousand answers that are older than a day.
struct SweepAnswers: Statement {
    static let sql = """
        DELETE FROM gateway.answer WHERE (user_id, key_hash) IN (
            SELECT user_id, key_hash FROM gateway.answer
            WHERE started_at < clock_timestamp() - interval '24 hours' LIMIT 1000)
        """
}
