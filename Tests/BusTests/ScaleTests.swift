import Bus
import BusBroker
import Support
import Synchronization
import Testing
import Threads
import Wire

@Suite("Many topics and slow readers", .timeLimit(.minutes(10)))
struct ScaleTests {
    @Test(
        "10,000 topics on one subscriber, by one prefix or by 10,000: all flow after each of 20 restarts",
        arguments: [false, true])
    func manyTopics(onePrefix: Bool) async throws {
        let names = (0..<10_000).map { Topic.trade(BusFixtures.instrument($0)) }
        try await TestBus.run { bus in
            let subscriber = try bus.subscriber(onePrefix ? ["trade."] : names) {
                $0.maximumWaitingMessages = 30_000
            }
            try await running([subscriber]) {
                var follower = Follower(subscriber)
                try await follower.synchronized()
                for life in 1...21 {
                    let publisher = try bus.publisher { $0.epoch = UInt64(life) }
                    try await running([publisher]) {
                        try await publisher.waitForBroker()
                        for name in names {
                            var batch = OutboundBatch()
                            batch.append(BusFixtures.trade("x"), to: try publisher.topic(name))
                            await publisher.publish(batch)
                        }
                        var seen: Set<BusTopicIndex> = []
                        while seen.count < names.count {
                            let item = try await follower.next()
                            #expect(item.gap == nil)
                            if let message = item.message, message.epoch == UInt64(life) {
                                seen.insert(message.topic)
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("a subscriber that never reads costs nobody else a message")
    func stalled() async throws {
        var configuration = BusBrokerConfiguration(addresses: .anyLoopbackPort)
        configuration.sendHighWaterMark = 50_000
        try await TestBus.run(configuration) { bus in
            let publisher = try bus.publisher()
            let healthy = try bus.subscriber(["trade."]) { $0.maximumWaitingMessages = 300_000 }
            let wakeup = try Wakeup()
            async let stalled: Void = NamedThread.run(name: "stalled") { () throws(BusError) in
                let socket = try BusSocket(.subscriber, context: bus.context)
                socket.setReceiveHighWaterMark(10)
                try socket.connect(bus.addresses.subscribe)
                socket.subscribe("")
                var poll = BusPoll(capacity: 1)
                poll.add(wakeup)
                poll.wait(milliseconds: -1)
            }
            try await running([publisher, healthy]) {
                try await publisher.waitForBroker()
                var follower = Follower(healthy)
                try await follower.synchronized()
                let topic = try publisher.topic("trade.kraken.X.")
                let payload = [UInt8](repeating: 0, count: 1_000)
                let last = 100_000
                for _ in 0..<last / 100 {
                    var batch = OutboundBatch()
                    for _ in 0..<100 { batch.append(payload, to: topic) }
                    await publisher.publish(batch)
                    // The rated rate is what the healthy one takes: it reads as the publisher writes.
                    for _ in 0..<100 { #expect(try await follower.next().gap == nil) }
                }
            }
            wakeup.signal()
            try await stalled
        }
    }
}
