import Support
import Testing
import Wire

@testable import Bus

/// A tracker with short words for its inputs.
private struct Tracked {
    var tracker: StreamTracker
    var now: Int64 = 1_000_000_000

    init(_ prefixes: [String] = ["trade."]) {
        tracker = StreamTracker(names: SubscriberNames(), prefixes: PrefixSet(prefixes), maximumTopics: 100)
    }

    mutating func message(
        _ sequence: UInt64, epoch: UInt64 = 1, topic: String = "trade.a.", producer: String = "p"
    ) -> StreamTracker.Verdict {
        Array(topic.utf8).withUnsafeBytes { topic in
            Array(producer.utf8).withUnsafeBytes { producer in
                guard let (index, verdict) = tracker.topic(topic) else { return .malformed }
                guard verdict == .deliver else { return verdict }
                return tracker.receive(
                    topic: index, producer: producer, epoch: epoch, sequence: sequence, now: now)
            }
        }
    }

    mutating func retained(_ sequence: UInt64, topic: String = "ticker.a.") -> StreamTracker.Verdict {
        Array(topic.utf8).withUnsafeBytes { topic in
            Array("p".utf8).withUnsafeBytes { producer in
                guard let (index, _) = tracker.topic(topic) else { return .malformed }
                return tracker.receiveRetained(
                    topic: index, producer: producer, epoch: 1, sequence: sequence, isLastValue: true,
                    now: now)
            }
        }
    }

    mutating func heartbeat(
        _ sequences: [String: UInt64], epoch: UInt64 = 1, producer: String = "p", on topic: String? = nil
    ) -> [BusGap] {
        let topic = Array((topic ?? Topic.heartbeat(producer: producer)).utf8)
        var heartbeat = Bitpal_V1_Heartbeat()
        heartbeat.topics = sequences.keys.sorted()
        heartbeat.sequences = heartbeat.topics.map { sequences[$0] ?? 0 }
        let envelope = BusFixtures.envelope(.heartbeat(heartbeat), sequence: 1)
        envelope.withUnsafeBytes { envelope in
            Array(producer.utf8).withUnsafeBytes { producer in
                guard let event = EnvelopeScan.event(40, in: envelope) else { return }
                _ = topic.withUnsafeBytes {
                    tracker.receiveHeartbeat(event, on: $0, producer: producer, epoch: epoch, now: now)
                }
            }
        }
        return tracker.takeNotices().compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    }
}

@Suite("Stream tracker")
struct StreamTrackerTests {
    @Test("takes the first message wherever the stream stands, then asks for the next")
    func first() {
        var tracked = Tracked()
        #expect(tracked.message(41) == .deliver)
        #expect(tracked.message(42) == .deliver)
        #expect(tracked.message(45) == .deliverAfterGap(expected: 43))
        #expect(tracked.message(46) == .deliver)
        #expect(tracked.message(46) == .duplicate)
        #expect(tracked.message(44) == .duplicate)
    }

    @Test(
        "delivers the last value again to who asks for it, once, and never an older one",
        arguments: [["ticker.a."], ["ticker."]])
    func asked(_ prefixes: [String]) {
        var tracked = Tracked(["ticker."])
        #expect(tracked.retained(4) == .deliver)
        #expect(tracked.message(5, topic: "ticker.a.") == .deliver)
        #expect(tracked.retained(5) == .duplicate)
        tracked.tracker.ask(prefixes)
        #expect(tracked.retained(5) == .deliver)
        #expect(tracked.retained(5) == .duplicate)
        tracked.tracker.ask(prefixes)
        #expect(tracked.retained(4) == .duplicate)
    }

