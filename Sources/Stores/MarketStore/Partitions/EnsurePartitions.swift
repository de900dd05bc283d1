import Instruments
import Store

extension Session {
    /// Makes the trade partitions of days since 1970-01-01 UTC where they are missing, one after the other
    /// when several programs do so; how many are new.
    @discardableResult
    func ensureTradePartitions(days: [Int32]) throws(StoreError) -> Int {
        try first(
            """
            SELECT count(*) FILTER (WHERE made)::integer
            FROM (SELECT market.ensure_trade_partition(date '1970-01-01' + day) AS made
                FROM unnest(\(days)::integer[]) AS wanted (day)) AS partitions
            """
        ) { Int(try $0.int32()) } ?? 0
    }

    /// Makes the candle partitions of these places where they are missing; how many are new.
    @discardableResult
    func ensureCandlePartitions(_ places: [PartitionNumber]) throws(StoreError) -> Int {
        let (lengths, starts) = (places.map(\.kind.seconds), places.map(\.from.nanoseconds))
        return try first(
            """
            SELECT count(*) FILTER (WHERE made)::integer
            FROM (SELECT market.ensure_candle_partition(seconds, start) AS made
                FROM unnest(\(lengths)::integer[], \(starts)::bigint[])
                    AS wanted (seconds, start)) AS partitions
            """
        ) { Int(try $0.int32()) } ?? 0
    }
}
