import Bus
import Support
import SwiftProtobuf
import Synchronization
import Testing
import Wire

@Suite("Voices of publishers", .timeLimit(.minutes(10)))
struct PublisherVoiceTests {
    private static let text = Topic.feedStatus(.kraken)

    @Test("a later life takes a producer's place for whoever listens; who has no say any more sends nothing")
    func succession() async throws {
        try await TestBus.run { bus in
            let (first, second) = (try bus.publisher("one"), try bus.publisher("two"))
            let subscriber = try bus.subscriber(["feed.status.", "heartbeat.venue."])
            try await running([first, second, subscriber]) {
                try await first.waitForBroker()
                try await second.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let right = Right()
                let old = first.begin("venue") { right.isThere.load(ordering: .relaxed) }
                try say(1, old)
                #expect(try await follower.until { Self.count($0) == 1 }.last?.message?.epoch == old.epoch)
                let new = second.begin("venue")
                #expect(new.epoch > old.epoch && new.producer == old.producer)
                try say(2, new)
                let turn = try await follower.until { Self.count($0) == 2 }
                #expect(turn.last?.message?.epoch == new.epoch && turn.last?.message?.sequence == 1)
                #expect(!turn.contains { $0.gap != nil })
                // What the old one says still is of a past life.
                try say(3, old)
                try await eventually { first.counters.sent >= 2 }
                try say(4, new)
                let heard = try await follower.until { Self.count($0) == 4 }
                #expect(!heard.contains { Self.count($0) == 3 })
                right.isThere.store(false, ordering: .relaxed)
                try say(5, old)
                try await eventually { first.counters.silenced > 0 }
                #expect(old.isOver && !new.isOver)
                // A say that comes back is none: something is missing by then.
                right.isThere.store(true, ordering: .relaxed)
                let again = first.begin("venue") { right.isThere.load(ordering: .relaxed) }
                #expect(again.epoch > new.epoch && old.isOver)
                try say(6, again)
                let last = try await follower.until { Self.count($0) == 6 }
                #expect(last.allSatisfy { Self.count($0) != 5 && $0.gap == nil })
            }
        }
    }

    private func say(_ count: UInt64, _ voice: PublisherVoice) throws {
        var batch = OutboundBatch()
        batch.append(
            .feedStatus(.with { ($0.venue, $0.messagesReceived) = ("kraken", count) }),
            to: try voice.topic(Self.text))
        #expect(voice.offer(&batch))
    }

    private static func count(_ item: Follower.Item) -> UInt64? {
        guard case .feedStatus(let status)? = item.decoded else { return nil }
        return status.messagesReceived
    }
}

private final class Right: Sendable {
    let isThere = Atomic<Bool>(true)
}
