import Bus
import BusBroker
import Instruments
import MarketData
import Support
import Testing
import Wire

/// A book as a consumer of the bus follows it.
private struct FollowedBook {
    var replica = BookReplica()
    var needsSnapshot = 0

    mutating func apply(_ item: Follower.Item) {
        guard let message = item.message, let event = item.decoded else { return }
        let position = item.batch.position(of: message)
        let outcome: ReplicaOutcome
        switch event {
        case .bookDelta(_, let delta): outcome = replica.apply(delta, at: position)
        case .bookStateChange(_, let change): outcome = replica.apply(change, at: position)
        case .bookSnapshot(_, let snapshot): outcome = replica.apply(snapshot)
        default: return
        }
        if outcome == .needsSnapshot { needsSnapshot += 1 }
    }

    var bids: [Int64: Int64] {
        Dictionary(
            uniqueKeysWithValues: replica.book.bids.top(.max).map { ($0.price.rawValue, $0.size.rawValue) })
    }
}

@Suite("Late joiner", .timeLimit(.minutes(10)))
struct LateJoinerTests {
    private let deltas = Topic.bookDelta(BusFixtures.bitcoin)
    private let snapshots = Topic.bookSnapshot(BusFixtures.bitcoin)

    @Test("has the book from the retained snapshot and deltas, and goes on with the live ones")
    func joins() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let early = try bus.subscriber(["book."])
            let late = try bus.subscriber([deltas, snapshots])
            try await running([publisher, early]) {
                try await publisher.waitForBroker()
                let (deltaTopic, snapshotTopic) = (
                    try publisher.topic(deltas), try publisher.topic(snapshots)
                )
                var earlyFollower = Follower(early)
                try await earlyFollower.synchronized()
                var batch = OutboundBatch()
                batch.append(BusFixtures.delta(1, 10), to: deltaTopic)
                batch.append(
                    BusFixtures.snapshot([(1, 10)], continues: deltaTopic.lastPosition), to: snapshotTopic)
                for price in 2...50 { batch.append(BusFixtures.delta(Int64(price), 1), to: deltaTopic) }
                publisher.offer(&batch)
                // What reached one subscriber has passed the broker.
                _ = try await earlyFollower.until { $0.message?.sequence == 50 }

                try await running([late]) {
                    var follower = Follower(late)
                    var book = FollowedBook()
                    let answer = try await follower.answered()
                    for item in answer { book.apply(item) }
                    #expect(answer.compactMap(\.message).allSatisfy { $0.isRetained })
                    #expect(answer.last?.answer?.incomplete == [])
                    #expect(book.replica.state == .live && book.bids.count == 50)
                    batch.append(BusFixtures.delta(50, 0), to: deltaTopic)
                    publisher.offer(&batch)
                    book.apply(try await follower.message())
                    #expect(book.replica.state == .live && book.bids.count == 49)
                    #expect(book.needsSnapshot == 0)
                }
            }
        }
    }

    @Test("during a burst is right once it has the snapshot, and never wrong and live before")
    func joinsInABurst() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber([deltas, snapshots])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                let (deltaTopic, snapshotTopic) = (
                    try publisher.topic(deltas), try publisher.topic(snapshots)
                )
                var book = FollowedBook()
                var follower = Follower(subscriber)
                let last: Int64 = 5_000
                async let published: Void = {
                    // Every delta sets the one level to its own number: any book is one number.
                    for number in 1...last {
                        var batch = OutboundBatch()
                        batch.append(BusFixtures.delta(1, number), to: deltaTopic)
                        if number % 500 == 1 {
                            batch.append(
                                BusFixtures.snapshot([(1, number)], continues: deltaTopic.lastPosition),
                                to: snapshotTopic)
                        }
                        await publisher.publish(batch)
                        if number % 10 == 0 { await Task.yield() }
                    }
                }()
                while book.bids[1] != last {
                    let item = try await follower.next()
                    book.apply(item)
                    if item.gap != nil || book.needsSnapshot > 0 {
                        book.needsSnapshot = 0
                        subscriber.requestState([snapshots, deltas])
                    }
                    if book.replica.state == .live {
                        #expect(book.bids[1] == book.replica.position.map { Int64($0.sequence) })
                    }
                }
                await published
                #expect(book.replica.state == .live)
            }
        }
    }

    @Test("gets the last value of a state topic once, and none that is older than a live one")
    func lastValue() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["ticker."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                let topic = try publisher.topic(Topic.ticker(BusFixtures.bitcoin))
                var follower = Follower(subscriber)
                _ = try await follower.answered()
                var batch = OutboundBatch()
                for bid in 1...3 { batch.append(BusFixtures.ticker(Int64(bid)), to: topic) }
                publisher.offer(&batch)
                _ = try await follower.until { $0.message?.sequence == 3 }
                // Who asks again begins only now, or has lost it: it is told once more.
                subscriber.requestState(["ticker."])
                let again = try await follower.answered()
                #expect(again.compactMap(\.message).map(\.sequence) == [3])
                #expect(again.last?.answer?.messages == 1)

                let late = try bus.subscriber(["ticker."])
                try await running([late]) {
                    var follower = Follower(late)
                    let items = try await follower.answered()
                    #expect(items.compactMap(\.message).map(\.sequence) == [3])
                    #expect(items.compactMap { BusFixtures.bid($0.decoded) } == [3])
                }
                let state = try await StateClient(context: bus.context, addresses: bus.addresses)
                    .fetch([""], timeout: .seconds(60))
                #expect(state.messages.contains { $0.topic == Topic.ticker(BusFixtures.bitcoin) })
            }
        }
    }

    @Test(
        "gets an answer of many frames whole, also with less room than the answer takes",
        arguments: [16_384, 1_000])
    func manyFrames(room: Int) async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let witness = try bus.subscriber(["ticker."]) { $0.maximumWaitingMessages = 300_000 }
            let late = try bus.subscriber(["ticker."]) { $0.maximumWaitingMessages = room }
            let count = 9_000
            try await running([publisher, witness]) {
                try await publisher.waitForBroker()
                var witnessFollower = Follower(witness)
                try await witnessFollower.synchronized()
                var batch = OutboundBatch()
                for number in 0..<count {
                    let instrument = BusFixtures.instrument(number)
                    batch.append(
                        BusFixtures.ticker(Int64(number), instrument),
                        to: try publisher.topic(Topic.ticker(instrument)))
                }
                publisher.offer(&batch)
                for _ in 0..<count { _ = try await witnessFollower.message() }

                try await running([late]) {
                    var follower = Follower(late)
                    let items = try await follower.answered()
                    #expect(Set(items.compactMap { BusFixtures.bid($0.decoded) }).count == count)
                    #expect(items.last?.answer?.messages == count)
                }
                #expect(late.counters.dropped == 0)
            }
        }
    }

    @Test(
        "of a book past its bound is told so; the publisher is asked, and its snapshot makes the book whole")
    func pastTheBound() async throws {
        var configuration = BusBrokerConfiguration(addresses: .anyLoopbackPort)
        configuration.limits.bookDeltas = 10
        try await TestBus.run(configuration) { bus in
            let publisher = try bus.publisher()
            let watcher = try bus.subscriber(["book."])
            try await running([publisher, watcher]) {
                var events = publisher.events.makeAsyncIterator()
                try await expect(.brokerAppeared, from: &events)
                let (deltaTopic, snapshotTopic) = (
                    try publisher.topic(deltas), try publisher.topic(snapshots)
                )
                var follower = Follower(watcher)
                try await follower.synchronized()
                var batch = OutboundBatch()
                for number in 1...20 { batch.append(BusFixtures.delta(1, Int64(number)), to: deltaTopic) }
                publisher.offer(&batch)
                _ = try await follower.until { $0.message?.sequence == 20 }
                let client = StateClient(context: bus.context, addresses: bus.addresses)
                #expect(try await client.fetch(["book."], timeout: .seconds(60)).incomplete == [deltas])
                try await expect(.snapshotWanted(topic: snapshots), from: &events)

                batch.append(
                    BusFixtures.snapshot([(1, 20)], continues: deltaTopic.lastPosition), to: snapshotTopic)
                publisher.offer(&batch)
                _ = try await follower.until { $0.topic == snapshots }
                let state = try await client.fetch(["book."], timeout: .seconds(60))
                #expect(state.messages.map(\.topic) == [snapshots] && state.incomplete.isEmpty)
            }
        }
    }
}
