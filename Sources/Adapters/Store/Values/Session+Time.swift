package import Instruments

extension Session {
    /// What time it is for PostgreSQL, to the microsecond; also within a transaction that has begun earlier.
    package func timeOfDay() throws(StoreError) -> Timestamp {
        let microseconds = try first(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
        ) { try $0.int64() }
        guard let microseconds else {
            throw .unexpectedAnswer(statement: "timeOfDay()", status: "no row")
        }
        return Timestamp(nanoseconds: microseconds &* 1_000)
    }
}
