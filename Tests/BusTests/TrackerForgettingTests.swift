import MarketData
import Support
import Testing
import Wire

@testable import Bus

/// A tracker with a clock of its own, which ticks every ten seconds at the least.
private struct Listening {
    static let minute: Int64 = 60_000_000_000

    var names = SubscriberNames()
    var tracker: StreamTracker
    var now: Int64 = 1_000_000_000
    var silence: Int64 = 30 * minute
    var forgotten = 0

    init(_ prefixes: [String] = [""], maximumTopics: Int = 200_000) {
        tracker = StreamTracker(names: names, prefixes: PrefixSet(prefixes), maximumTopics: maximumTopics)
        tracker.listen(until: now, isHearing: true)
    }

    @discardableResult
    mutating func message(
        _ sequence: UInt64, _ topic: String, by producer: String, epoch: UInt64 = 1
    ) -> (verdict: StreamTracker.Verdict, index: Int) {
        let found = Array(topic.utf8).withUnsafeBytes { topic -> (StreamTracker.Verdict, Int) in
            Array(producer.utf8).withUnsafeBytes { producer -> (StreamTracker.Verdict, Int) in
                guard let (index, verdict) = tracker.topic(topic), verdict == .deliver else {
                    return (.refused, -1)
                }
                let found = tracker.receive(
                    topic: index, producer: producer, epoch: epoch, sequence: sequence, now: now)
                return (found, index)
            }
        }
        return (found.0, found.1)
    }

    mutating func heartbeat(_ topics: [String: UInt64], by producer: String) {
        var heartbeat = Bitpal_V1_Heartbeat()
        heartbeat.topics = topics.keys.sorted()
        heartbeat.sequences = heartbeat.topics.map { topics[$0] ?? 0 }
        let envelope = BusFixtures.envelope(.heartbeat(heartbeat), sequence: 1)
        let topic = Array(Topic.heartbeat(producer: producer).utf8)
        envelope.withUnsafeBytes { envelope in
            Array(producer.utf8).withUnsafeBytes { producer in
                guard let event = EnvelopeScan.event(40, in: envelope) else { return }
                _ = topic.withUnsafeBytes {
                    tracker.receiveHeartbeat(event, on: $0, producer: producer, epoch: 1, now: now)
                }
            }
        }
    }

    /// What an instance says in its first second.
    mutating func live(_ instance: String, _ sequence: UInt64 = 1) {
        heartbeat(["service.status.notifier.\(instance).": sequence], by: instance)
        message(sequence, "heartbeat.\(instance).", by: instance)
        message(sequence, "service.status.notifier.\(instance).", by: instance)
    }

    mutating func tick() {
        tracker.listen(until: now, isHearing: true)
        tracker.tick(now: now)
        _ = tracker.takeNotices()
        guard let gone = tracker.forgettable(after: silence) else { return }
        names = names.without(gone)
        tracker.forget(gone, names: names)
        forgotten += gone.topics.count
    }

    mutating func wait(_ seconds: Int64) {
        let end = now + seconds * 1_000_000_000
        while now < end {
            now = min(end, now + 10_000_000_000)
            tick()
        }
    }
}

@Suite("What a subscriber forgets")
struct TrackerForgettingTests {
    @Test("ten thousand restarts of a service leave its tables as they were")
    func restarts() {
        var listening = Listening()
        listening.live("gateway-1")
        for number in 1...10_000 {
            listening.live("notifier-\(number)")
            // One topic has a new publisher each time.
            listening.message(1, "ticker.day.a.b.", by: "notifier-\(number)")
            listening.wait(20)
            listening.live("gateway-1", UInt64(number + 1))
        }
        // Half an hour has ninety restarts, and some are not looked for yet.
        #expect(listening.tracker.topicCount <= 2 * 100 + 3 && listening.tracker.producerCount <= 101)
        #expect(listening.tracker.streams.count <= 220 && listening.tracker.producers.count <= 110)
        #expect(listening.tracker.others.count <= 100)
        for number in 1...180 {
            listening.wait(20)
            listening.live("gateway-1", UInt64(20_000 + number))
        }
        #expect(listening.tracker.topicCount == 2 && listening.tracker.producerCount == 1)
        #expect(listening.tracker.others.isEmpty)
    }

