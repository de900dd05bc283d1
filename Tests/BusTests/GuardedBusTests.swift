import Bus
import BusBroker
import Foundation
import Operations
import Support
import Testing
import Threads
import Wire

@Suite("A bus with keys", .timeLimit(.minutes(10)))
struct GuardedBusTests {
    private let trades = Topic.trade(BusFixtures.bitcoin)
    private let tickers = Topic.ticker(BusFixtures.bitcoin)
    private let feed = BusRights(publish: ["trade.", "heartbeat.feed."], subscribe: ["heartbeat."])
    private let reader = BusRights(publish: [], subscribe: ["trade.", "heartbeat."])

    /// The broker's figures from the first second in which `isLast` is true.
    private func figures(
        _ bus: GuardedBus, _ isLast: ([String: Int64]) -> Bool
    ) async throws -> [String: Int64] {
        let subscriber = try bus.client("operator").subscriber(["service.status.bus-broker."])
        var found: [String: Int64] = [:]
        try await running([subscriber]) {
            var follower = Follower(subscriber)
            while !isLast(found) {
                guard case .serviceStatus(let status) = try await follower.message().decoded else { continue }
                found = status.figures
            }
        }
        return found
    }

    private func offer(_ topics: [String], _ text: String, by publisher: Publisher) throws {
        var batch = OutboundBatch()
        for topic in topics { batch.append(BusFixtures.trade(text), to: try publisher.topic(topic)) }
        publisher.offer(&batch)
    }

    @Test("lets in whom it knows, and neither an unknown key nor somebody without")
    func strangers() async throws {
        try await GuardedBus.run([("operator", .unlimited)]) { bus in
            let known = try bus.keys(of: "operator")
            #expect(try await bus.outcome(of: known) == .accepted)
            let stranger = BusKeys(pair: try CurveKeyPair.make(), serverKey: known.serverKey)
            #expect(try await bus.outcome(of: stranger) == .refused)
            #expect(try await bus.outcome(of: nil) == .failed)
            // The broker's own attempts at its start, which came before, are not among them.
            #expect(try await figures(bus) { $0["keys_refused"] ?? 0 > 0 }["keys_refused"] == 1)
        }
    }

    @Test("passes on what its publisher may publish, and counts the rest")
    func publishing() async throws {
        try await GuardedBus.run([("feed", feed), ("operator", .unlimited)]) { bus in
            let publisher = try bus.client("feed").publisher("feed")
            let everything = try bus.client("operator").subscriber([""])
            try await running([publisher, everything]) {
                try await publisher.waitForBroker()
                var follower = Follower(everything)
                try await follower.synchronized()
                try offer([tickers, "control.x.", trades], "1", by: publisher)
                let items = try await follower.until { $0.topic == trades }
                let topics = items.filter { $0.message != nil }.compactMap(\.topic)
                #expect(!topics.contains(tickers) && !topics.contains("control.x."))
                let found = try await figures(bus) { $0["publications_refused"] == 2 }
                #expect(found["publications_refused"] == 2)
            }
        }
    }

