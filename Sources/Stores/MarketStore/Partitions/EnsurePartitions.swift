import Instruments
import Store

/// Makes the candle partitions of these places where they are missing; how many are new.
struct EnsureCandlePartitions: Statement {
    /// A batch of live candles needs one or two per length, a long backfill some more.
    static let maximum = 400
    static let sql = """
        SELECT count(*) FILTER (WHERE made)::integer
        FROM (SELECT market.ensure_candle_partition(seconds, start) AS made
            FROM unnest($1::integer[], $2::bigint[]) AS wanted (seconds, start)) AS partitions
        """

    let places: [PartitionPlace]

    func bind(_ parameters: inout Parameters) {
        parameters.append(places.map(\.kind.seconds))
        parameters.append(places.map(\.from.nanoseconds))
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Int { Int(try row.int32()) }
}
