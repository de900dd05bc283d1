import Instruments
import MarketData
import MarketStore
import Support
import Testing

@testable import Store

@Suite("Market schema", .timeLimit(.minutes(10)))
struct MarketStoreTests {
    @Test("migrating again changes nothing")
    func again() async throws {
        let configuration = try await TestDatabase.market()
        let report = try await MarketSchema.migrator.migrate(configuration, logger: TestDatabase.logger)
        #expect(report == MigrationReport(applied: [], version: 13))
    }

    @Test("instruments come back as they went in; only what changed is written")
    func instruments() async throws {
        let (database, _) = try await Market.database()
        #expect(try await database.instruments() == Market.instruments.reversed())
        #expect(try await database.instruments(on: .kraken) == [Market.instruments[0]])
        #expect(try await database.instrument(Market.perpetual) == Market.instruments[1])
        #expect(try await database.instrument(InstrumentID(venue: .kraken, symbol: "x")) == nil)
        #expect(try await database.store(Market.instruments, at: .zero) == 0)
        var changed = Market.instruments[0]
        changed.tickSize = nil
        changed.priceScale = Market.scale(2)
        let other = Market.instruments[0]
        #expect(try await database.store([other, changed], at: .zero) == 1)
        #expect(try await database.instrument(Market.bitcoin) == changed)
        #expect(try await database.store([], at: .zero) == 0)
        await database.close()
    }

    private func snapshot(_ text: String, at seconds: Int64, venue: Bool = true) throws -> BookSnapshot {
        var snapshot = try BookText(text).snapshot(epoch: .max)
        snapshot.detail = "at \(seconds)"
        snapshot.receivedTime = Timestamp(nanoseconds: Market.midnight + seconds * 1_000_000_000)
        snapshot.venueTime = venue ? snapshot.receivedTime : nil
        return snapshot
    }

    @Test("a book comes back level for level, with its position")
    func book() async throws {
        let (database, _) = try await Market.database()
        let full = try snapshot("seq 42 | bids 100.10×2 100.00×5 | asks 100.20×1", at: 1)
        let empty = try snapshot("bids | asks", at: 60, venue: false)
        for snapshot in [full, empty] {
            #expect(try await database.store(snapshot, of: Market.bitcoin))
            #expect(try await database.bookSnapshot(of: Market.bitcoin) == snapshot)
        }
        let time = Timestamp(nanoseconds: Market.midnight + 59_000_000_000)
        #expect(try await database.bookSnapshot(of: Market.bitcoin, at: time) == full)
        #expect(try await database.bookSnapshot(of: Market.perpetual) == nil)
        await database.close()
    }

    @Test("one book a minute: the newest wins, in whatever order they come")
    func minute() async throws {
        let (database, _) = try await Market.database()
        let early = try snapshot("seq 1 | bids 1×1", at: 10)
        let late = try snapshot("seq 2 | bids 1×2", at: 50)
        #expect(try await database.store(early, of: Market.bitcoin))
        #expect(try await database.store(late, of: Market.bitcoin))
        #expect(try await !database.store(early, of: Market.bitcoin))
        #expect(try await database.store(late, of: Market.bitcoin))
        #expect(try await database.bookSnapshot(of: Market.bitcoin) == late)
        await database.close()
    }

    @Test("a sweep forgets books that are older than trades are kept, counted from the instrument's newest")
    func forgotten() async throws {
        let (database, _) = try await Market.database()
        for day in 0..<10 {
            let book = try snapshot("bids 1×1", at: Int64(day) * 86_400)
            _ = try await database.store(book, of: Market.bitcoin)
        }
        let old = try snapshot("bids 2×1", at: 0)
        _ = try await database.store(old, of: Market.perpetual)
        var policy = RetentionPolicy.standard
        policy[.trades] = nil
        _ = try await database.sweepPartitions(policy)
        let first = Timestamp(nanoseconds: Market.midnight + 60_000_000_000)
        #expect(try await database.bookSnapshot(of: Market.bitcoin, at: first) != nil)
        _ = try await database.sweepPartitions(.standard)
        let third = Timestamp(nanoseconds: Market.midnight + 2 * 86_400_000_000_000 + 60_000_000_000)
        #expect(try await database.bookSnapshot(of: Market.bitcoin, at: first) == nil)
        #expect(try await database.bookSnapshot(of: Market.bitcoin, at: third) != nil)
        #expect(try await database.bookSnapshot(of: Market.perpetual) == old)
        await database.close()
    }

    @Test("subscriptions add up per wish, and each change is notified")
    func subscriptions() async throws {
        let (database, _) = try await Market.database()
        var events = database.listen(to: [MarketSchema.subscriptionChannel]).makeAsyncIterator()
        #expect(await events.next() == .listening)
        let notification = ListenEvent.notification(channel: MarketSchema.subscriptionChannel, payload: "")
        func add(_ channels: [String], _ wantedBy: String) async throws -> Int {
            let wish = Subscription(instrument: Market.bitcoin, channels: channels, wantedBy: wantedBy)
            return try await database.execute(.addSubscription(wish, at: .zero))
        }
        #expect(try await add(["trade", "book"], "configuration") == 1)
        #expect(await events.next() == notification)
        #expect(try await add(["book"], "configuration") == 0)
        #expect(try await add(["ticker", "book"], "configuration") == 1)
        #expect(try await add(["trade"], "alert:1") == 1)
        #expect(
            try await database.subscriptions(on: .kraken) == [
                Subscription(instrument: Market.bitcoin, channels: ["trade"], wantedBy: "alert:1"),
                Subscription(
                    instrument: Market.bitcoin, channels: ["book", "ticker", "trade"],
                    wantedBy: "configuration"),
            ])
        #expect(try await database.execute(.removeSubscription(Market.bitcoin, wantedBy: "alert:1")) == 1)
        #expect(try await database.execute(.removeSubscription(Market.bitcoin, wantedBy: "alert:1")) == 0)
        #expect(try await database.subscriptions().count == 1)
        #expect(try await database.subscriptions(on: .bitmex).isEmpty)
        await database.close()
    }
}
