import Instruments
import Support
import Testing
import Wire

@testable import Bus

/// A tracker of the topic `trade.a.`, to which the producer `p` speaks, and others in its name.
private struct Misled {
    var tracker = StreamTracker(
        names: SubscriberNames(), prefixes: PrefixSet(["trade."]), maximumTopics: 100)
    var now: Int64 = 1_000_000_000

    init() {
        tracker.synchronize()
        tracker.latestEpoch = 1_000
    }

    mutating func message(_ sequence: UInt64, epoch: UInt64 = 1) -> StreamTracker.Verdict {
        Array("trade.a.".utf8).withUnsafeBytes { topic in
            Array("p".utf8).withUnsafeBytes { producer in
                guard let (index, _) = tracker.topic(topic) else { return .malformed }
                return tracker.receive(
                    topic: index, producer: producer, epoch: epoch, sequence: sequence, now: now)
            }
        }
    }

    /// The first missing numbers that the tracker tells of; `nil` when it does not take the heartbeat.
    mutating func heartbeat(_ last: UInt64, on topic: String = "heartbeat.p.", epoch: UInt64 = 1)
        -> [UInt64]?
    {
        var heartbeat = Bitpal_V1_Heartbeat()
        (heartbeat.topics, heartbeat.sequences) = (["trade.a."], [last])
        let envelope = BusFixtures.envelope(.heartbeat(heartbeat), sequence: 1)
        let isTaken = envelope.withUnsafeBytes { envelope in
            guard let event = EnvelopeScan.event(40, in: envelope) else { return false }
            return Array(topic.utf8).withUnsafeBytes { topic in
                Array("p".utf8).withUnsafeBytes {
                    tracker.receiveHeartbeat(event, on: topic, producer: $0, epoch: epoch, now: now)
                }
            }
        }
        let gaps = tracker.takeNotices().compactMap { (notice) -> UInt64? in
            if case .gap(let gap) = notice { gap.expected } else { nil }
        }
        return isTaken ? gaps : nil
    }
}

@Suite("What is told falsely of a producer's numbers")
struct FalseHeartbeatTests {
    @Test("counts for nothing on a topic that is not the producer's")
    func foreignTopic() {
        var misled = Misled()
        #expect(misled.message(1) == .deliver)
        for topic in ["heartbeat.backup.", "heartbeat.", "heartbeat.p", "heartbeat.pp.", "trade.a."] {
            #expect(misled.heartbeat(1_000_001, on: topic) == nil)
        }
        #expect(misled.heartbeat(1) == [])
        #expect(misled.message(2) == .deliver)
        #expect(misled.heartbeat(3) == [3])
    }

    @Test("is undone by the next message, and losses are found as before")
    func undoneByMessage() {
        var misled = Misled()
        #expect(misled.message(1) == .deliver)
        #expect(misled.heartbeat(1_000_001) == [2])
        #expect(misled.message(2) == .deliver)
        #expect(misled.message(4) == .deliverAfterGap(expected: 3))
        #expect(misled.message(4) == .duplicate)
        #expect(misled.heartbeat(6) == [5])
        #expect(misled.heartbeat(6) == [])
        #expect(misled.message(7) == .deliver)
    }

    @Test("is undone by the next heartbeat of a market that is quiet")
    func undoneByHeartbeat() {
        var misled = Misled()
        #expect(misled.message(1) == .deliver)
        #expect(misled.heartbeat(.max) == [2])
        #expect(misled.heartbeat(1) == [])
        #expect(misled.heartbeat(2) == [2])
        #expect(misled.message(3) == .deliver)
    }

    @Test("is undone before the first message too")
    func beforeTheFirst() {
        var misled = Misled()
        #expect(misled.heartbeat(1_000_000) == [])
        #expect(misled.heartbeat(50) == [])
        #expect(misled.heartbeat(51) == [51])
        #expect(misled.message(53) == .deliverAfterGap(expected: 52))
    }

    @Test("as a message is undone by the next heartbeat, and what was taken for old counts as lost")
    func falseMessage() {
        var misled = Misled()
        #expect(misled.message(1) == .deliver)
        #expect(misled.message(1_000_000) == .deliverAfterGap(expected: 2))
        #expect(misled.message(2) == .duplicate)
        #expect(misled.heartbeat(2) == [2])
        #expect(misled.message(3) == .deliver)
    }

    @Test("of a life in the future is not believed, and its producer goes on being heard")
    func future() {
        var misled = Misled()
        #expect(misled.message(1) == .deliver)
        #expect(misled.heartbeat(1, epoch: .max - 1) == nil)
        #expect(misled.message(1, epoch: 1_001) == .refused)
        #expect(misled.message(2) == .deliver)
        #expect(misled.message(1, epoch: 1_000) == .deliver)
    }

    @Test("An epoch may be a day ahead of the time of day, and no more")
    func latest() {
        let day: UInt64 = 86_400_000_000_000
        #expect(PublisherEpoch.latest(at: Timestamp(nanoseconds: 5)) == day + 5)
        #expect(PublisherEpoch.latest(at: Timestamp(nanoseconds: .max)) == UInt64(Int64.max))
    }
}