    @Test("a service that is started again ten times a second does not fill the table: the newest is heard")
    func crashLoop() {
        var listening = Listening()
        listening.silence = 720 * Listening.minute
        for number in 1...10_000 {
            let name = "notifier-\(number)"
            #expect(listening.message(1, "heartbeat.\(name).", by: name).verdict == .deliver)
            listening.now += 100_000_000
            if number.isMultiple(of: 5) { listening.tick() }
        }
    }

    @Test("a topic that heartbeats name is not silent: losses on it are found after a day too")
    func quiet() {
        var listening = Listening()
        let (_, index) = listening.message(1, "trade.a.", by: "feed")
        for _ in 0..<8_640 {
            listening.wait(10)
            listening.heartbeat(["trade.a.": 1], by: "feed")
        }
        #expect(listening.forgotten == 0)
        let (verdict, later) = listening.message(3, "trade.a.", by: "feed")
        #expect(verdict == .deliverAfterGap(expected: 2) && later == index)
    }

    @Test("a number means another topic only after it was forgotten, and batches of before keep the old name")
    func numbers() {
        var listening = Listening()
        let (_, index) = listening.message(5, "trade.a.", by: "feed")
        let before = listening.names
        listening.wait(40 * 60)
        let (verdict, second) = listening.message(9, "trade.b.", by: "other")
        #expect(verdict == .deliver && second == index)
        let key = BusTopicIndex(rawValue: Int32(index))
        #expect(before.topic(key) == "trade.a." && listening.names.topic(key) == "trade.b.")
        // One that comes back begins afresh, and is said to be back: somebody may still doubt it.
        #expect(listening.message(7, "trade.a.", by: "feed").verdict == .deliver)
        let notices = listening.tracker.takeNotices()
        #expect(notices.count == 2)
        #expect(notices.allSatisfy { if case .back = $0 { true } else { false } })
    }

    @Test("of a topic's publishers the one that lives stays, and its next number is known")
    func secondPublisher() {
        var listening = Listening()
        listening.message(1, "ticker.a.", by: "dead")
        listening.message(4, "ticker.a.", by: "alive")
        for sequence in 5...400 {
            listening.wait(10)
            #expect(listening.message(UInt64(sequence), "ticker.a.", by: "alive").verdict == .deliver)
        }
        #expect(listening.tracker.producerCount == 1 && listening.tracker.others.isEmpty)
        #expect(listening.message(402, "ticker.a.", by: "alive").verdict == .deliverAfterGap(expected: 401))
    }

    @Test("while nobody at all is heard nobody is forgotten")
    func silentBus() {
        var listening = Listening()
        listening.message(1, "trade.a.", by: "feed")
        for _ in 0..<1_000 {
            listening.now += 10_000_000_000
            listening.tracker.listen(until: listening.now, isHearing: false)
        }
        #expect(listening.tracker.forgettable(after: listening.silence) == nil)
    }

    @Test("a topic that ended is forgotten with the next look, unless something comes on it")
    func ended() {
        var listening = Listening()
        let (_, first) = listening.message(1, "portfolio.valuation.1.", by: "valuer")
        let (_, second) = listening.message(1, "portfolio.valuation.2.", by: "valuer")
        listening.tracker.end(first)
        listening.tracker.end(second)
        listening.message(2, "portfolio.valuation.2.", by: "valuer")
        listening.tick()
        #expect(listening.forgotten == 1 && listening.tracker.topicCount == 1)
        #expect(listening.message(3, "portfolio.valuation.2.", by: "valuer").verdict == .deliver)
    }

    @Test("knows every loss of who lives, whatever comes and goes beside")
    func everyLoss() {
        property { generator in
            var listening = Listening()
            var next: [String: UInt64] = [:]
            for step in 0..<generator.int(1...150) {
                listening.wait(60)
                // It speaks, or is named, in each minute.
                for topic in ["trade.a.", "trade.b."] {
                    var number = next[topic] ?? 1
                    let isLost = number > 1 && generator.chance(20)
                    if isLost { number += 1 }
                    let verdict = listening.message(number, topic, by: "alive").verdict
                    try #require(
                        verdict == (isLost ? .deliverAfterGap(expected: number - 1) : .deliver))
                    next[topic] = number + 1
                }
                if generator.chance(70) { listening.live("passing-\(step)") }
                if generator.chance(30) { listening.message(1, "trade.a.", by: "passing-\(step)") }
            }
            listening.wait(60 * 60)
            try #require(listening.tracker.topicCount == 0 && listening.tracker.producerCount == 0)
            try #require(listening.tracker.others.isEmpty)
        }
    }
}
