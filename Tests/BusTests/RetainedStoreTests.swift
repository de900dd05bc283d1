import Bus
import Instruments
import MarketData
import Support
import SwiftProtobuf
import Testing
import Wire

@testable import BusBroker

/// A store with short words for its inputs and answers.
private struct Stored {
    var store: RetainedStore
    var now: Int64 = 10_000_000_000

    init(_ change: (inout BrokerLimits) -> Void = { _ in }) {
        var limits = BrokerLimits()
        change(&limits)
        store = RetainedStore(limits: limits)
    }

    @discardableResult
    mutating func take(
        _ topic: String, _ event: WireEvent, _ sequence: UInt64, epoch: UInt64 = 1, producer: String = "p"
    ) -> RetainedStore.Intake {
        let envelope = BusFixtures.envelope(event, producer: producer, epoch: epoch, sequence: sequence)
        return take(topic, envelope)
    }

    @discardableResult
    mutating func take(_ topic: String, _ envelope: [UInt8]) -> RetainedStore.Intake {
        Array(topic.utf8).withUnsafeBytes { topic in
            envelope.withUnsafeBytes { store.take(topic: topic, envelope: $0, now: now) }
        }
    }

    /// Topic and sequence of every retained message under the prefixes, and the topics that are not whole.
    mutating func answer(_ prefixes: [String]) throws -> (messages: [String], incomplete: [String]) {
        var frames = AnswerFrames(requestID: 1)
        for unit in store.units(under: prefixes) { _ = store.append(unit, to: &frames, now: now) }
        frames.finish()
        var (messages, incomplete): ([String], [String]) = ([], [])
        for frame in frames.ready {
            let reply = try Bitpal_V1_StateReply(serializedBytes: frame)
            incomplete += reply.incomplete
            for message in reply.messages {
                let header = try EnvelopeDecoder.decode(Array(message.envelope)).0
                messages.append("\(message.topic) \(header.sequence)")
            }
        }
        return (messages, incomplete)
    }
}

@Suite("Retained store")
struct RetainedStoreTests {
    private let deltas = Topic.bookDelta(BusFixtures.bitcoin)
    private let snapshots = Topic.bookSnapshot(BusFixtures.bitcoin)

    private func position(_ sequence: UInt64, epoch: UInt64 = 1) -> StreamPosition {
        StreamPosition(producer: "p", epoch: epoch, sequence: sequence)
    }

    @Test("keeps the last message of a state topic and nothing of others")
    func lastValue() throws {
        var stored = Stored()
        stored.take("ticker.a.b.", BusFixtures.ticker(1), 1)
        stored.take("ticker.a.b.", BusFixtures.ticker(2), 2)
        stored.take("ticker.a.b.", BusFixtures.ticker(1), 1)
        stored.take("trade.a.b.", BusFixtures.trade("x"), 1)
        #expect(try stored.answer([""]).messages == ["ticker.a.b. 2"])
        #expect(try stored.answer(["trade."]).messages.isEmpty)
        #expect(stored.store.figures.retainedMessages == 1)
    }

