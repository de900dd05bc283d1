import Bus
import BusBroker
import Support
import Testing
import Wire

@Suite("A key speaks for itself alone", .timeLimit(.minutes(10)))
struct ForeignNameTests {
    private let trades = Topic.trade(BusFixtures.bitcoin)
    private let feed = BusRights(publish: ["trade.", "heartbeat.feed"], subscribe: [])
    private let backup = BusRights(publish: ["heartbeat.backup", "service.status.backup."], subscribe: [])

    private func beat(_ topics: [String: UInt64], by producer: String, epoch: UInt64 = 1) -> [[UInt8]] {
        var heartbeat = Bitpal_V1_Heartbeat()
        heartbeat.topics = topics.keys.sorted()
        heartbeat.sequences = heartbeat.topics.map { topics[$0] ?? 0 }
        return [
            Array("heartbeat.backup.".utf8),
            BusFixtures.envelope(.heartbeat(heartbeat), producer: producer, epoch: epoch, sequence: 1),
        ]
    }

    private func offer(_ text: String, by publisher: Publisher) throws {
        var batch = OutboundBatch()
        batch.append(BusFixtures.trade(text), to: try publisher.topic(trades))
        publisher.offer(&batch)
    }

    @Test("nobody loses a message because another's key says that a million were lost")
    func anothersName() async throws {
        try await GuardedBus.run([("feed", feed), ("backup", backup), ("operator", .unlimited)]) { bus in
            let publisher = try bus.client("feed").publisher("feed-1")
            let subscriber = try bus.client("operator").subscriber(["trade.", "service.status.bus-broker."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                try offer("1", by: publisher)
                var items = try await follower.until { $0.topic == trades }
                let attack = [
                    beat([trades: 1_000_001], by: "feed-1", epoch: publisher.epoch),
                    beat([trades: 1_000_001], by: "feed-1", epoch: .max - 1),
                ]
                try await RawPeer.publish(attack, on: try bus.client("backup")) {
                    items += try await follower.until { item in
                        guard case .serviceStatus(let status)? = item.decoded else { return false }
                        return status.figures["names_refused"] == 2
                    }
                }
                try offer("2", by: publisher)
                items += try await follower.until { BusFixtures.tradeID($0.decoded) == "2" }
                #expect(items.compactMap(\.gap).isEmpty)
            }
        }
    }

    @Test("what a heartbeat names that its key may not publish is struck out, and the rest is heard")
    func anothersTopics() async throws {
        try await GuardedBus.run([("backup", backup), ("operator", .unlimited)]) { bus in
            let own = "service.status.backup.x."
            let subscriber = try bus.client("operator").subscriber(["heartbeat."])
            try await running([subscriber]) {
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let message = beat([trades: 7, own: 3], by: "backup")
                try await RawPeer.publish([message], on: try bus.client("backup")) {
                    let items = try await follower.until { $0.topic == "heartbeat.backup." }
                    guard case .heartbeat(let heartbeat)? = items.last?.decoded else {
                        throw TestFailure("the heartbeat did not come")
                    }
                    #expect(heartbeat.topics == [own] && heartbeat.sequences == [3])
                }
            }
        }
    }

    @Test("a key may speak as whoever's heartbeats it may publish")
    func names() {
        #expect(feed.maySpeak(as: "feed") && feed.maySpeak(as: "feed-2"))
        #expect(!feed.maySpeak(as: "backup") && !backup.maySpeak(as: "feed"))
        #expect(!BusRights(publish: ["trade."], subscribe: []).maySpeak(as: "feed"))
        for (name, rights) in BusRights.ofServices where name != "operator" {
            #expect(rights.maySpeak(as: name) && rights.maySpeak(as: "\(name)-0a1b"))
            for (other, _) in BusRights.ofServices where other != name {
                #expect(!rights.maySpeak(as: other), "\(name) as \(other)")
            }
        }
    }
}
