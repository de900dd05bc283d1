import Bus
import MarketData
import Support
import SwiftProtobuf
import Testing
import Wire

@testable import BusBroker

/// A broker's memory with a clock of its own, which beats every ten seconds at the least.
private struct Remembered {
    static let minute: Int64 = 60_000_000_000

    var store: RetainedStore
    var now: Int64 = 10_000_000_000

    init(silentMinutes: Int64 = 30, _ change: (inout BrokerLimits) -> Void = { _ in }) {
        var limits = BrokerLimits()
        limits.silence = silentMinutes * Self.minute
        change(&limits)
        store = RetainedStore(limits: limits)
        store.forget(now: now)
    }

    mutating func take(_ topic: String, _ envelope: [UInt8]) {
        Array(topic.utf8).withUnsafeBytes { topic in
            envelope.withUnsafeBytes { _ = store.take(topic: topic, envelope: $0, now: now) }
        }
    }

    mutating func take(
        _ topic: String, _ event: WireEvent, _ sequence: UInt64, by producer: String, epoch: UInt64 = 1
    ) {
        take(topic, BusFixtures.envelope(event, producer: producer, epoch: epoch, sequence: sequence))
    }

    /// What an instance says in its first second.
    mutating func live(_ instance: String, _ sequence: UInt64 = 1) {
        let beat = WireEvent.heartbeat(Bitpal_V1_Heartbeat())
        take(Topic.heartbeat(producer: instance), beat, sequence, by: instance)
        let status = WireEvent.serviceStatus(.with { $0.service = "notifier" })
        take(Topic.serviceStatus(service: "notifier", instance: instance), status, sequence, by: instance)
    }

    mutating func wait(_ seconds: Int64) {
        let end = now + seconds * 1_000_000_000
        while now < end {
            now = min(end, now + 10_000_000_000)
            store.forget(now: now)
        }
    }

    /// Topics of what is retained.
    mutating func retained(_ prefix: String = "") throws -> [String] {
        var frames = AnswerFrames(requestID: 1)
        for unit in store.units(under: [prefix]) { _ = store.append(unit, to: &frames, now: now) }
        frames.finish()
        let replies = try frames.ready.map { try Bitpal_V1_StateReply(serializedBytes: $0) }
        return replies.flatMap(\.messages).map(\.topic)
    }
}

@Suite("What the broker forgets")
struct ForgettingTests {
    private let deltas = Topic.bookDelta(BusFixtures.bitcoin)
    private let snapshots = Topic.bookSnapshot(BusFixtures.bitcoin)

    @Test("ten thousand restarts of a service leave names, bytes and retention as they were")
    func restarts() throws {
        var broker = Remembered(silentMinutes: 30)
        broker.live("gateway-1")
        let before = (broker.store.topicCount, broker.store.producerCount, broker.store.figures.retainedBytes)
        var most = 0
        for number in 1...10_000 {
            broker.live("notifier-\(number)")
            broker.wait(20)
            broker.live("gateway-1", UInt64(number + 1))
            most = max(most, broker.store.topicCount)
        }
        // Half an hour has ninety restarts, and some are not looked for yet.
        #expect(most <= 2 * 100 + before.0)
        #expect(broker.store.records.count <= 220 && broker.store.producers.count <= 110)
        for number in 1...180 {
            broker.wait(20)
            broker.live("gateway-1", UInt64(20_000 + number))
        }
        #expect(broker.store.topicCount == before.0 && broker.store.producerCount == before.1)
        #expect(broker.store.figures.retainedBytes == before.2 && broker.store.figures.retainedMessages == 1)
        #expect(broker.store.figures.forgottenProducers == 10_000)
        #expect(broker.store.figures.forgottenTopics == 20_000)
        #expect(try broker.retained() == ["service.status.notifier.gateway-1."])
    }

    @Test("a service that is started again ten times a second cannot fill the tables either")
    func crashLoop() throws {
        var broker = Remembered(silentMinutes: 720)
        for number in 1...10_000 {
            broker.live("notifier-\(number)")
            broker.now += 100_000_000
            if number.isMultiple(of: 10) { broker.store.forget(now: broker.now) }
            #expect(broker.store.producerCount <= 3_900)
        }
        // The newest is known, so that nothing was refused.
        #expect(try broker.retained().contains("service.status.notifier.notifier-10000."))
        #expect(broker.store.figures.refusedTopics == 0)
    }

