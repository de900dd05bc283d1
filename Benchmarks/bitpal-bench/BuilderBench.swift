import BookBuilding
import Bus
import Foundation
import Instruments
import Logging
import MarketData
import Support
import Wire

/// What a book-builder makes of a message on one core, with all outputs on: decode, book, top, depth, whole
/// books, candles, 24 hours, index prices, and the encoding of all that is told.
///
/// Nine of ten messages change two levels near the best price of a book, the tenth is a trade; instruments
/// take turns. Time passes as if the messages came at ``offered`` a second, so that what is told by the clock
/// costs what it costs at that rate. The threads of the sockets and PostgreSQL are not part of it.
enum BuilderBench {
    /// Messages a second that set the pace of the clock.
    private static let offered = 500_000
    private static let tick: Int64 = 100_000_000
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    static func run() throws -> [Measurement] {
        var rows: [Measurement] = []
        for count in [10, 100, 1_000, 10_000] {
            let rate = try median(3) { try Self.rate(instruments: count, levels: 100) }
            let isGoal = count == 1_000
            rows.append(
                Measurement(
                    "builder, all outputs on, \(count) instruments", "events/s", rate,
                    goal: isGoal ? "500000/s" : "", meets: isGoal ? rate >= 500_000 : nil))
            rows.append(
                Measurement(
                    "builder, cost of an event, \(count) instruments", "ns", 1e9 / rate, goal: "", meets: nil)
            )
        }
        return rows
    }

    /// What an instrument's memory is.
    ///
    /// To be measured before anything else: memory that was given back would be taken again unseen.
    static func memoryRow() throws -> Measurement {
        let bytes = try memory(instruments: 1_000, levels: 1_000)
        return Measurement(
            "builder, memory per instrument, 1,000 levels a side", "kB", bytes / 1_024, goal: "",
            meets: nil, baseline: "16 bytes a level", baselineValue: 2 * 1_000 * 16 / 1_024)
    }

    /// Messages a second of one core.
    private static func rate(instruments count: Int, levels: Int64) throws -> Double {
        var load = try Load(count)
        load.snapshots(levels)
        // Enough that every kind of output comes several times.
        let messages = max(700_000, count * 70)
        var elapsed = 0.0
        var number = 0
        var next = load.now.nanoseconds + tick
        while number < messages {
            // Made before, since the feed's work is not ours.
            let batches = load.batches(of: 256, count: 64, first: number, interval: 1_000_000_000 / offered)
            let started = seconds()
            for (batch, time) in batches {
                load.builder.take(batch, at: time)
                if time.nanoseconds >= next {
                    load.builder.tick(at: time)
                    next += tick
                }
            }
            elapsed += seconds() - started
            number += 64 * 256
        }
        let figures = load.builder.figures
        precondition(figures.live == count && figures.malformed == 0, "every message makes sense")
        precondition(figures.tops > 0 && figures.candles > 0 && figures.tickers > 0, "everything is told")
        return Double(number) / elapsed
    }

    /// Bytes that an instrument with a full book takes, by what the process has before and after.
    private static func memory(instruments count: Int, levels: Int64) throws -> Double {
        var load = try Load(count)
        let before = ProcessMemory().privateBytes
        load.snapshots(levels)
        // Trades, tops and depths of all of them.
        for (batch, time) in load.batches(of: 256, count: count / 8, first: 0, interval: 2_000) {
            load.builder.take(batch, at: time)
        }
        load.builder.tick(at: load.now)
        return max(0, ProcessMemory().privateBytes - before) / Double(count)
    }

    /// A builder and what a feed says to it.
    private struct Load {
        let builder: BuilderLoad
        private(set) var now = Timestamp(nanoseconds: 1_700_000_000_000_000_000)
        private let ids: [InstrumentID]
        private let topics: [(delta: String, snapshot: String, trade: String)]
        private var feed = LoadBatches(producer: "feed", epoch: 1)

        private static let price = Scale(2) ?? .zero
        private static let size = Scale(3) ?? .zero

        init(_ count: Int) throws {
            // An asset on four venues: so each index has four markets.
            let instruments = (0..<count).map { number in
                Instrument(
                    id: InstrumentID(
                        venue: Venue.known[number % 4], symbol: "S\(number / 4)/USD"),
                    base: Asset(rawValue: "S\(number / 4)"), quote: Asset(rawValue: "USD"), kind: .spot,
                    priceScale: Self.price, sizeScale: Self.size)
            }
            ids = instruments.map(\.id)
            topics = ids.map { (Topic.bookDelta($0), Topic.bookSnapshot($0), Topic.trade($0)) }
            let publisher = try Publisher(
                context: BusContext(), configuration: PublisherConfiguration(producer: "bench"),
                logger: BuilderBench.logger)
            builder = BuilderLoad(BookBuildingConfiguration(), publisher, instruments)
            builder.take(feed.begin(), at: now)
        }

        /// Every book's first message, with so many levels a side.
        mutating func snapshots(_ levels: Int64) {
            for number in ids.indices {
                let snapshot = BookSnapshot(
                    state: .live, reason: .verified, priceScale: Self.price, sizeScale: Self.size,
                    bids: (0..<levels).map { Self.level(6_000_000 - $0 * 7, $0 * 37) },
                    asks: (0..<levels).map { Self.level(6_000_100 + $0 * 7, $0 * 91) },
                    continues: StreamPosition(producer: "feed", epoch: 1, sequence: 0), venueTime: now,
                    receivedTime: now)
                feed.append(.bookSnapshot(ids[number], snapshot), to: topics[number].snapshot, at: now)
                builder.take(feed.finish(), at: now)
            }
        }

        private static func level(_ price: Int64, _ seed: Int64) -> BookLevel {
            BookLevel(price: Price(price), size: Quantity(1 + seed % 9_000))
        }

        /// Batches of messages with the time of the last one of each.
        mutating func batches(
            of size: Int, count: Int, first: Int, interval: Int
        ) -> [(BusBatch, Timestamp)] {
            (0..<count).map { place in
                for message in 0..<size {
                    now = now.adding(nanoseconds: Int64(interval))
                    append(first + place * size + message)
                }
                return (feed.finish(), now)
            }
        }

        private mutating func append(_ number: Int) {
            let instrument = number % ids.count
            let turn = Int64(number / ids.count)
            if number % 10 == 9 {
                let trade = Trade(
                    id: String(number), side: number % 2 == 0 ? .buy : .sell,
                    price: Price(6_000_050 + turn % 97), size: Quantity(1 + turn % 1_000),
                    priceScale: Self.price, sizeScale: Self.size, venueTime: now, receivedTime: now)
                feed.append(.trade(ids[instrument], trade), to: topics[instrument].trade, at: now)
                return
            }
            // Levels of the best ten of each side get other sizes; the best ones in every tenth message.
            let changes = [BookSide.bid, .ask].map { side in
                let place = (turn + Int64(instrument)) % 10 * 7
                let price = side == .bid ? 6_000_000 - place : 6_000_100 + place
                return BookLevelChange(
                    side: side, price: Price(price), size: Quantity(1 + (turn * 31 + place) % 5_000))
            }
            let delta = BookDelta(
                priceScale: Self.price, sizeScale: Self.size, changes: changes, venueTime: now,
                receivedTime: now)
            feed.append(.bookDelta(ids[instrument], delta), to: topics[instrument].delta, at: now)
        }
    }
}
