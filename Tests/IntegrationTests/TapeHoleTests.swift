import Bus
import Foundation
import Instruments
import MarketData
import MarketState
import MarketStore
import Store
import Support
import Synchronization
import Testing
import Venues
import Web
import Wire

/// The demo's synthetic market with a feed that is away for minutes and then cannot ask for what it missed.
@Suite("A hole in the tape", .serialized, .timeLimit(.minutes(10)))
struct TapeHoleTests {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    private static let minute: Int64 = 60_000_000_000

    @Test("is filled with the venue's own candles, told and stored as amended")
    func filled() async throws {
        let market = try await DemoMarket(Self.id, speed: "15")
        let database = Database(configuration: market.configuration, logger: TestDatabase.logger)
        try market.start(["bus-broker", "venue-simulator", "feed-ingestor", "book-builder"])
        let context = try BusContext()
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(
                name: "watch", addresses: market.addresses,
                prefixes: [Topic.candle(interval: "1m", Self.id), "heartbeat."]),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await subscriber.run() }
            let told = AmendedCandles()
            group.addTask {
                for await batch in subscriber.batches { try told.take(batch, of: Self.id) }
            }
            try await eventually { try await minutes(in: database).count >= 2 }
            await market.kill("feed-ingestor")
            let last = try #require(try await database.recentTrades(of: Self.id, limit: 1).first?.venueTime)
            let away = last.adding(nanoseconds: 4 * Self.minute)
            // The venue makes its candles anew for each question, and has the others to serve.
            try await eventuallyNothing(every: .milliseconds(250)) {
                let (found, problem) = try await market.venueMinutes(from: last, to: away)
                if found.count >= 3 { return nil }
                return "the venue has \(found.count) minutes after \(last) \(problem)"
            }
            try market.start(["feed-ingestor"], withoutREST: true)
            // Until the candles after the hole are there, too.
            let first = try #require(
                try await database.trades(of: Self.id, from: .zero, to: .init(nanoseconds: .max), limit: 1)
                    .first?.venueTime)
            let end = away.adding(nanoseconds: Self.minute)
            try await eventually { try await minutes(in: database).keys.contains { $0 >= end } }
            var venue: [HistoryCandle] = []
            try await eventuallyNothing(every: .milliseconds(250)) {
                let (found, problem) = try await market.venueMinutes(from: first, to: end)
                venue = found
                if let last = found.last, last.start >= away { return nil }
                return "the venue has nothing at \(away) but \(found.last.map { "\($0.start)" } ?? problem)"
            }
            try await eventuallyNothing {
                let stored = try await minutes(in: database)
                // The first minute had begun when the feed did.
                let other = venue.first { candle in
                    guard let row = stored[candle.start] else { return candle.tradeCount > 0 }
                    return !row.says(candle) || row.flags.contains(.incomplete)
                }
                return other.map { candle in
                    "\(candle) is stored as \(stored[candle.start].map { "\($0)" } ?? "none")"
                }
            }
            let mended = try await minutes(in: database).values.filter { row in
                row.flags.contains(.fromVenue) && row.start >= last.adding(nanoseconds: -Self.minute)
            }
            #expect(mended.count >= 3 && mended.allSatisfy { $0.flags.contains(.amended) })
            try await eventually { mended.allSatisfy { told.amended.contains($0.start) } }
            let holes = try await database.withSession { try $0.holes(of: Self.id, endingAfter: .zero) }
            #expect(holes.contains { $0.after >= last && $0.until != nil })
            print("\(mended.count) candles of a hole of \(holes.count) came from the venue")
            group.cancelAll()
        }
        await database.close()
        #expect(await market.stop().allSatisfy { $0 == 0 }, "\(market.logs)")
    }

    /// The stored candles of a minute that are over.
    private func minutes(in database: Database) async throws -> [Timestamp: CandleRow] {
        let rows = try await database.candles(
            of: Self.id, .minute, from: .zero, to: .init(nanoseconds: .max), limit: .max
        ).filter { $0.flags.contains(.closed) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.start, $0) })
    }
}

/// Which candles were told as amended and the venue's.
private final class AmendedCandles: Sendable {
    private let starts = Mutex<Set<Timestamp>>([])

    var amended: Set<Timestamp> { starts.withLock { $0 } }

    func take(_ batch: BusBatch, of id: InstrumentID) throws {
        for case .message(let message) in batch.events {
            guard case .madeCandle(id, let candle) = try batch.decode(message) else { continue }
            guard candle.isFromVenue, candle.isAmended, !candle.isIncomplete else { continue }
            _ = starts.withLock { $0.insert(Timestamp(nanoseconds: candle.startUnixNanos)) }
        }
    }
}

extension CandleRow {
    /// Whether the numbers are those of the venue.
    fileprivate func says(_ candle: HistoryCandle) -> Bool {
        let prices = [open, high, low, close].map { $0.decimal(priceScale).normalized }
        return prices == [candle.open, candle.high, candle.low, candle.close].map(\.normalized)
            && tradeCount == candle.tradeCount
    }
}
