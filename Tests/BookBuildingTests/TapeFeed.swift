import Bus
import Hosting
import Instruments
import MarketData
import MarketState
import MarketStore
import Operations
import ServiceLifecycle
import Store
import Support
import Wire

@testable import BookBuilding

/// A feed that says trades, stores them and says so, over a real bus and PostgreSQL.
struct TapeFeed {
    let id: InstrumentID
    private let publisher: Publisher
    private let database: Database
    private let trades: PublisherTopic
    private let marks: PublisherTopic
    private(set) var stored: [Trade] = []
    private var waiting: [Trade] = []
    private var serial = 0
    /// When the last trade was that is not late, nanoseconds.
    var time: Int64
    private var generator: SeededGenerator

    init(_ id: InstrumentID, _ publisher: Publisher, _ database: Database, seed: UInt64) throws {
        self.id = id
        self.publisher = publisher
        self.database = database
        trades = try publisher.topic(Topic.trade(id))
        marks = try publisher.topic(Topic.tradesStored(id))
        generator = SeededGenerator(seed: seed)
        // A Tuesday in November 2023.
        time = 1_699_999_000_000_000_000
    }

    /// A row for the instrument.
    func describe() async throws {
        let instrument = Instrument(
            id: id, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
            priceScale: Scale(2) ?? .zero, sizeScale: Scale(3) ?? .zero)
        _ = try await database.store([instrument], at: .zero)
    }

    /// Says some trades; those that are lost are stored all the same.
    mutating func say(_ count: Int, isLost: Bool = false, step: Int64 = 3_000_000_000) {
        var batch = OutboundBatch()
        for _ in 0..<count {
            serial += 1
            time += Int64(generator.int(0...Int(step)))
            let late = generator.chance(5) ? Int64(generator.int(0...90)) * 1_000_000_000 : 0
            let trade = Trade(
                id: "\(serial)", side: generator.chance(50) ? .buy : .sell,
                price: Price(Int64(generator.int(900_000...1_100_000))),
                size: Quantity(Int64(generator.int(1...5_000))), priceScale: Scale(2) ?? .zero,
                sizeScale: Scale(3) ?? .zero, venueTime: Timestamp(nanoseconds: time - late),
                receivedTime: BusClock.wall())
            waiting.append(trade)
            batch.append(.trade(id, trade), to: trades)
        }
        if isLost { batch.removeAll() } else { publisher.offer(&batch) }
    }

    /// Stores what waits and says so.
    mutating func store() async throws {
        var rows = TradeBatch()
        for trade in waiting { rows.append(trade, of: id) }
        stored += waiting
        waiting = []
        var batch = OutboundBatch()
        for result in try await database.insert(rows) {
            let mark = TradesStored(
                lastTradeID: result.lastTradeID, lastVenueTime: result.lastVenueTime,
                inserted: UInt64(result.inserted))
            batch.append(.tradesStored(id, mark), to: marks)
        }
        publisher.offer(&batch)
    }

    /// Trades half an hour apart, which close every candle of before but the longest.
    mutating func close() async throws {
        for _ in 0..<12 { say(1, step: 3_400_000_000_000) }
        try await store()
    }

    /// Waits until every closed candle of the stored trades is in PostgreSQL as PostgreSQL itself makes it
    /// of them, and as they add up one by one.
    func candlesAreRight() async throws {
        let newest = Timestamp(nanoseconds: time)
        try await eventually {
            for kind in CandleInterval.allCases {
                let expected = try await database.aggregateTrades(
                    of: id, kind, from: .zero, to: .init(nanoseconds: .max))
                let rows = try await database.candles(
                    of: id, kind, from: .zero, to: .init(nanoseconds: .max), limit: .max)
                let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.start, $0) })
                for candle in expected where kind.end(from: candle.start) <= newest {
                    guard let row = found[candle.start], row.isOf(candle) else { return false }
                }
                for row in rows where !expected.contains(where: { $0.start == row.start }) {
                    throw PropertyFailure("\(kind.rawValue) \(row.start.nanoseconds) has no trades")
                }
            }
            return true
        }
        try areDirect(
            await database.candles(of: id, .minute, from: .zero, to: .init(nanoseconds: .max), limit: .max))
    }

    private func areDirect(_ rows: [CandleRow]) throws {
        var fold = CandleFold(.minute)
        let sorted = stored.enumerated().sorted {
            ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset)
        }
        for trade in sorted { fold.add(trade.element) }
        let expected = Dictionary(uniqueKeysWithValues: fold.candles.map { ($0.start, $0) })
        for row in rows {
            guard let candle = expected[row.start], let made = CandleRow(candle), row.isOf(made) else {
                throw PropertyFailure("the minute \(row.start.nanoseconds) is another one")
            }
        }
    }

    /// The last 24 hours as PostgreSQL adds them up.
    func statistics(of ticker: Bitpal_V1_DayTicker) async throws -> SpanStatistics? {
        try await database.tradeStatistics(
            of: id, from: Timestamp(nanoseconds: ticker.windowStartUnixNanos),
            to: Timestamp(nanoseconds: ticker.windowEndUnixNanos))
    }
}

extension CandleRow {
    /// Whether both are of the same trades, whatever else is known of them.
    fileprivate func isOf(_ other: CandleRow) -> Bool {
        var other = other
        other.flags = flags
        return says(the: other)
    }
}

extension BuilderFixture {
    /// The services of a builder that stores, by the wall clock.
    func storing(
        _ database: Database, instance: String = "test", room: DiskRoom? = nil
    ) throws -> [any Service] {
        var configuration = BookBuildingConfiguration()
        configuration.leaseDuration = .seconds(2)
        configuration.isBackfilling = false
        configuration.room = room
        let frame = ServiceFrame(instance: instance, logger: TestDatabase.logger)
        return try BookBuilder.services(
            configuration, in: frame.on(context, at: addresses).with(database))
    }
}
