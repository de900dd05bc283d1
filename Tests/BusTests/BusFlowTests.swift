import Bus
import BusBroker
import Instruments
import MarketData
import ServiceLifecycle
import Support
import Testing
import Wire

@Suite("Messages through the bus", .timeLimit(.minutes(10)))
struct BusFlowTests {
    @Test("arrive in order, once, and numbered from 1", arguments: [false, true])
    func inOrder(inproc: Bool) async throws {
        let addresses = inproc ? BusAddresses.inproc("flow") : .anyLoopbackPort
        try await TestBus.run(BusBrokerConfiguration(addresses: addresses)) { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["trade."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let topic = try publisher.topic(Topic.trade(BusFixtures.bitcoin))
                var batch = OutboundBatch()
                for number in 1...1_000 {
                    let sequence = batch.append(BusFixtures.trade("\(number)"), to: topic)
                    #expect(sequence == UInt64(number))
                    if number % 100 == 0 { #expect(publisher.offer(&batch)) }
                }
                for number in 1...1_000 {
                    let item = try await follower.message()
                    let message = try #require(item.message)
                    #expect(message.sequence == UInt64(number) && !message.isRetained)
                    #expect(BusFixtures.tradeID(item.decoded) == "\(number)")
                    #expect(
                        item.batch.position(of: message)
                            == StreamPosition(
                                producer: "tester", epoch: publisher.epoch, sequence: UInt64(number)))
                }
            }
        }
    }

    @Test("reach only those who asked for their topic")
    func onlyAskedFor() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber([Topic.trade(BusFixtures.bitcoin)])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let wanted = try publisher.topic(Topic.trade(BusFixtures.bitcoin))
                let other = try publisher.topic(Topic.trade(BusFixtures.ether))
                var batch = OutboundBatch()
                batch.append(BusFixtures.trade("other", BusFixtures.ether), to: other)
                batch.append(BusFixtures.trade("first"), to: wanted)
                publisher.offer(&batch)
                #expect(BusFixtures.tradeID(try await follower.message().decoded) == "first")

                subscriber.subscribe([Topic.trade(BusFixtures.ether)])
                try await follower.synchronized()
                batch.append(BusFixtures.trade("more", BusFixtures.ether), to: other)
                publisher.offer(&batch)
                let more = try await follower.until { $0.message != nil || $0.gap != nil }
                // What came before the subscription is no loss.
                #expect(more.allSatisfy { $0.gap == nil })
                #expect(BusFixtures.tradeID(more.last?.decoded) == "more")
            }
        }
    }

    @Test("of a mebibyte, and of text beyond ASCII, arrive unchanged")
    func largeAndForeign() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher("प्रकाशक")
            let instrument = InstrumentID(venue: Venue(rawValue: "börse"), symbol: "₿.EUR 日本/x%")
            let subscriber = try bus.subscriber([Topic.trade(instrument)])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let id = String(repeating: "é", count: 1 << 19)
                var batch = OutboundBatch()
                batch.append(
                    BusFixtures.trade(id, instrument), to: try publisher.topic(Topic.trade(instrument)))
                publisher.offer(&batch)
                let item = try await follower.message()
                #expect(item.topic == Topic.trade(instrument))
                #expect(item.message.map { item.batch.producer($0.producer) } == "प्रकाशक")
                #expect(BusFixtures.tradeID(item.decoded) == id)
            }
        }
    }

    @Test("larger than the bus carries are counted and leave a gap")
    func tooLarge() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["trade."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let topic = try publisher.topic(Topic.trade(BusFixtures.bitcoin))
                var batch = OutboundBatch()
                batch.append(BusFixtures.trade("1"), to: topic)
                batch.append([UInt8](repeating: 0, count: 4 << 20), to: topic)
                batch.append(BusFixtures.trade("3"), to: topic)
                publisher.offer(&batch)
                let items = try await follower.until { $0.message?.sequence == 3 }
                #expect(items.compactMap(\.gap).map(\.expected) == [2])
                // The publisher's thread tells its counts after it has sent.
                try await eventually { publisher.counters.oversized > 0 }
                #expect(publisher.counters.oversized == 1)
            }
        }
    }

    @Test("offered before a graceful shutdown are all delivered")
    func shutdownInABurst() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["trade."]) { $0.maximumWaitingMessages = 30_000 }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [publisher], logger: TestBus.logger))
            try await running([subscriber, group]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let topic = try publisher.topic(Topic.trade(BusFixtures.bitcoin))
                var batch = OutboundBatch()
                for number in 1...20_000 {
                    batch.append(BusFixtures.trade("\(number)"), to: topic)
                    if number % 1_000 == 0 { #expect(publisher.offer(&batch)) }
                }
                await group.triggerGracefulShutdown()
                let items = try await follower.until { $0.message?.sequence == 20_000 }
                #expect(items.compactMap(\.message).count == 20_000)
                #expect(items.compactMap(\.gap).isEmpty)
                #expect(!publisher.offer(&batch) || batch.isEmpty)
            }
        }
    }

    @Test("published while no broker is there are counted")
    func unheard() async throws {
        let context = try BusContext()
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(producer: "lonely", addresses: .inproc("nobody")),
            logger: TestBus.logger)
        let topic = try publisher.topic("trade.kraken.X.")
        var batch = OutboundBatch()
        for _ in 0..<5 { batch.append(BusFixtures.trade("x"), to: topic) }
        publisher.offer(&batch)
        try await running([publisher]) {
            #expect(await publisher.publish(batch))
        }
        #expect(publisher.counters.unheard >= 5)
        #expect(publisher.counters.sent == 0)
    }
}