    @Test("answers by prefix, each topic once, in the order of topics")
    func prefixes() throws {
        var stored = Stored()
        for symbol in ["c", "a", "b", "aa"] { stored.take("ticker.x.\(symbol).", BusFixtures.ticker(1), 1) }
        #expect(
            try stored.answer(["ticker.x.a.", "ticker.x.", "ticker.x.a."]).messages
                == ["ticker.x.a. 1", "ticker.x.aa. 1", "ticker.x.b. 1", "ticker.x.c. 1"])
        #expect(try stored.answer(["ticker.x.a."]).messages == ["ticker.x.a. 1"])
        stored.take("ticker.x.0.", BusFixtures.ticker(1), 1)
        #expect(try stored.answer(["ticker."]).messages.first == "ticker.x.0. 1")
    }

    @Test("answers about a book with the snapshot and then every delta since, under one or both topics")
    func book() throws {
        var stored = Stored()
        stored.take(deltas, BusFixtures.delta(1, 1), 1)
        stored.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position(1)), 1)
        stored.take(deltas, BusFixtures.delta(2, 1), 2)
        stored.take(deltas, BusFixtures.delta(3, 1), 3)
        let whole = ["\(snapshots) 1", "\(deltas) 2", "\(deltas) 3"]
        #expect(try stored.answer([deltas, snapshots]).messages == whole)
        #expect(try stored.answer(["book."]).messages == whole)
        #expect(try stored.answer([snapshots]).messages == ["\(snapshots) 1"])
        #expect(try stored.answer([deltas]).messages == ["\(deltas) 2", "\(deltas) 3"])
        #expect(try stored.answer([""]).incomplete.isEmpty)
        #expect(stored.store.figures.retainedMessages == 3)
        stored.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position(3)), 2)
        #expect(try stored.answer(["book."]).messages == ["\(snapshots) 2"])
        #expect(stored.store.figures.retainedMessages == 1)
    }

    @Test("takes snapshots of the same book from two producers, the newer by what they continue")
    func twoProducers() throws {
        var stored = Stored()
        stored.take(deltas, BusFixtures.delta(1, 1), 1)
        stored.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position(1)), 1)
        stored.take(deltas, BusFixtures.delta(2, 1), 2)
        stored.take(
            snapshots, BusFixtures.snapshot([(1, 1)], continues: position(2)), 1, epoch: 5,
            producer: "builder")
        stored.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position(1)), 2)
        #expect(try stored.answer(["book."]).messages == ["\(snapshots) 1"])
        #expect(stored.store.incompleteBookCount == 0)
    }

    @Test("names a book with a hole as incomplete and has its snapshot asked for, every two seconds at most")
    func asks() throws {
        var stored = Stored()
        stored.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position(1)), 1)
        #expect(stored.take(deltas, BusFixtures.delta(2, 1), 3) == .forwardAndAsk(book: 0))
        stored.now += 1_900_000_000
        #expect(stored.take(deltas, BusFixtures.delta(2, 1), 4) == .forward)
        stored.now += 100_000_000
        #expect(stored.take(deltas, BusFixtures.delta(2, 1), 5) == .forwardAndAsk(book: 0))
        #expect(stored.store.snapshotTopic(of: 0) == snapshots)
        #expect(try stored.answer(["book."]).incomplete == [deltas])
        stored.now += 2_000_000_000
        stored.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position(5)), 2)
        #expect(stored.take(deltas, BusFixtures.delta(2, 1), 6) == .forward)
        #expect(try stored.answer(["book."]).incomplete.isEmpty)
    }

    @Test("asks for the snapshot of a book that has just begun only when it takes long")
    func asksLater() {
        var stored = Stored()
        #expect(stored.take(deltas, BusFixtures.delta(2, 1), 1) == .forward)
        #expect(stored.take(deltas, BusFixtures.delta(2, 1), 2) == .forward)
        stored.now += 2_000_000_000
        #expect(stored.take(deltas, BusFixtures.delta(2, 1), 3) == .forwardAndAsk(book: 0))
    }

    @Test("keeps within its bytes: books are given up, other state keeps its last message")
    func byteBound() throws {
        var stored = Stored { $0.bytes = 400 }
        stored.take("ticker.a.b.", BusFixtures.ticker(1), 1)
        stored.take(snapshots, BusFixtures.snapshot([(1, 1)], continues: position(1)), 1)
        for sequence in 2...20 {
            stored.take(deltas, BusFixtures.delta(1, 1), UInt64(sequence))
            #expect(stored.store.figures.retainedBytes <= 400)
        }
        #expect(try stored.answer([""]).messages == ["ticker.a.b. 1"])
        #expect(try stored.answer([""]).incomplete == [deltas])
        #expect(stored.store.figures.refusedBytes > 0)
    }

    @Test("forgets a state whose present form does not fit: an old one is no answer")
    func outgrownState() throws {
        var stored = Stored { $0.bytes = 400 }
        for (sequence, size) in [(1, 8), (2, 500)] {
            let status = Bitpal_V1_ServiceStatus.with { $0.service = String(repeating: "x", count: size) }
            stored.take("service.status.a.b.", .serviceStatus(status), UInt64(sequence))
            #expect(try stored.answer([""]).messages.count == 2 - sequence)
        }
        #expect(stored.store.figures.retainedBytes == 0 && stored.store.figures.retainedMessages == 0)
    }

    @Test("refuses more topics than its bound, and what is no topic or no envelope")
    func refuses() {
        var stored = Stored { $0.topics = 2 }
        let good = BusFixtures.envelope(BusFixtures.ticker(1), sequence: 1)
        #expect(stored.take("a.", good) == .forward)
        #expect(stored.take("no-dot", good) == .malformed)
        #expect(stored.take("", good) == .malformed)
        #expect(stored.take("~sync.1.1.", good) == .malformed)
        #expect(stored.take("b.", []) == .malformed)
        #expect(stored.take("b.", [1, 2, 3]) == .malformed)
        #expect(stored.take("b.", good) == .forward)
        #expect(stored.take("c.", good) == .refused)
        let notText = [UInt8](arrayLiteral: 0xFF, 0xFE, UInt8(ascii: "."))
        let intake = notText.withUnsafeBytes { topic in
            good.withUnsafeBytes { stored.store.take(topic: topic, envelope: $0, now: 0) }
        }
        #expect(intake == .malformed)
    }

    @Test("keeps nothing of a producer's past life while the present one is heard")
    func pastLife() throws {
        var stored = Stored()
        stored.take("ticker.a.b.", BusFixtures.ticker(2), 1, epoch: 2)
        stored.take("ticker.a.b.", BusFixtures.ticker(1), 900, epoch: 1)
        #expect(try stored.answer([""]).messages == ["ticker.a.b. 1"])
        stored.now += 4_000_000_000
        stored.take("ticker.a.b.", BusFixtures.ticker(1), 901, epoch: 1)
        #expect(try stored.answer([""]).messages == ["ticker.a.b. 901"])
    }

    @Test("passes on heartbeats on their producer's own topic alone, and lives that may have begun")
    func foreignHeartbeats() {
        var stored = Stored()
        let beat = WireEvent.heartbeat(Bitpal_V1_Heartbeat())
        #expect(stored.take("heartbeat.p.", beat, 1) == .forward)
        #expect(stored.take("heartbeat.p.", beat, 2) == .forward)
        // On a topic that is known, and on a new one, which is not learnt from it.
        let topics = stored.store.topicCount
        #expect(stored.take("heartbeat.p.", beat, 1, producer: "q") == .refused)
        #expect(stored.take("heartbeat.backup.", beat, 3) == .refused)
        #expect(stored.store.topicCount == topics && stored.store.figures.foreignHeartbeats == 2)
        stored.store.latestEpoch = 7
        #expect(stored.take("trade.a.b.", BusFixtures.trade("x"), 1, epoch: 8) == .refused)
        #expect(stored.take("trade.a.b.", BusFixtures.trade("x"), 1, epoch: 7) == .forward)
        #expect(stored.store.figures.futureEpochs == 1)
    }

    @Test("counts what is missing between publisher and broker")
    func missing() {
        var stored = Stored()
        stored.take("trade.a.b.", BusFixtures.trade("x"), 5)
        stored.take("trade.a.b.", BusFixtures.trade("x"), 9)
        #expect(stored.store.figures.missing == 3)
    }

    @Test("splits a long answer into frames of about a mebibyte, each by itself a StateReply")
    func frames() throws {
        var stored = Stored()
        let bids = (0..<40_000).map { (Int64(100_000 - $0), Int64(1_000_000 + $0)) }
        for number in 0..<8 {
            let instrument = BusFixtures.instrument(number)
            stored.take(
                Topic.bookSnapshot(instrument),
                BusFixtures.snapshot(bids, continues: position(1), instrument), 1)
        }
        var frames = AnswerFrames(requestID: 77)
        for unit in stored.store.units(under: ["book."]) {
            _ = stored.store.append(unit, to: &frames, now: 0)
        }
        frames.finish()
        let replies = try frames.ready.map { try Bitpal_V1_StateReply(serializedBytes: $0) }
        #expect(replies.count > 1 && frames.ready.allSatisfy { $0.count <= 1 << 20 })
        #expect(replies.allSatisfy { $0.requestID == 77 })
        #expect(replies.map(\.isLast) == Array(repeating: false, count: replies.count - 1) + [true])
        #expect(replies.map(\.messages.count).reduce(0, +) == 8)
    }

    @Test("takes arbitrary messages without a trap")
    func arbitrary() {
        property(cases: 500) { generator in
            var stored = Stored()
            for _ in 0..<20 {
                let event = generator.pick([
                    BusFixtures.snapshot([(1, 1)], continues: position(generator.next() >> 60)),
                    BusFixtures.delta(1, 1), BusFixtures.ticker(1),
                ])
                let good = BusFixtures.envelope(event, sequence: generator.next() >> 60)
                let envelope = generator.chance(50) ? generator.damaged(good) : good
                stored.take(generator.pick([deltas, snapshots, "ticker.a.b.", generator.text()]), envelope)
            }
            // What was damaged is handed on as it came; whoever decodes it gets a typed error.
            do { _ = try stored.answer(["", "book."]) } catch is WireError {}
        }
    }
}