    @Test("takes no subscription, and tells no state, outside of what its subscriber may hear")
    func hearing() async throws {
        try await GuardedBus.run([("operator", .unlimited), ("reader", reader)]) { bus in
            let publisher = try bus.client("operator").publisher("feed")
            let curious = try bus.client("reader")
            let subscriber = try curious.subscriber(["", "ticker.", "tra", "trade."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                try offer([tickers, trades], "1", by: publisher)
                let items = try await follower.until { $0.topic == trades }
                #expect(items.allSatisfy { $0.message == nil || $0.topic != tickers })
                // More than once each, when it has looked in vain and subscribed again.
                _ = try await figures(bus) { ($0["subscriptions_refused"] ?? 0) >= 3 }

                let state = try await StateClient(context: curious.context, addresses: bus.addresses)
                    .fetch(["ticker.", "", "trade."], timeout: .seconds(60))
                #expect(state.messages.isEmpty && Set(state.incomplete) == ["ticker.", ""])
                let all = try await StateClient(
                    context: bus.client("operator").context, addresses: bus.addresses
                ).fetch([""], timeout: .seconds(60))
                #expect(all.messages.contains { $0.topic == tickers })
            }
        }
    }

    @Test("loses nothing while a key rotates: both are let in, then the newest alone")
    func rotation() async throws {
        try await GuardedBus.run([("feed", feed), ("reader", reader)]) { bus in
            let publisher = try bus.client("feed").publisher("feed")
            let former = try bus.keys(of: "reader")
            let old = try bus.client("reader").subscriber(["trade."])
            try await running([publisher]) {
                try await publisher.waitForBroker()
                var heardByOld: [UInt64] = []
                var heardByNew: [UInt64] = []
                try bus.folder.rotate("reader")
                let new = try bus.client("reader").subscriber(["trade."])
                #expect(try bus.keys(of: "reader") != former)
                try await running([new]) {
                    var newFollower = Follower(new)
                    try await running([old]) {
                        var oldFollower = Follower(old)
                        try await oldFollower.synchronized()
                        try offer(Array(repeating: trades, count: 100), "first", by: publisher)
                        heardByOld += try await sequences(&oldFollower, upTo: 100)
                        try await newFollower.synchronized()
                        try offer(Array(repeating: trades, count: 100), "both", by: publisher)
                        heardByOld += try await sequences(&oldFollower, upTo: 200)
                        heardByNew += try await sequences(&newFollower, upTo: 200)
                    }
                    #expect(try bus.folder.retire("reader"))
                    #expect(try await bus.outcome(of: former) == .refused)
                    try offer(Array(repeating: trades, count: 100), "last", by: publisher)
                    heardByNew += try await sequences(&newFollower, upTo: 300)
                }
                #expect(heardByOld == Array(1...200))
                #expect(heardByNew.suffix(200) == Array(101...300))
            }
        }
    }

    private func sequences(_ follower: inout Follower, upTo last: UInt64) async throws -> [UInt64] {
        let topic = trades
        let items = try await follower.until { $0.topic == topic && $0.message?.sequence == last }
        #expect(items.allSatisfy { $0.gap == nil })
        return items.filter { $0.topic == topic }.compactMap(\.message?.sequence)
    }

    @Test("a publisher may come again with its new key, and the former one may end meanwhile")
    func publisherRotates() async throws {
        try await GuardedBus.run([("feed", feed), ("operator", .unlimited)]) { bus in
            let subscriber = try bus.client("operator").subscriber(["trade."])
            try await running([subscriber]) {
                var follower = Follower(subscriber)
                try await follower.synchronized()
                for life in 1...2 {
                    let publisher = try bus.client("feed").publisher("feed") { $0.epoch = UInt64(life) }
                    try await running([publisher]) {
                        try await publisher.waitForBroker()
                        if life == 1 { try bus.folder.rotate("feed") }
                        try offer(Array(repeating: trades, count: 50), "\(life)", by: publisher)
                        let heard = try await sequences(&follower, upTo: 50)
                        #expect(heard == Array(1...50))
                    }
                }
            }
        }
    }

    @Test("a client that is taken out hears nothing any more, and is not let in again")
    func takenOut() async throws {
        try await GuardedBus.run([("operator", .unlimited), ("reader", reader)]) { bus in
            let keys = try bus.keys(of: "reader")
            let address = bus.addresses.subscribe
            let file = bus.folder.allowedFolder + "/reader.pub"
            let outcomes = try await NamedThread.run(name: "taken-out") {
                () throws(BusError) -> [HandshakeWatch.Outcome] in
                let context = try BusContext(keys: keys)
                let socket = try BusSocket(.subscriber, context: context)
                let watch = try HandshakeWatch(of: socket, in: context)
                socket.subscribe("heartbeat.")
                try socket.connect(address)
                let first = GuardedBus.next(of: watch)
                // The first heartbeat says that the broker has the subscription.
                let frame = BusFrame()
                var poll = BusPoll(capacity: 1)
                poll.add(socket)
                while case .nothingWaiting = socket.receive(into: frame) { poll.wait(milliseconds: -1) }
                unlink(file)
                return [first, GuardedBus.next(of: watch)]
            }
            #expect(outcomes == [.accepted, .refused])
        }
    }

    @Test("a publisher that was refused comes as soon as the broker knows it")
    func knownLater() async throws {
        try await GuardedBus.run([("feed", feed)]) { bus in
            let file = bus.folder.allowedFolder + "/feed.pub"
            try FileManager.default.moveItem(atPath: file, toPath: file + ".aside")
            let publisher = try bus.client("feed").publisher("feed")
            try await running([publisher]) {
                #expect(try await bus.outcome(of: bus.keys(of: "feed")) == .refused)
                try FileManager.default.moveItem(atPath: file + ".aside", toPath: file)
                try await publisher.waitForBroker()
            }
        }
    }

    @Test("goes on with the clients it had while a file makes no sense")
    func brokenFile() async throws {
        try await GuardedBus.run([("operator", .unlimited), ("reader", reader)]) { bus in
            let reader = try bus.keys(of: "reader")
            try Data("nonsense".utf8).write(to: URL(filePath: bus.folder.allowedFolder + "/reader.pub"))
            #expect(try await bus.outcome(of: reader) == .accepted)
        }
    }

    @Test("started again is found by all who have keys")
    func restarted() async throws {
        let folder = try GuardedBus.keys([("feed", feed), ("reader", reader)])
        let addresses = try BusAddresses(base: "tcp://127.0.0.1:\(FreePorts.run(of: 3))")
        let bus = GuardedBus(folder: folder, addresses: addresses)
        let publisher = try bus.client("feed").publisher("feed")
        let subscriber = try bus.client("reader").subscriber(["trade."])
        try await running([publisher, subscriber]) {
            var follower = Follower(subscriber)
            var events = publisher.events.makeAsyncIterator()
            for life in 1...2 {
                let context = try BusContext()
                let broker = try BusBroker(
                    context: context, configuration: GuardedBus.configuration(folder, at: addresses),
                    instance: "test", logger: TestBus.logger)
                try await running([context, broker]) {
                    _ = try await broker.bound()
                    try await expect(.brokerAppeared, from: &events)
                    try await follower.synchronized()
                    try offer([trades], "\(life)", by: publisher)
                    let items = try await follower.until { BusFixtures.tradeID($0.decoded) == "\(life)" }
                    #expect(items.compactMap(\.gap).isEmpty)
                }
                try await expect(.brokerLost, from: &events)
            }
        }
    }

    @Test("is reached without keys inside its own process")
    func inside() async throws {
        let folder = try GuardedBus.keys([("reader", reader)])
        var configuration = try GuardedBus.configuration(folder)
        configuration.additionalAddresses = [.inproc("guarded")]
        try await TestBus.run(configuration) { outside in
            let bus = TestBus(context: outside.context, addresses: .inproc("guarded"))
            let remote = try GuardedBus(folder: folder, addresses: outside.addresses).client("reader")
            let publisher = try bus.publisher()
            let near = try bus.subscriber([""])
            let far = try remote.subscriber(["trade."])
            try await running([publisher, near, far]) {
                try await publisher.waitForBroker()
                for subscriber in [near, far] {
                    var follower = Follower(subscriber)
                    try await follower.synchronized()
                    try offer([trades], "x", by: publisher)
                    _ = try await follower.until { $0.topic == trades }
                }
            }
        }
    }

    @Test("may listen beyond loopback, and proves itself there before it says that it is ready")
    func beyondLoopback() async throws {
        let folder = try GuardedBus.keys([("operator", .unlimited)])
        let any = "tcp://0.0.0.0:*"
        let every = BusAddresses(publish: any, subscribe: any, state: any)
        try await TestBus.run(try GuardedBus.configuration(folder, at: every)) { bus in
            let ports = bus.addresses.all.map { $0.replacing("0.0.0.0", with: "127.0.0.1") }
            let near = BusAddresses(publish: ports[0], subscribe: ports[1], state: ports[2])
            let guarded = GuardedBus(folder: folder, addresses: near)
            let outcome = try await guarded.outcome(of: guarded.keys(of: "operator"))
            #expect(outcome == .accepted)
        }
    }

    @Test("is refused with an exit of the configuration: a client's file, an open one, none at all")
    func refusals() throws {
        let folder = try GuardedBus.keys([("operator", .unlimited)])
        func refusal(_ overrides: [String: String]) throws -> String {
            let settings = try Settings.load(
                service: "bus-broker", keys: BusBrokerConfiguration.keys, overrides: overrides)
            let error = #expect(throws: ConfigurationError.self) {
                try BusBrokerConfiguration(settings: settings)
            }
            return error.map { "\($0)" } ?? ""
        }
        let open = try refusal(["bus": "tcp://0.0.0.0:7411"])
        #expect(open.contains("tcp://0.0.0.0:7411") && open.contains("bitpal keys init"))
        let client = try refusal(["busKeyFile": folder.keyFile(of: "operator")])
        #expect(client.contains("bus-broker.key"))
        #expect(try refusal(["busKeyFile": "/nowhere"]).contains("/nowhere"))
        let settings = try Settings.load(
            service: "bus-broker", keys: BusBrokerConfiguration.keys,
            overrides: ["bus": "tcp://0.0.0.0:7411", "busKeyFile": folder.keyFile(of: "bus-broker")])
        #expect(try BusBrokerConfiguration(settings: settings).brokerKeys != nil)
    }
}
