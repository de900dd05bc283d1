import Bus
import BusBroker
import MarketData
import Operations
import Support
import SwiftProtobuf
import Synchronization
import Testing
import Threads
import Wire

@Suite("Broker", .timeLimit(.minutes(10)))
struct BrokerTests {
    private let trades = Topic.trade(BusFixtures.bitcoin)

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// The broker's figures as it publishes them, from the first second in which `isLast` is true.
    private func figures(on bus: TestBus, _ isLast: ([String: Int64]) -> Bool) async throws -> [String: Int64]
    {
        let subscriber = try bus.subscriber(["service.status.bus-broker."])
        var found: [String: Int64] = [:]
        try await running([subscriber]) {
            var follower = Follower(subscriber)
            while true {
                guard case .serviceStatus(let status) = try await follower.message().decoded else { continue }
                found = status.figures
                if isLast(found) { return }
            }
        }
        return found
    }

    @Test("counts what makes no sense and goes on, for everybody else as if nothing were")
    func malformed() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber([""])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let good = BusFixtures.envelope(BusFixtures.trade("x"), sequence: 1)
                var generator = SeededGenerator(seed: 1)
                let noise: [[[UInt8]]] = (0..<200).map { _ in
                    [generator.bytes(0...30), generator.bytes(0...60)]
                }
                let wrong: [[[UInt8]]] = [
                    [bytes("alone.")], [bytes("three."), good, good], [bytes("three."), good, good, good],
                    [bytes("no-dot"), good], [[], good], [bytes("~sync.1.1."), good], [[0xFF, 0x2E], good],
                    [bytes("trade.x."), []], [bytes("trade.x."), [0xFF, 0xFF, 0xFF]],
                ]
                try await RawPeer.publish(wrong + noise, on: bus) {
                    let figures = try await figures(on: bus) { $0["messages_malformed"] == 209 }
                    #expect(figures["messages_malformed"] == 209)
                }
                var batch = OutboundBatch()
                batch.append(BusFixtures.trade("after"), to: try publisher.topic(trades))
                publisher.offer(&batch)
                let items = try await follower.until { $0.topic == trades }
                #expect(BusFixtures.tradeID(items.last?.decoded) == "after")
                #expect(items.allSatisfy { $0.gap == nil })
                #expect(subscriber.counters.malformed == 0)
            }
        }
    }

    @Test("counts malformed questions about state and answers the good ones between them")
    func malformedQuestions() async throws {
        try await TestBus.run { bus in
            var generator = SeededGenerator(seed: 2)
            let wrong: [[[UInt8]]] =
                [[[]], [[0xFF]], [[], [], []], [bytes("a"), bytes("b")]]
                + (0..<50).map { _ in [[0x0F] + generator.bytes(0...30)] }
            let good = StateRequest(id: 9, prefixes: ["service.", "no-dot"]).frame
            let answers = try await RawPeer.ask(wrong + [[good]], on: bus) { answer in
                (try? Bitpal_V1_StateReply(serializedBytes: answer[0]).isLast) == true
            }
            let reply = try Bitpal_V1_StateReply(serializedBytes: try #require(answers.last?.first))
            #expect(answers.count == 1 && reply.requestID == 9)
            #expect(reply.incomplete == ["no-dot"])
            let figures = try await figures(on: bus) { ($0["state_requests_malformed"] ?? 0) >= 55 }
            #expect(figures["state_requests_malformed"] == 55)
        }
    }

    @Test("answers REQ sockets too, which put an empty frame before what they ask")
    func requestSocket() async throws {
        try await TestBus.run { bus in
            let answers = try await RawPeer.ask([[[], StateRequest(id: 4, prefixes: [""]).frame]], on: bus) {
                _ in true
            }
            #expect(answers.first?.first == [])
            let reply = try Bitpal_V1_StateReply(serializedBytes: try #require(answers.first?.last))
            #expect(reply.requestID == 4)
        }
    }

    @Test(
        "killed and started again is found by everybody: publishers are asked to publish again, subscribers ask again"
    )
    func restarted() async throws {
        let addresses = try await freeAddresses()
        let bus = TestBus(context: try BusContext(), addresses: addresses)
        let publisher = try bus.publisher()
        let subscriber = try bus.subscriber(["book.", "ticker."])
        try await running([publisher, subscriber]) {
            var follower = Follower(subscriber)
            var events = publisher.events.makeAsyncIterator()
            let ticker = try publisher.topic("ticker.kraken.X.")
            for life in 1...3 {
                try await runBroker(at: addresses) {
                    try await expect(.brokerAppeared, from: &events)
                    try await follower.synchronized()
                    var batch = OutboundBatch()
                    batch.append(BusFixtures.ticker(Int64(life)), to: ticker)
                    publisher.offer(&batch)
                    let items = try await follower.until { BusFixtures.bid($0.decoded) == Int64(life) }
                    #expect(items.last?.message?.epoch == publisher.epoch)
                    let client = StateClient(context: bus.context, addresses: addresses)
                    let state = try await client.fetch(["ticker."], timeout: .seconds(60))
                    #expect(state.messages.map(\.topic) == ["ticker.kraken.X."])
                }
                try await expect(.brokerLost, from: &events)
            }
        }
        #expect(publisher.counters.brokerAppearances == 3)
    }

    @Test("that cannot have its port says which, in one line, as a configuration error")
    func portInUse() async throws {
        try await TestBus.run { bus in
            let second = try broker(bus.context, bus.addresses)
            let error = await #expect(throws: ConfigurationError.self) { try await second.run() }
            #expect(error == .portInUse(bus.addresses.publish, setting: "BITPAL_BUS"))
            await #expect(throws: BusError.addressInUse(bus.addresses.publish)) { try await second.bound() }
        }
    }

    @Test(
        "does not bind an address that other machines reach",
        arguments: [
            "tcp://0.0.0.0:7411", "tcp://*:7411", "tcp://192.168.1.2:7411", "tcp://eth0:7411",
            "tcp://127.1:7411",
        ])
    func insecure(base: String) throws {
        let settings = try Settings.load(
            service: "bus-broker", keys: BusBrokerConfiguration.keys, overrides: ["bus": base])
        let error = #expect(throws: ConfigurationError.self) {
            try BusBrokerConfiguration(settings: settings)
        }
        #expect(error.map { "\($0)".contains(base) } == true)
    }

    @Test("reads its keys from the configuration")
    func keys() throws {
        let settings = try Settings.load(
            service: "bus-broker", keys: BusBrokerConfiguration.keys,
            overrides: [
                "bus": "tcp://127.0.0.1:9000", "queue.subscriber": "5000", "retained.bookDeltas": "7",
            ])
        let configuration = try BusBrokerConfiguration(settings: settings)
        #expect(configuration.addresses.state == "tcp://127.0.0.1:9002")
        #expect(configuration.sendHighWaterMark == 5_000)
        #expect(configuration.limits.bookDeltas == 7)
    }

    private func broker(_ context: BusContext, _ addresses: BusAddresses) throws -> BusBroker {
        try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: addresses), instance: "test",
            logger: TestBus.logger)
    }

    /// Runs a broker with a context of its own, as another process would, so that its ports are free again at
    /// the end.
    private func runBroker(at addresses: BusAddresses, _ body: () async throws -> Void) async throws {
        let context = try BusContext()
        let broker = try broker(context, addresses)
        try await running([context, broker]) {
            _ = try await broker.bound()
            try await body()
        }
    }

    /// Three ports in a row that are free and that the system gives to nobody who connects: somebody who
    /// tries to connect to a port again and again may otherwise meet himself there.
    private func freeAddresses() async throws -> BusAddresses {
        while true {
            let addresses = try BusAddresses(base: "127.0.0.1:\(Int.random(in: 15_000...30_000))")
            do {
                try await runBroker(at: addresses) {}
                return addresses
            } catch is ConfigurationError {}
        }
    }
}