    @Test("starts again at 1 with a new life of the producer, and turns the past one away")
    func newLife() {
        var tracked = Tracked()
        #expect(tracked.message(10, epoch: 1) == .deliver)
        #expect(tracked.message(1, epoch: 2) == .deliver)
        #expect(
            tracked.tracker.takeNotices() == [.restarted(BusProducerIndex(rawValue: 0), epoch: 2)])
        #expect(tracked.message(11, epoch: 1) == .obsolete)
        #expect(tracked.message(4, epoch: 2) == .deliverAfterGap(expected: 2))
        #expect(tracked.message(3, epoch: 3) == .deliverAfterGap(expected: 1))
    }

    @Test("takes a smaller epoch once the greater has been silent: a clock was set back")
    func clockSetBack() {
        var tracked = Tracked()
        #expect(tracked.message(10, epoch: 9) == .deliver)
        tracked.now += 2_900_000_000
        #expect(tracked.message(1, epoch: 5) == .obsolete)
        tracked.now += 200_000_000
        #expect(tracked.message(1, epoch: 5) == .deliver)
    }

    @Test("keeps two producers of one topic apart")
    func twoProducers() {
        var tracked = Tracked()
        #expect(tracked.message(1, producer: "p") == .deliver)
        #expect(tracked.message(7, producer: "q") == .deliver)
        #expect(tracked.message(2, producer: "p") == .deliver)
        #expect(tracked.message(9, producer: "q") == .deliverAfterGap(expected: 8))
    }

    @Test("finds a loss at the end of a stream by the heartbeat, once")
    func tailLoss() {
        var tracked = Tracked()
        #expect(tracked.message(1) == .deliver)
        #expect(tracked.heartbeat(["trade.a.": 1]).isEmpty)
        let gaps = tracked.heartbeat(["trade.a.": 4])
        #expect(gaps.map(\.expected) == [2])
        #expect(gaps.map(\.received) == [nil])
        #expect(tracked.heartbeat(["trade.a.": 4]).isEmpty)
        #expect(tracked.message(5) == .deliver)
    }

    @Test("sees no loss in what was published before the subscription held")
    func beforeTheSubscription() {
        var tracked = Tracked()
        #expect(tracked.heartbeat(["trade.a.": 100]).isEmpty)
        tracked.tracker.synchronize()
        #expect(tracked.heartbeat(["trade.a.": 120]).isEmpty)
        #expect(tracked.message(121) == .deliver)
    }

    @Test("sees a loss between the first heartbeat after the subscription held and the first message")
    func beforeTheFirstMessage() {
        var tracked = Tracked()
        tracked.tracker.synchronize()
        #expect(tracked.heartbeat(["trade.a.": 120]).isEmpty)
        #expect(tracked.message(125) == .deliverAfterGap(expected: 121))
        #expect(tracked.message(126) == .deliver)
    }

    @Test("sees a loss when a number rises without any message after the subscription held")
    func subscriptionWithoutEffect() {
        var tracked = Tracked()
        tracked.tracker.synchronize()
        #expect(tracked.heartbeat(["trade.a.": 100]).isEmpty)
        #expect(tracked.heartbeat(["trade.a.": 101]).map(\.expected) == [101])
        #expect(!tracked.tracker.isSubscriptionInDoubt)
        _ = tracked.heartbeat(["trade.a.": 102])
        _ = tracked.heartbeat(["trade.a.": 103])
        #expect(tracked.tracker.isSubscriptionInDoubt)
        tracked.tracker.synchronize()
        #expect(!tracked.tracker.isSubscriptionInDoubt)
    }

    @Test("notes a producer silent after three seconds, and back with its next word")
    func silence() {
        var tracked = Tracked()
        let producer = BusProducerIndex(rawValue: 0)
        #expect(tracked.message(1) == .deliver)
        tracked.now += 3_000_000_000
        tracked.tracker.tick(now: tracked.now)
        #expect(tracked.tracker.takeNotices().isEmpty)
        tracked.tracker.tick(now: tracked.now + 1)
        #expect(tracked.tracker.takeNotices() == [.silent(producer)])
        #expect(tracked.message(2) == .deliver)
        #expect(tracked.tracker.takeNotices() == [.back(producer)])
    }

    @Test("counts as standing still what is later than a tick, and not what is too long to be called live")
    func standstills() {
        let second: Int64 = 1_000_000_000
        func stood(_ late: Int64) -> Int64 {
            SubscriberLoop.standstill(due: 7 * second, now: 7 * second + late)
        }
        #expect(stood(-1) == 0 && stood(0) == 0 && stood(second / 2 - 1) == 0)
        #expect(stood(second / 2) == second / 2 && stood(10 * second) == 10 * second)
        #expect(stood(10 * second + 1) == 0)
        // Before the first tick nothing is due.
        #expect(SubscriberLoop.standstill(due: 0, now: 7 * second) == 0)
    }

    @Test("does not take a time in which nobody listened for a producer's silence")
    func standstill() {
        var tracked = Tracked()
        #expect(tracked.message(1) == .deliver)
        tracked.now += 60_000_000_000
        tracked.tracker.forgive(59_000_000_000, now: tracked.now)
        tracked.tracker.tick(now: tracked.now)
        tracked.tracker.tick(now: tracked.now + 2_000_000_000)
        #expect(tracked.tracker.takeNotices().isEmpty)
        tracked.tracker.tick(now: tracked.now + 2_000_000_001)
        #expect(tracked.tracker.takeNotices() == [.silent(BusProducerIndex(rawValue: 0))])
        // Never so that it was heard in the future.
        tracked.tracker.forgive(.max / 2, now: tracked.now)
        #expect(tracked.message(2) == .deliver)
    }

    @Test("ignores topics that nobody asked for, and forgives their past when they are")
    func wants() {
        var tracked = Tracked(["trade.a."])
        #expect(tracked.message(1, topic: "trade.b.") == .unwanted)
        #expect(tracked.heartbeat(["trade.b.": 9]).isEmpty)
        tracked.tracker.want(PrefixSet(["trade.a.", "trade.b."]))
        #expect(tracked.message(20, topic: "trade.b.") == .deliver)
    }

    @Test("refuses what is no topic and more topics than allowed")
    func malformedTopics() {
        var tracked = Tracked([""])
        #expect(tracked.message(1, topic: "trade") == .malformed)
        #expect(tracked.message(1, topic: "") == .malformed)
        #expect(tracked.message(1, topic: String(repeating: "a", count: 255) + ".") == .malformed)
        for number in 0..<100 { #expect(tracked.message(1, topic: "t\(number).") == .deliver) }
        #expect(tracked.message(1, topic: "one-more.") == .refused)
    }

    @Test("names every missing number exactly once, whatever is lost or repeated")
    func everyLossOnce() {
        property { generator in
            var tracked = Tracked()
            tracked.tracker.synchronize()
            try #require(tracked.message(1) == .deliver)
            var next: UInt64 = 2
            var delivered: Set<UInt64> = [1]
            var found: [UInt64] = []
            for _ in 0..<generator.int(1...60) {
                switch generator.int(0...9) {
                case 0: next += 1
                case 1:
                    guard let old = delivered.randomElement(using: &generator) else { continue }
                    try #require(tracked.message(old) == .duplicate)
                case 2:
                    for gap in tracked.heartbeat(["trade.a.": next - 1]) {
                        found += gap.expected...(next - 1)
                    }
                default:
                    switch tracked.message(next) {
                    case .deliver: break
                    case .deliverAfterGap(let expected): found += expected...(next - 1)
                    case let other: throw PropertyFailure("\(next) was \(other)")
                    }
                    delivered.insert(next)
                    next += 1
                }
            }
            for gap in tracked.heartbeat(["trade.a.": next - 1]) { found += gap.expected...(next - 1) }
            try #require(Set(found).count == found.count)
            try #require(Set(found) == Set(1..<next).subtracting(delivered))
        }
    }
}
