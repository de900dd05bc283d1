import Instruments
import MarketData
import MarketStore
import Store
import Support

enum Market {
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    static let perpetual = InstrumentID(venue: .bitmex, symbol: "XBTUSD")
    /// 2021-07-22T00:00:00Z.
    static let midnight: Int64 = 1_626_912_000_000_000_000

    static func scale(_ places: Int) -> Scale { Scale(places) ?? .zero }

    static let instruments = [
        Instrument(
            id: bitcoin, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
            priceScale: scale(1), sizeScale: scale(8), tickSize: DecimalNumber(units: 1, scale: scale(1)),
            lotSize: DecimalNumber(units: 1, scale: scale(8))),
        Instrument(
            id: perpetual, base: Asset(rawValue: "XBT"), quote: Asset(rawValue: "USD"), kind: .perpetual,
            priceScale: scale(1), sizeScale: .zero, tickSize: DecimalNumber(units: 5, scale: scale(1)),
            contractMultiplier: DecimalNumber(units: 1, scale: .zero), isInverse: true),
    ]

    /// A database with the schema and both instruments.
    static func database(connections: Int = 4) async throws -> (Database, StoreConfiguration) {
        let configuration = try await TestDatabase.market()
        let database = Database.test(configuration, connections: connections)
        try await database.store(instruments, at: .zero)
        return (database, configuration)
    }

    static func trade(_ id: Int, at nanoseconds: Int64 = midnight, isAggregate: Bool = false) -> Trade {
        Trade(
            id: "\(id)", side: id % 2 == 0 ? .buy : .sell, price: Price(325_005 + Int64(id)),
            size: Quantity(Int64(id) + 1), priceScale: scale(1), sizeScale: scale(8),
            venueTime: Timestamp(nanoseconds: nanoseconds),
            receivedTime: Timestamp(nanoseconds: nanoseconds).adding(nanoseconds: 5),
            isAggregate: isAggregate)
    }

    static func batch(_ trades: some Sequence<Trade>, of id: InstrumentID = bitcoin) -> TradeBatch {
        var batch = TradeBatch()
        for trade in trades { batch.append(trade, of: id) }
        return batch
    }
}