@Suite("Addresses of the bus")
struct BusAddressesTests {
    @Test("follow from a base address")
    func base() throws {
        #expect(try BusAddresses(base: "tcp://127.0.0.1:7411") == .loopback)
        #expect(try BusAddresses(base: "127.0.0.1:7411") == .loopback)
        #expect(try BusAddresses(base: "tcp://[::1]:7000").state == "tcp://[::1]:7002")
        #expect(try BusAddresses(base: "*:7000").publish == "tcp://*:7000")
        #expect(try BusAddresses(base: "bus-broker_1.example:1").publish == "tcp://bus-broker_1.example:1")
        #expect(try BusAddresses(base: "inproc://x").subscribe == "inproc://x.subscribe")
        #expect(try BusAddresses(base: "ipc:///run/bitpal/bus").publish == "ipc:///run/bitpal/bus.publish")
    }

    @Test(
        "that make no sense are refused",
        arguments: [
            "", "tcp://", "tcp://host", "tcp://host:0", "tcp://host:65534", "udp://host:1", "inproc://",
            "host:x", ":7411", "[", "]", "[]:1", "[[]]:80", "::1", "::1:80", "[::1]:99999", "[::1]", "[:80",
            "]:80", "a]:80", "[a]:80", "tcp://[]:80", "tcp://a;b:80", "a b:80", "h\u{0}:80", "[::1\u{0}]:80",
            "é:80", String(repeating: "a", count: 256) + ":80", String(repeating: "[", count: 300) + "]:80",
        ])
    func refused(text: String) {
        #expect(throws: BusError.self) { try BusAddresses(base: text) }
    }
}
