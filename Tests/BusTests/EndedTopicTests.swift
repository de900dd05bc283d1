import Bus
import Support
import SwiftProtobuf
import Testing
import Wire

@Suite("Topics that end", .timeLimit(.minutes(10)))
struct EndedTopicTests {
    @Test("ended by its publisher a topic is gone everywhere, and begun again it loses nothing")
    func endToEnd() async throws {
        let text = Topic.portfolioValuation("1")
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["portfolio.valuation."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                for round in 1...3 {
                    let topic = try publisher.topic(text)
                    var batch = OutboundBatch()
                    batch.append(.portfolioValuation(.with { $0.change = Int64(round) }), to: topic)
                    publisher.offer(&batch)
                    let item = try await follower.until { $0.topic == text }.last
                    guard case .portfolioValuation(let valuation)? = item?.decoded else {
                        throw TestFailure("round \(round) is no valuation")
                    }
                    #expect(valuation.change == Int64(round))
                    #expect(item?.message?.sequence == UInt64(2 * round - 1))
                    #expect(publisher.end(topic))
                    // Nothing but that it is forgotten follows: the end itself is nobody's concern.
                    let after = try await follower.until { Self.forgets(text, $0) }
                    #expect(!after.contains { $0.topic == text || $0.gap != nil })
                    let client = StateClient(context: bus.context, addresses: bus.addresses)
                    #expect(
                        try await client.fetch(["portfolio."], timeout: .seconds(60)).messages.isEmpty)
                }
                try await eventually { subscriber.counters.forgottenTopics == 3 }
            }
        }
    }

    @Test("ten thousand topics that came and went leave the publisher as it was")
    func publisher() throws {
        let context = try BusContext()
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(producer: "p", addresses: .inproc("none")),
            logger: TestBus.logger)
        for number in 1...10_000 {
            let topic = try publisher.topic(Topic.controlReply(requestID: "\(number)"))
            var batch = OutboundBatch()
            batch.append([1], to: topic)
            publisher.offer(&batch)
            #expect(publisher.end(topic) && topic.index == 1)
            publisher.discard()
        }
    }

    private static func forgets(_ text: String, _ item: Follower.Item) -> Bool {
        guard case .forgotten(let gone) = item.event else { return false }
        return gone.topics.contains { item.batch.topic($0) == text }
    }
}
