import Bus
import BusBroker
import MarketData
import Support
import Synchronization
import Testing
import Threads
import Wire

@Suite("Loss on the bus is visible", .timeLimit(.minutes(10)))
struct LossTests {
    private let trades = Topic.trade(BusFixtures.bitcoin)

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func trade(_ sequence: UInt64, epoch: UInt64 = 1) -> [[UInt8]] {
        [
            bytes(trades),
            BusFixtures.envelope(BusFixtures.trade("\(sequence)"), epoch: epoch, sequence: sequence),
        ]
    }

    private func heartbeat(_ last: UInt64, epoch: UInt64 = 1) -> [[UInt8]] {
        var heartbeat = Bitpal_V1_Heartbeat()
        heartbeat.topics = [trades]
        heartbeat.sequences = [last]
        return [
            bytes(Topic.heartbeat(producer: "tester")),
            BusFixtures.envelope(.heartbeat(heartbeat), epoch: epoch, sequence: 1),
        ]
    }

    @Test("in the middle of a stream by the next message, at its end by the heartbeat")
    func middleAndEnd() async throws {
        try await TestBus.run { bus in
            let subscriber = try bus.subscriber(["trade."])
            try await running([subscriber]) {
                var follower = Follower(subscriber)
                try await follower.synchronized()
                try await RawPeer.publish(
                    [trade(1), trade(2), trade(5), heartbeat(5), heartbeat(9)], on: bus
                ) {
                    let items = try await follower.until { $0.gap?.cause == .heartbeat }
                    let gaps = items.compactMap(\.gap)
                    #expect(gaps.map(\.expected) == [3, 6])
                    #expect(gaps.map(\.received) == [5, nil])
                    #expect(gaps.map(\.cause) == [.sequence, .heartbeat])
                    // The loss is told right before the message that revealed it.
                    let place = try #require(items.firstIndex { $0.gap != nil })
                    #expect(items[place + 1].message?.sequence == 5)
                }
            }
        }
    }

    @Test("a publisher that starts again begins a new life, with nothing missing that was not")
    func restart() async throws {
        try await TestBus.run { bus in
            let subscriber = try bus.subscriber(["trade."])
            try await running([subscriber]) {
                var follower = Follower(subscriber)
                try await follower.synchronized()
                for life in 1...3 {
                    let publisher = try bus.publisher { $0.epoch = UInt64(life) }
                    try await running([publisher]) {
                        try await publisher.waitForBroker()
                        let topic = try publisher.topic(trades)
                        var batch = OutboundBatch()
                        for number in 1...10 {
                            batch.append(BusFixtures.trade("\(life) \(number)"), to: topic)
                        }
                        publisher.offer(&batch)
                        let items = try await follower.until { $0.message?.sequence == 10 }
                        #expect(items.compactMap(\.gap).isEmpty)
                        #expect(items.compactMap(\.message?.epoch).allSatisfy { $0 == UInt64(life) })
                        let restarts = items.filter {
                            if case .producerRestarted = $0.event { true } else { false }
                        }
                        #expect(restarts.count == (life == 1 ? 0 : 1))
                    }
                }
            }
        }
    }

    @Test(
        "a consumer that is too slow is told what it lost, topic by topic, and recovers from the retained state"
    )
    func overflow() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["trade.", "ticker."]) { configuration in
                configuration.maximumWaitingMessages = 20
                configuration.batchLimit = 10
                configuration.asksForState = false
            }
            let witness = try bus.subscriber(["trade.", "ticker."])
            try await running([publisher, subscriber, witness]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                var witnessFollower = Follower(witness)
                try await witnessFollower.synchronized()
                let (trade, ticker) = (try publisher.topic(trades), try publisher.topic("ticker.kraken.X."))
                let last: UInt64 = 1_000
                for number in 1...last {
                    var batch = OutboundBatch()
                    batch.append(BusFixtures.trade("\(number)"), to: trade)
                    batch.append(BusFixtures.ticker(Int64(number)), to: ticker)
                    await publisher.publish(batch)
                }
                // The healthy one has everything; the slow one has not looked yet.
                let all = try await witnessFollower.until {
                    $0.topic == "ticker.kraken.X." && $0.message?.sequence == last
                }
                #expect(all.compactMap(\.gap).isEmpty)
                #expect(all.compactMap(\.message).count == 2 * Int(last))
                // Its thread has, though: else what ends the test might be among what there is no room for.
                try await eventually { subscriber.counters.received >= 2 * last }

                var items = try await follower.until { item in
                    if case .overflow(let messages) = item.event { messages > 0 } else { false }
                }
                var batch = OutboundBatch()
                batch.append(BusFixtures.trade("end"), to: trade)
                batch.append(BusFixtures.ticker(0), to: ticker)
                publisher.offer(&batch)
                items += try await follower.until {
                    $0.topic == "ticker.kraken.X." && $0.message?.sequence == last + 1
                }
                for topic in [trades, "ticker.kraken.X."] { try expectEveryLossTold(items, topic) }
                subscriber.requestState(["ticker."])
                let answer = try await follower.answered()
                #expect(answer.last?.answer?.messages == 1)
                #expect(subscriber.counters.duplicates == 0)
            }
        }
    }

    /// Each message is the next one, or a gap that begins where the last one ended was told before it.
    private func expectEveryLossTold(_ items: [Follower.Item], _ topic: String) throws {
        var next: UInt64 = 1
        var isTold = false
        for item in items where item.topic == topic {
            if let gap = item.gap {
                #expect(gap.expected == next && gap.cause == .overflow)
                isTold = true
            }
            guard let sequence = item.message?.sequence else { continue }
            #expect(sequence == next || isTold && sequence > next)
            next = sequence + 1
            isTold = false
        }
        #expect(next == 1_002)
    }
}
