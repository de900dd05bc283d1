import Bus
import Instruments
import MarketData
import MarketState
import MarketStore
import Store
import Support
import Wire

/// A feed of several instruments that says trades and stores them, the same ones for the same seed.
struct SeededTape {
    let instruments: [InstrumentID]
    private let publisher: Publisher
    private let database: Database
    private var topics: [(trade: PublisherTopic, stored: PublisherTopic)] = []
    private var waiting = TradeBatch()
    private var generator: SeededGenerator
    private var serial = 0
    /// What was said last.
    private(set) var last: (instrument: InstrumentID, trade: Trade)?
    /// Whether some trades come late; else their times pass as time does, and none is late.
    private let hasLate: Bool
    private let begin = BusClock.wall()
    /// A Tuesday in November 2023.
    private static let first: Int64 = 1_699_999_000_000_000_000
    private var time = Self.first

    init(
        _ count: Int, _ publisher: Publisher, _ database: Database, seed: UInt64, hasLate: Bool = true
    ) async throws {
        self.hasLate = hasLate
        instruments = (0..<count).map { InstrumentID(venue: .kraken, symbol: "T\($0)/USD") }
        self.publisher = publisher
        self.database = database
        generator = SeededGenerator(seed: seed)
        for id in instruments {
            topics.append((try publisher.topic(Topic.trade(id)), try publisher.topic(Topic.tradesStored(id))))
        }
        let rows = instruments.map {
            Instrument(
                id: $0, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
                priceScale: Scale(2) ?? .zero, sizeScale: Scale(3) ?? .zero)
        }
        _ = try await database.store(rows, at: .zero)
    }

    /// Venue time of the newest trade.
    var newest: Timestamp { Timestamp(nanoseconds: time) }

    /// Some trades of every instrument, said and then stored; later on one in twenty-five is late.
    mutating func round(_ count: Int = 3, step: Int64 = 2_000_000_000) async throws {
        var batch = OutboundBatch()
        for _ in 0..<count {
            for (index, id) in instruments.enumerated() {
                serial += 1
                time += Int64(generator.int(0...Int(step)))
                if !hasLate { time = max(time, Self.first + BusClock.wall().nanoseconds(since: begin)) }
                // What is late before the first trade of all was never there for whoever was.
                let isLate = hasLate && serial > 200 && generator.chance(4)
                let late = isLate ? Int64(generator.int(0...90)) * 1_000_000_000 : 0
                let trade = Trade(
                    id: "\(serial)", side: generator.chance(50) ? .buy : .sell,
                    price: Price(Int64(generator.int(900_000...1_100_000))),
                    size: Quantity(Int64(generator.int(1...5_000))), priceScale: Scale(2) ?? .zero,
                    sizeScale: Scale(3) ?? .zero, venueTime: Timestamp(nanoseconds: time - late),
                    receivedTime: BusClock.wall())
                waiting.append(trade, of: id)
                last = (id, trade)
                batch.append(.trade(id, trade), to: topics[index].trade)
            }
        }
        publisher.offer(&batch)
        try await store()
    }

    private mutating func store() async throws {
        var batch = OutboundBatch()
        for result in try await database.insert(waiting) {
            guard let index = instruments.firstIndex(of: result.instrument) else { continue }
            let mark = TradesStored(
                lastTradeID: result.lastTradeID, lastVenueTime: result.lastVenueTime,
                inserted: UInt64(result.inserted))
            batch.append(.tradesStored(result.instrument, mark), to: topics[index].stored)
        }
        waiting = TradeBatch()
        publisher.offer(&batch)
    }

    /// Trades half an hour apart, which close every candle of before but the longest.
    mutating func close() async throws {
        for _ in 0..<12 { try await round(1, step: 900_000_000_000) }
    }

    /// The stored candles that are over, of all instruments and intervals, without how they came to be.
    ///
    /// That they were amended is left out, and that somebody was in doubt of them: a builder that had no
    /// processor for a second marks what it cannot vouch for, also in a run that nothing disturbs.
    func candles() async throws -> [StoredCandle: CandleRow] {
        var candles = try await stored()
        for key in candles.keys { candles[key]?.flags.subtract([.amended, .incomplete]) }
        return candles
    }

    /// The stored candles that are over and that nobody is said to be in doubt of.
    func sound() async throws -> [StoredCandle: CandleRow] {
        try await stored().filter { _, row in
            row.flags.contains(.closed) && !row.flags.contains(.incomplete)
        }
    }

    private func stored() async throws -> [StoredCandle: CandleRow] {
        var found: [StoredCandle: CandleRow] = [:]
        for id in instruments {
            for interval in CandleInterval.allCases {
                let rows = try await database.candles(of: id, interval, from: .zero, to: newest, limit: .max)
                for row in rows where end(of: row) <= newest {
                    found[StoredCandle(id: id, interval: interval, start: row.start)] = row
                }
            }
        }
        return found
    }

    /// What PostgreSQL makes of the stored trades, by the same keys.
    func expected() async throws -> [StoredCandle: CandleRow] {
        var found: [StoredCandle: CandleRow] = [:]
        for id in instruments {
            for interval in CandleInterval.allCases {
                let rows = try await database.aggregateTrades(
                    of: id, interval, from: .zero, to: .init(nanoseconds: .max))
                for row in rows where end(of: row) <= newest {
                    found[StoredCandle(id: id, interval: interval, start: row.start)] = row
                }
            }
        }
        return found
    }

    private func end(of row: CandleRow) -> Timestamp {
        row.start.adding(nanoseconds: row.interval.seconds * 1_000_000_000)
    }
}

/// Which candle of which instrument.
struct StoredCandle: Hashable {
    let id: InstrumentID
    let interval: CandleInterval
    let start: Timestamp
}