    @Test("what lives stays, however long ago it said something: a ticker of a quiet market, a book")
    func quiet() throws {
        var broker = Remembered(silentMinutes: 30)
        broker.take("ticker.a.b.", BusFixtures.ticker(1), 1, by: "feed")
        broker.take(deltas, BusFixtures.delta(1, 1), 1, by: "feed")
        let position = StreamPosition(producer: "feed", epoch: 1, sequence: 1)
        broker.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position), 1, by: "builder")
        for second in 1...600 {
            broker.wait(10)
            for producer in ["feed", "builder"] {
                let beat = WireEvent.heartbeat(Bitpal_V1_Heartbeat())
                broker.take(Topic.heartbeat(producer: producer), beat, UInt64(second), by: producer)
            }
        }
        #expect(try broker.retained() == [snapshots, "ticker.a.b."])
        #expect(broker.store.figures.forgottenTopics == 0)
        // With their publishers they go, and a book as a whole.
        broker.wait(40 * 60)
        #expect(try broker.retained() == [])
        #expect(broker.store.bookCount == 0 && broker.store.incompleteBookCount == 0)
        #expect(broker.store.figures.retainedBytes == 0 && broker.store.figures.retainedMessages == 0)
        #expect(broker.store.producerCount == 0 && broker.store.topicCount == 0)
    }

    @Test("what its living publisher does not name any more goes, though its end was lost on the way")
    func unnamed() throws {
        var broker = Remembered(silentMinutes: 30)
        broker.take("ticker.a.b.", BusFixtures.ticker(1), 1, by: "feed")
        broker.take("ticker.c.d.", BusFixtures.ticker(1), 1, by: "feed")
        for second in 1...240 {
            broker.wait(10)
            let beat = WireEvent.heartbeat(.with { ($0.topics, $0.sequences) = (["ticker.c.d."], [1]) })
            broker.take(Topic.heartbeat(producer: "feed"), beat, UInt64(second), by: "feed")
        }
        #expect(try broker.retained() == ["ticker.c.d."])
    }

    @Test("a name that is forgotten may come back, and another has its place meanwhile")
    func comesBack() throws {
        var broker = Remembered(silentMinutes: 30)
        broker.take("ticker.a.b.", BusFixtures.ticker(1), 1, by: "feed")
        broker.wait(40 * 60)
        broker.take("ticker.c.d.", BusFixtures.ticker(1), 7, by: "other")
        broker.take("ticker.a.b.", BusFixtures.ticker(1), 3, by: "feed", epoch: 2)
        #expect(try broker.retained() == ["ticker.a.b.", "ticker.c.d."])
        #expect(broker.store.figures.missing == 0)
    }

    @Test("an answer under way says nothing of a topic that has the number of a forgotten one")
    func answerUnderWay() throws {
        var broker = Remembered(silentMinutes: 30)
        broker.take("ticker.a.b.", BusFixtures.ticker(1), 1, by: "feed")
        let units = broker.store.units(under: ["ticker.a."])
        broker.wait(40 * 60)
        broker.take("ticker.c.d.", BusFixtures.ticker(1), 1, by: "feed", epoch: 2)
        var frames = AnswerFrames(requestID: 1)
        for unit in units { _ = broker.store.append(unit, to: &frames, now: broker.now) }
        frames.finish()
        let reply = try Bitpal_V1_StateReply(serializedBytes: try #require(frames.ready.first))
        #expect(units.count == 1 && reply.messages.isEmpty)
    }

    @Test("a broker that stood still for a day forgets nobody who speaks again")
    func standstill() throws {
        var broker = Remembered(silentMinutes: 30)
        broker.live("gateway-1")
        broker.now += 24 * 60 * Remembered.minute
        broker.store.forget(now: broker.now)
        #expect(try broker.retained() == ["service.status.notifier.gateway-1."])
    }

    @Test("an envelope without an event ends its topic: what was retained is gone at once")
    func tombstone() throws {
        let topic = Topic.portfolioValuation("1")
        var broker = Remembered()
        broker.take(topic, .portfolioValuation(.with { $0.portfolio = "1" }), 1, by: "valuer")
        #expect(try broker.retained() == [topic])
        broker.take(topic, BusFixtures.tombstone(producer: "valuer", sequence: 2))
        #expect(try broker.retained() == [])
        #expect(broker.store.figures.retainedBytes == 0 && broker.store.figures.retainedMessages == 0)
        broker.wait(1)
        #expect(broker.store.topicCount == 0 && broker.store.figures.forgottenTopics == 1)
        // What is begun again lives again.
        broker.take(topic, .portfolioValuation(.with { $0.portfolio = "1" }), 3, by: "valuer")
        #expect(try broker.retained() == [topic])
    }

    @Test("keeps its sums whatever comes, goes, ends and is forgotten")
    func sums() {
        property { generator in
            var broker = Remembered(silentMinutes: 1)
            for step in 1...generator.int(1...120) {
                let producer = "p\(generator.int(0...3))"
                let instrument = BusFixtures.instrument(generator.int(0...4))
                let sequence = UInt64(step)
                switch generator.int(0...5) {
                case 0: broker.wait(Int64(generator.int(1...90)))
                case 1:
                    let delta = BusFixtures.delta(1, 1, instrument)
                    broker.take(Topic.bookDelta(instrument), delta, sequence, by: producer)
                case 2:
                    let position = StreamPosition(producer: producer, epoch: 1, sequence: sequence)
                    let snapshot = BusFixtures.snapshot([(1, 1)], continues: position, instrument)
                    broker.take(Topic.bookSnapshot(instrument), snapshot, sequence, by: producer)
                case 3:
                    let topic = generator.pick([
                        Topic.ticker(instrument), Topic.bookDelta(instrument), Topic.bookSnapshot(instrument),
                    ])
                    broker.take(topic, BusFixtures.tombstone(producer: producer, sequence: sequence))
                default:
                    broker.take(
                        Topic.ticker(instrument), BusFixtures.ticker(1, instrument), sequence, by: producer)
                }
                let store = broker.store
                let values = store.records.map(\.value).filter { !$0.isEmpty }
                let books = store.books.map(\.retention)
                try #require(
                    store.figures.retainedBytes
                        == values.reduce(0) { $0 + $1.count } + books.reduce(0) { $0 + $1.byteCount })
                try #require(
                    store.figures.retainedMessages
                        == values.count + books.reduce(0) { $0 + RetainedStore.messages(of: $1) })
            }
            broker.wait(600)
            try #require(broker.store.topicCount == 0 && broker.store.producerCount == 0)
            let left = try broker.retained()
            try #require(broker.store.figures.retainedBytes == 0 && left == [])
        }
    }
}
