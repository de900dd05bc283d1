import Bus
import MarketData
import ServiceLifecycle
import Support
import Synchronization
import Testing
import Wire

@testable import BusBroker

@Suite("Everybody asks at once", .timeLimit(.minutes(10)))
struct StateStormTests {
    private let deltas = Topic.bookDelta(BusFixtures.bitcoin)
    private let snapshots = Topic.bookSnapshot(BusFixtures.bitcoin)

    private func send(
        _ topic: String, _ event: WireEvent, _ sequence: UInt64, to store: inout RetainedStore, at now: Int64
    ) -> RetainedStore.Intake {
        let envelope = BusFixtures.envelope(event, producer: "feed", sequence: sequence)
        return Array(topic.utf8).withUnsafeBytes { topic in
            envelope.withUnsafeBytes { store.take(topic: topic, envelope: $0, now: now) }
        }
    }

    @Test("a thousand questions about a book with a hole ask its publisher once in two seconds")
    func publisherIsAskedOnce() {
        let second: Int64 = 1_000_000_000
        var store = RetainedStore(limits: BrokerLimits())
        let position = StreamPosition(producer: "feed", epoch: 1, sequence: 1)
        let snapshot = BusFixtures.snapshot([(1, 1)], continues: position)
        _ = send(snapshots, snapshot, 1, to: &store, at: second)
        var asked = send(deltas, BusFixtures.delta(1, 1), 3, to: &store, at: second) == .forward ? 0 : 1
        var now = second
        for number in 0..<1_000 {
            // Over five seconds.
            now = second + Int64(number) * second / 200
            var wanted: [Int] = []
            let units = store.units(under: ["book."])
            var answer = StateAnswer(
                peer: [], hasDelimiter: false, requestID: 1, units: units, refused: [], now: now)
            while answer.next(from: &store, now: now, wanted: &wanted) != nil { answer.advance(now: now) }
            asked += wanted.count
        }
        #expect(asked == 3 && store.figures.snapshotsAsked == 3)
    }

    @Test("a turn sends eight frames whoever waits, and everybody has a turn", arguments: [1, 8, 9, 64, 100])
    func turns(waiting: Int) {
        var turns = AnswerTurns()
        var served: [Int: Int] = [:]
        let rounds = 200
        for _ in 0..<rounds {
            let turn = turns.next(of: waiting)
            #expect(turn.count == min(8, waiting) && Set(turn).count == turn.count)
            #expect(turn.allSatisfy { (0..<waiting).contains($0) })
            for place in turn { served[place, default: 0] += 1 }
        }
        let fair = rounds * min(8, waiting) / waiting
        #expect(served.count == waiting && served.values.allSatisfy { abs($0 - fair) <= 1 })
    }

    @Test("a hundred subscribers that lose a book at once have it again by few snapshots of its publisher")
    func hundred() async throws {
        try await TestBus.run(BusBrokerConfiguration(addresses: .inproc("state-storm"))) { bus in
            let publisher = try bus.publisher("feed")
            let subscribers = try (0..<100).map { _ in try bus.subscriber(["book."]) }
            var services: [any Service] = subscribers
            services.append(publisher)
            try await running(services) {
                try await publisher.waitForBroker()
                let delta = try publisher.topic(deltas)
                let whole = try publisher.topic(snapshots)
                var followers = subscribers.map { Follower($0) }
                for place in followers.indices { try await followers[place].synchronized() }
                publish(delta, whole, by: publisher)
                for place in followers.indices {
                    _ = try await followers[place].until { $0.topic == snapshots && $0.message != nil }
                }
                let start = ContinuousClock.now
                let answerer = SnapshotAnswerer(publisher, snapshots) { publish(delta, whole, by: publisher) }
                try await running([answerer]) {
                    // A number that is used and never sent: the broker's book has a hole, and everybody's.
                    var lost = OutboundBatch()
                    lost.append(BusFixtures.delta(1, 1), to: delta)
                    lost.removeAll()
                    lost.append(BusFixtures.delta(2, 2), to: delta)
                    publisher.offer(&lost)
                    for place in followers.indices { _ = try await followers[place].until { $0.gap != nil } }
                    for _ in 0..<3 {
                        for subscriber in subscribers { subscriber.requestState([deltas, snapshots]) }
                    }
                    for place in followers.indices {
                        _ = try await followers[place].until { $0.topic == snapshots && $0.message != nil }
                    }
                }
                // One at once, and one in two seconds as long as it takes.
                let seconds = Int((ContinuousClock.now - start) / .seconds(1))
                let answers = answerer.count
                #expect(answers >= 1 && answers <= 2 + seconds / 2)
            }
        }
    }

    /// A change and the book that it makes.
    private func publish(_ delta: PublisherTopic, _ whole: PublisherTopic, by publisher: Publisher) {
        var batch = OutboundBatch()
        batch.append(BusFixtures.delta(1, 1), to: delta)
        batch.append(BusFixtures.snapshot([(1, 1)], continues: delta.lastPosition), to: whole)
        publisher.offer(&batch)
    }
}

/// Answers when the broker wants a snapshot, and counts how often.
private final class SnapshotAnswerer: Service {
    private let publisher: Publisher
    private let topic: String
    private let answer: @Sendable () -> Void
    private let answered = Atomic<Int>(0)

    init(_ publisher: Publisher, _ topic: String, _ answer: @escaping @Sendable () -> Void) {
        (self.publisher, self.topic, self.answer) = (publisher, topic, answer)
    }

    var count: Int { answered.load(ordering: .relaxed) }

    func run() async throws {
        for await event in publisher.events where event == .snapshotWanted(topic: topic) {
            answered.add(1, ordering: .relaxed)
            answer()
        }
    }
}
