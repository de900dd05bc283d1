import Store

/// Deletes the book snapshots that are over, of each instrument counted back from its newest.
///
/// Their table has no partitions: a row a minute and instrument is little, and an hourly sweep finds an hour
/// of them.
struct ForgetBookSnapshots: Statement {
    typealias Row = Void
    static let sql = """
        WITH newest AS (
            SELECT i.instrument_id, latest.minute
            FROM market.instrument AS i
            CROSS JOIN LATERAL (
                SELECT b.minute_unix_nanos AS minute FROM market.book_snapshot AS b
                WHERE b.instrument_id = i.instrument_id
                ORDER BY b.minute_unix_nanos DESC LIMIT 1) AS latest)
        DELETE FROM market.book_snapshot AS old USING newest
        WHERE old.instrument_id = newest.instrument_id AND old.minute_unix_nanos < newest.minute - $1
        """

    /// Nanoseconds.
    let keep: Int64

    func bind(_ parameters: inout Parameters) { parameters.append(keep) }
}

/// Deletes the hourly scores of trending that are over, counted back from the newest hour.
struct ForgetTrending: Statement {
    typealias Row = Void
    static let sql = """
        DELETE FROM market.trending
        WHERE hour_unix_nanos < (SELECT max(hour_unix_nanos) FROM market.trending) - $1
        """
    /// Ninety days in nanoseconds: what was hot longer ago than a quarter is no trend.
    static let keep: Int64 = 90 * 86_400_000_000_000

    func bind(_ parameters: inout Parameters) { parameters.append(Self.keep) }
}
