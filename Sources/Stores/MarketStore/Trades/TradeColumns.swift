import Instruments
import MarketData
import Store

extension Trade {
    static let columns: SQL = """
        trade_id, side, price, size, price_scale, size_scale, venue_time_unix_nanos, received_time_unix_nanos,
        is_aggregate, is_backfill
        """

    init(_ row: inout RowReader) throws(StoreError) {
        let id = try row.text()
        guard let side = Side(rawValue: UInt8(truncatingIfNeeded: try row.int16())) else {
            throw row.refusal()
        }
        self.init(
            id: id, side: side, price: Price(try row.int64()), size: Quantity(try row.int64()),
            priceScale: try row.scale(), sizeScale: try row.scale(), venueTime: try row.nanoseconds(),
            receivedTime: try row.nanoseconds(), isAggregate: try row.bool(), isBackfill: try row.bool())
    }
}
