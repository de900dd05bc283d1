import Bus
import Foundation
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Synchronization
import Testing
import Wire

/// Book-builders that come and go while books change.
@Suite("Best prices while instances come and go", .serialized, .timeLimit(.minutes(10)))
struct BuilderRollTests {
    /// So many that each of four has some, whatever their names: in one of ten million runs one has none.
    private static let instruments = (0..<64).map { InstrumentID(venue: .kraken, symbol: "B\($0)/USD") }

    @Test("have no gap that a subscriber cannot see and one writer at a time, from three to two to four")
    func rolling() async throws {
        let fleet = try await BuilderFleet(leases: "8s")
        let publisher = try fleet.feed()
        let database = Database(configuration: fleet.configuration, logger: TestDatabase.logger)
        let subscriber = try Subscriber(
            context: fleet.context,
            configuration: SubscriberConfiguration(
                name: "watch", addresses: fleet.addresses, prefixes: ["book.top.", "heartbeat."]),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            group.addTask { try await subscriber.run() }
            var events = publisher.events.makeAsyncIterator()
            while let event = await events.next(isolation: #isolation), event != .brokerAppeared {}
            let wishes = RequestedTopics()
            group.addTask { for await event in publisher.events { wishes.hear(event) } }
            var feed = try BookFeed(Self.instruments, publisher)
            for place in 0..<3 { try fleet.start(place) }
            var watch = TopWatch(subscriber)
            await feed.images()
            try await watch.follow(&feed, fleet, to: "three that own and tell") { watch in
                guard watch.told.count == Self.instruments.count, watch.hears(fleet, 3) else { return false }
                return try await owners(in: database) == 3
            }
            // Three to two.
            let dead = try #require(fleet.instance(1))
            let moment = ContinuousClock.now
            await fleet.kill(1)
            let orphans = watch.told.filter { $0.value.producer.hasSuffix(dead) }.map(\.key)
            #expect(!orphans.isEmpty)
            try await watch.follow(&feed, fleet, to: "the dead one's instruments elsewhere") { watch in
                orphans.allSatisfy { watch.told[$0]?.producer.hasSuffix(dead) == false }
            }
            let gone = ContinuousClock.now - moment
            print(
                "a dead instance's \(orphans.count) instruments were live elsewhere after \(gone); goal 15 s")
            // Two to four.
            try fleet.start(1)
            try fleet.start(3)
            try await watch.follow(&feed, fleet, to: "four that own") { _ in
                try await owners(in: database) == 4
            }
            try await watch.follow(&feed, fleet, to: "four that tell") { watch in watch.hears(fleet, 4) }
            // Whoever has it now says what the feed said last.
            feed.isStill = true
            let last = feed.bids
            try await watch.follow(&feed, fleet, to: "what was said last") { watch in
                Self.instruments.allSatisfy { watch.told[$0]?.bid == last[$0] }
            }
            #expect(watch.unseen.isEmpty, "\(watch.unseen)")
            // Two that write at a time would follow each other more often than the lease changes hands.
            let epochs = try await epochs(in: database)
            for (id, count) in watch.changes { #expect(count < epochs[Shard(of: id), default: 0], "\(id)") }
            let changes = watch.changes.values.reduce(0, +)
            #expect(changes > orphans.count)
            // The broker's copies were enough: nobody asked the feed, which would have asked the venue.
            #expect(wishes.topics.isEmpty)
            let violations = try await database.first(EpochViolations())
            #expect(violations == 0)
            print("changes of owner: \(changes), epoch violations in the database: \(violations ?? -1)")
            group.cancelAll()
        }
        await database.close()
        #expect(await fleet.stop().allSatisfy { $0 == 0 }, "\(fleet.logs)")
    }

    /// How often each lease was taken.
    private func epochs(in database: Database) async throws -> [Shard: Int64] {
        let leases = try await database.withSession { try $0.leases(of: "book-builder") }
        return Dictionary(uniqueKeysWithValues: leases.map { ($0.shard, $0.epoch) })
    }

    /// Instances that hold leases which are not over, when all are held.
    private func owners(in database: Database) async throws -> Int {
        let leases = try await database.withSession { try $0.leases(of: "book-builder") }
        return leases.contains { $0.owner == nil } ? 0 : Set(leases.map(\.owner)).count
    }
}

/// What the feed was asked for.
private final class RequestedTopics: Sendable {
    private let heard = Mutex<[String]>([])

    var topics: [String] { heard.withLock { $0 } }

    func hear(_ event: PublisherEvent) {
        if case .snapshotWanted(let topic) = event { heard.withLock { $0.append(topic) } }
    }
}

/// A feed of books that change all the time.
private struct BookFeed {
    /// The best bid of each.
    private(set) var bids: [InstrumentID: Price] = [:]
    /// Nothing changes any more.
    var isStill = false
    /// How often a whole book is said again: the faster the machine, the more changes there are, and of those
    /// the broker keeps 20,000 of a book before it asks for a whole one.
    private static let changesPerImage = 2_000
    private var changes = 0
    private let instruments: [InstrumentID]
    private let publisher: Publisher
    private var topics: [(delta: PublisherTopic, whole: PublisherTopic)] = []
    private var generator = SeededGenerator(seed: 5)

    init(_ instruments: [InstrumentID], _ publisher: Publisher) throws {
        self.instruments = instruments
        self.publisher = publisher
        for id in instruments {
            topics.append(
                (try publisher.topic(Topic.bookDelta(id)), try publisher.topic(Topic.bookSnapshot(id))))
        }
    }

    /// A whole book of each, to begin with.
    mutating func images() async {
        var batch = OutboundBatch()
        for (id, topic) in zip(instruments, topics) {
            batch.append(
                .bookStateChange(
                    id, BookStateChange(state: .syncing, reason: .snapshotPending, receivedTime: .zero)),
                to: topic.delta)
            bids[id] = Price(1_000)
        }
        appendImages(to: &batch)
        await publisher.publish(batch)
    }

    private func appendImages(to batch: inout OutboundBatch) {
        for (id, topic) in zip(instruments, topics) {
            let snapshot = BookSnapshot(
                state: .live, reason: .verified, priceScale: .zero, sizeScale: .zero,
                bids: [BookLevel(price: bids[id] ?? Price(1_000), size: Quantity(5))],
                asks: [BookLevel(price: Price(9_000), size: Quantity(5))],
                continues: topic.delta.lastPosition, venueTime: nil, receivedTime: BusClock.wall())
            batch.append(.bookSnapshot(id, snapshot), to: topic.whole)
        }
    }

    /// Moves every best bid, as fast as the bus takes it.
    mutating func change() async {
        if isStill { return }
        var batch = OutboundBatch()
        for (id, topic) in zip(instruments, topics) {
            guard let old = bids[id] else { continue }
            let new = Price(Int64(generator.int(1_000...8_000)))
            if new == old { continue }
            let delta = BookDelta(
                priceScale: .zero, sizeScale: .zero,
                changes: [
                    BookLevelChange(side: .bid, price: old, size: .zero),
                    BookLevelChange(side: .bid, price: new, size: Quantity(5)),
                ], venueTime: nil, receivedTime: BusClock.wall())
            bids[id] = new
            batch.append(.bookDelta(id, delta), to: topic.delta)
        }
        changes += 1
        if changes.isMultiple(of: Self.changesPerImage) { appendImages(to: &batch) }
        await publisher.publish(batch)
    }
}

/// Reads tops as any subscriber does and compares their numbers.
private struct TopWatch {
    struct ObservedTop { var producer: String; var epoch: UInt64; var sequence: UInt64; var bid: Price? }

    /// The last top of each instrument.
    private(set) var told: [InstrumentID: ObservedTop] = [:]
    /// Messages after others of the same producer that do not follow them, and that no gap was told of.
    private(set) var unseen: [String] = []
    /// How often another producer went on.
    private(set) var changes: [InstrumentID: Int64] = [:]
    /// The last of the live ones, by whose numbers they are compared: what the broker keeps may come before
    /// live messages that are older.
    private var live: [InstrumentID: ObservedTop] = [:]
    private var gaps: Set<String> = []
    /// Topics of which something was lost that no message has come for since.
    private var lost: Set<String> = []
    private let subscriber: Subscriber
    private var iterator: BusBatches.Iterator

    init(_ subscriber: Subscriber) {
        self.subscriber = subscriber
        iterator = subscriber.batches.makeAsyncIterator()
    }

    /// Lets books change and reads until something is true.
    ///
    /// - Throws: When the time is over; says what it was that did not come, and who was there.
    mutating func follow(
        _ feed: inout BookFeed, _ fleet: BuilderFleet, to end: String,
        until isDone: (TopWatch) async throws -> Bool
    ) async throws {
        while true {
            // PostgreSQL, too, may be asked in vain when the time is over.
            do { if try await isDone(self) { return } } catch { throw failure(end, fleet, "\(error)") }
            await feed.change()
            guard !Task.isCancelled, let batch = await iterator.next(isolation: #isolation) else {
                throw failure(end, fleet, "the time is over")
            }
            for event in batch.events {
                switch event {
                case .gap(let gap):
                    let topic = batch.topic(gap.topic)
                    gaps.insert(topic)
                    if topic.hasPrefix("book.top.") { lost.insert(topic) }
                case .message(let message): try take(message, batch)
                default: break
                }
            }
            // A message that is lost here, as a slow reader's are, comes again only with the next change: of
            // a feed that is still it is what the broker keeps.
            if feed.isStill, !lost.isEmpty {
                subscriber.requestState(lost.sorted())
                lost = []
            }
        }
    }

    /// Whether the builders of so many places have said something last.
    func hears(_ fleet: BuilderFleet, _ places: Int) -> Bool {
        (0..<places).allSatisfy { place in
            guard let name = fleet.instance(place) else { return false }
            return told.values.contains { $0.producer.hasSuffix(name) }
        }
    }

    /// What was waited for, who told how many instruments last, what was lost on the way, and who is there.
    private func failure(_ end: String, _ fleet: BuilderFleet, _ reason: String) -> PropertyFailure {
        let producers = Dictionary(grouping: told.values, by: \.producer).mapValues(\.count)
        return PropertyFailure(
            "not seen: \(end); \(reason); told last by \(producers), dropped \(subscriber.counters.dropped), "
                + "waiting for \(lost.sorted()); \(fleet.presence)\n\(fleet.logs)")
    }

    private mutating func take(_ message: BusMessage, _ batch: BusBatch) throws {
        guard case .bookTop(let id, let top) = try batch.decode(message) else { return }
        let topic = batch.topic(message.topic)
        let now = ObservedTop(
            producer: batch.producer(message.producer), epoch: message.epoch, sequence: message.sequence,
            bid: top.bid?.price)
        told[id] = now
        if message.isRetained { return }
        lost.remove(topic)
        let isGapTold = gaps.remove(topic) != nil
        guard let last = live.updateValue(now, forKey: id) else { return }
        if last.producer == now.producer, last.epoch == now.epoch {
            if now.sequence != last.sequence + 1, !isGapTold {
                unseen.append("\(topic) \(last.sequence) \(now.sequence)")
            }
            return
        }
        changes[id, default: 0] += 1
    }
}
