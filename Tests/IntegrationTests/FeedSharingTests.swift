import Bus
import Foundation
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Testing
import Wire

/// Feed-ingestors that come and go while two venues speak.
@Suite("Venues while feed-ingestors come and go", .serialized, .timeLimit(.minutes(10)))
struct FeedSharingTests {
    @Test("are shared by two; a killed one's are live at the other's, and are given back by who stops")
    func handOver() async throws {
        let fleet = try await FeedFleet(leases: "2s")
        let database = Database(configuration: fleet.configuration, logger: TestDatabase.logger)
        try fleet.startMarket()
        let subscriber = try Subscriber(
            context: try BusContext(),
            configuration: SubscriberConfiguration(
                name: "watch", addresses: fleet.addresses,
                prefixes: ["book.delta.", "book.snapshot.", "feed.status.", "heartbeat."]),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await subscriber.run() }
            var watch = HolderWatch(subscriber)
            try fleet.start(0)
            try await watch.run { $0.areLive(at: [fleet.instance(0), fleet.instance(0)]) }
            // A newcomer gets one of two, and nobody is asked twice.
            try fleet.start(1)
            try await watch.run { watch in
                watch.areLive(at: [fleet.instance(0), fleet.instance(1)])
                    || watch.areLive(at: [fleet.instance(1), fleet.instance(0)])
            }
            let moment = ContinuousClock.now
            await fleet.kill(0)
            try await watch.run { $0.areLive(at: [fleet.instance(1), fleet.instance(1)]) }
            print("a dead feed-ingestor's venue was live elsewhere after \(ContinuousClock.now - moment)")
            #expect(await fleet.stop(1) == 0)
            try await watch.run { $0.holders.allSatisfy { $0.value.isEmpty } }
            let leases = try await database.withSession { try $0.leases(of: "feed-ingestor") }
            #expect(leases.count == 2 && leases.allSatisfy { $0.owner == nil }, "\(leases)")
            // Each move began a life, which no earlier one spoke after.
            #expect(watch.lives.values.map(\.count).sorted() == [2, 2], "\(watch.lives)")
            #expect(watch.lives.values.allSatisfy { $0 == $0.sorted() }, "\(watch.lives)")
            group.cancelAll()
        }
        await database.close()
        #expect(await fleet.stop().allSatisfy { $0 == 0 }, "\(fleet.logs)")
    }
}

/// Who holds which venue by its own word, and what follows of the books.
private struct HolderWatch {
    /// By venue; empty where it was given back.
    private(set) var holders: [String: String] = [:]
    /// The lives of each book's producer, in the order in which they were heard.
    private(set) var lives: [InstrumentID: [UInt64]] = [:]
    private var books: [InstrumentID: BookReplica] = [:]
    /// Under which life the holder of a venue has said so.
    private var epochs: [String: UInt64] = [:]
    private var iterator: BusBatches.Iterator

    init(_ subscriber: Subscriber) { iterator = subscriber.batches.makeAsyncIterator() }

    /// Whether each venue's book is live by the word of these, in the order of the venues of the fleet.
    func areLive(at instances: [String?]) -> Bool {
        zip(FeedFleet.instruments, instances).allSatisfy { id, instance in
            guard let instance, holders[id.venue.rawValue] == instance, let book = books[id] else {
                return false
            }
            return book.state == .live && book.position?.epoch == epochs[id.venue.rawValue]
        }
    }

    /// Listens until something holds.
    mutating func run(until holds: (HolderWatch) -> Bool) async throws {
        while !holds(self) {
            guard let batch = await iterator.next() else { throw PropertyFailure("the subscriber ended") }
            for case .message(let message) in batch.events {
                try take(try batch.decode(message), at: batch.position(of: message))
            }
        }
    }

    private mutating func take(_ event: WireEvent, at position: StreamPosition) throws {
        switch event {
        case .feedStatus(let status):
            holders[status.venue] = status.instance
            epochs[status.venue] = position.epoch
        case .bookDelta(let id, let delta):
            note(position, id)
            _ = books[id, default: BookReplica()].apply(delta, at: position)
        case .bookStateChange(let id, let change):
            note(position, id)
            _ = books[id, default: BookReplica()].apply(change, at: position)
        case .bookSnapshot(let id, let snapshot): _ = books[id, default: BookReplica()].apply(snapshot)
        default: break
        }
    }

    private mutating func note(_ position: StreamPosition, _ id: InstrumentID) {
        if lives[id]?.last != position.epoch { lives[id, default: []].append(position.epoch) }
    }
}
