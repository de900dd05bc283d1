import Instruments
import MarketState
import MarketStore
import Store
import Support

extension Market {
    static let second: Int64 = 1_000_000_000
    static let day: Int64 = 86_400 * second

    static func amount(_ text: String) throws -> Amount { try Amount(parsing: text) }

    static func number(_ text: String) throws -> Numeric {
        guard let number = Numeric(text) else { throw PropertyFailure("\(text) is no number") }
        return number
    }

    static func time(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }

    /// A candle of one trade, whose price is told by `value`.
    static func candle(
        _ interval: CandleInterval, at start: Int64, _ value: Int64 = 1, flags: CandleFlags = [.closed]
    ) -> CandleRow {
        CandleRow(
            interval: interval, start: time(start), openTime: time(start), closeTime: time(start + 5),
            open: Price(value), high: Price(value + 3), low: Price(value - 3), close: Price(value + 1),
            priceScale: scale(1), sizeScale: scale(8), tradeCount: value,
            volume: Amount(units: value, places: 0), takerBuyVolume: Amount(units: 0, places: 0),
            notional: Amount(units: value * 7, places: 0), flags: flags)
    }

    static func batch(
        _ candles: some Sequence<CandleRow>, of id: InstrumentID = Market.bitcoin
    ) -> CandleBatch {
        var batch = CandleBatch()
        for candle in candles { batch.append(candle, of: id) }
        return batch
    }

    /// All candles of a length, newest first.
    static func all(
        _ interval: CandleInterval, of id: InstrumentID = Market.bitcoin, in database: Database
    ) async throws -> [CandleRow] {
        try await database.candles(of: id, interval, from: time(.min), to: time(.max), limit: 100_000)
    }

    static let service = "book-builder"

    static func term(_ instance: String) -> LeaseTerm {
        LeaseTerm(service: service, instance: instance, duration: .seconds(3_600))
    }

    /// Who owns all shards: an instance that is alone.
    static func owner(_ database: Database, _ instance: String = "one") async throws -> LeaseClaims {
        try await database.tendLeases(term(instance)).claims
    }

    /// Lets the time of an instance's leases and of its sign of life be over.
    static func expire(_ instance: String, _ database: Database) async throws {
        try await database.transaction { session in
            try session.script(
                """
                UPDATE market.member SET expires_at = clock_timestamp() WHERE instance = '\(instance)';
                UPDATE market.lease SET expires_at = clock_timestamp() WHERE shard IN (
                    SELECT shard FROM market.lease WHERE owner = '\(instance)'
                    ORDER BY shard FOR NO KEY UPDATE) AND owner = '\(instance)'
                """)
        }
    }
}
