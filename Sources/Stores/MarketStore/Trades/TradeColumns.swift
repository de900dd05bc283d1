import Instruments
import MarketData
import Store

/// The columns of a trade, and how they are read.
enum TradeColumns {
    static let list = """
        trade_id, side, price, size, price_scale, size_scale, venue_time_unix_nanos, received_time_unix_nanos,
        is_aggregate, is_backfill
        """

    static func read(_ row: inout RowReader) throws(StoreError) -> Trade {
        let id = try row.text()
        guard let side = Side(rawValue: UInt8(truncatingIfNeeded: try row.int16())) else {
            throw row.refusal()
        }
        return Trade(
            id: id, side: side, price: Price(try row.int64()), size: Quantity(try row.int64()),
            priceScale: try row.scale(), sizeScale: try row.scale(), venueTime: try row.nanoseconds(),
            receivedTime: try row.nanoseconds(), isAggregate: try row.bool(), isBackfill: try row.bool())
    }
}
