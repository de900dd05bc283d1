import Instruments
import Logging
import NIOCore
import NIOPosix
import Operations
import Recordings
import ServiceLifecycle
import Support
import Synchronization
import Testing
import Venues
import Web

@testable import VenueSimulation

/// The simulator over real sockets, with our own clients.
@Suite("Venue simulator", .timeLimit(.minutes(10)))
struct VenueSimulatorTests {
    static let anyPort = NetworkAddress(host: "127.0.0.1", port: 0)

    /// Runs a simulator while `body` does, then stops it as a service group would.
    func serving(
        _ configuration: VenueSimulatorConfiguration,
        _ body: @Sendable (VenueSimulator, (host: String, port: Int)) async throws -> Void
    ) async throws {
        let simulator = try VenueSimulator(
            configuration: configuration, eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(
            services: [simulator], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let address = try await simulator.bound()
            try await body(simulator, address)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test("serves the synthetic market to BitMEX's and Kraken's clients, and says goodbye")
    func synthetic() async throws {
        try await serving(VenueSimulatorConfiguration(address: Self.anyPort, speed: .times(10))) {
            simulator, address in
            let bitmex = Inbox()
            let first = try await WebSocketConnection.connect(
                to: "ws://127.0.0.1:\(address.port)/bitmex/realtime",
                on: MultiThreadedEventLoopGroup.singleton.next(), receive: bitmex.take)
            first.resume()
            first.send(
                text: #"{"op":"subscribe","args":["orderBookL2:XBTUSD","trade:XBTUSD","quote:XBTUSD"]}"#)
            await bitmex.wait { $0.contains { $0.contains(#""table":"quote","action":"insert""#) } }
            let messages = bitmex.messages
            #expect(messages[0].contains("Welcome"))
            #expect(messages[1].contains(#""success":true,"subscribe":"orderBookL2:XBTUSD""#))
            #expect(messages.contains { $0.contains(#""action":"partial""#) && $0.contains("orderBookL2") })

            let kraken = Inbox()
            let second = try await WebSocketConnection.connect(
                to: "ws://127.0.0.1:\(address.port)/kraken/v2",
                on: MultiThreadedEventLoopGroup.singleton.next(), receive: kraken.take)
            second.resume()
            second.send(
                text: #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":10}}"#)
            await kraken.wait {
                $0.filter { $0.contains(#""type":"update""#) && $0.contains("checksum") }.count > 5
            }

            let configurations = try await simulator.venueConfigurations()
            #expect(configurations.map(\.venue) == VenueSurvey.syntheticVenues)
            #expect(configurations[1].webSocketURL == "ws://127.0.0.1:\(address.port)/kraken")
            #expect(configurations[1].subscriptions.prefix(2).map(\.symbol) == ["BTC/USD", "ETH/USD"])
            #expect(configurations[1].subscriptions[0].channels == [.book, .trade, .ticker])

            first.send(text: "ping")
            await bitmex.wait { $0.contains("pong") }
            try await expectGoodbye(first)
            second.close(code: 1000, reason: "")
            _ = await second.closed()
        }
    }

    private func expectGoodbye(_ connection: WebSocketConnection) async throws {
        connection.close(code: 1000, reason: "")
        guard case .closed(let code, _, _) = await connection.closed() else {
            Issue.record("the close handshake failed")
            return
        }
        #expect(code == 1000)
    }

    @Test("says goodbye to its clients when it stops")
    func goodbye() async throws {
        let kept = Mutex<WebSocketConnection?>(nil)
        try await serving(VenueSimulatorConfiguration(address: Self.anyPort)) { _, address in
            let inbox = Inbox()
            let connection = try await WebSocketConnection.connect(
                to: "ws://127.0.0.1:\(address.port)/bitmex/realtime",
                on: MultiThreadedEventLoopGroup.singleton.next(), receive: inbox.take)
            connection.resume()
            await inbox.wait { !$0.isEmpty }
            kept.withLock { $0 = connection }
        }
        let connection = try #require(kept.withLock { $0 })
        guard case .closed(let code, _, let byPeer) = await connection.closed() else {
            Issue.record("the connection was cut without a word")
            return
        }
        #expect(code == 1001 && byPeer)
    }

    @Test("answers REST requests, and refuses what there is not")
    func rest() async throws {
        try await serving(VenueSimulatorConfiguration(address: Self.anyPort)) { _, address in
            let client = HTTPClient()
            let base = "http://127.0.0.1:\(address.port)"
            let list = try await client.get("\(base)/bitmex/api/v1/instrument/active")
            #expect(list.status == 200)
            #expect(String(decoding: list.body, as: UTF8.self).contains("XBTUSD"))
            let pairs = try await client.get("\(base)/kraken/0/public/AssetPairs")
            #expect(String(decoding: pairs.body, as: UTF8.self).contains(#""wsname":"XBT/USD""#))
            #expect(try await client.get("\(base)/mtgox/ticker").status == 404)
            #expect(try await client.get("\(base)/bitmex/api/v1/nothing").status == 404)
            #expect(try await client.get("\(base)/").status == 404)
            let refused = await #expect(throws: WebError.self) {
                _ = try await WebSocketConnection.connect(
                    to: "ws://127.0.0.1:\(address.port)/bitmex/elsewhere",
                    on: MultiThreadedEventLoopGroup.singleton.next()
                ) { _ in .more }
            }
            #expect("\(try #require(refused))".contains("404"))
        }
    }

    @Test(
        "a Binance image is answered when the playback has come to it",
        .enabled(if: RecordingsFolder.isAvailable))
    func waiting() async throws {
        let path = try #require(RecordingsFolder.file("binance_20211012"))
        let configuration = VenueSimulatorConfiguration(
            address: Self.anyPort, recordings: [path], speed: .times(20))
        try await serving(configuration) { _, address in
            let inbox = Inbox()
            let socket = try await WebSocketConnection.connect(
                to: "ws://127.0.0.1:\(address.port)/binance/stream?streams=nknusdt@depth@100ms",
                on: MultiThreadedEventLoopGroup.singleton.next(), receive: inbox.take)
            socket.resume()
            let answer = try await HTTPClient().get(
                "http://127.0.0.1:\(address.port)/binance/api/v3/depth?symbol=NKNUSDT&limit=1000")
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix(#"{"lastUpdateId":499869752,"#))
            await inbox.wait { $0.count > 3 }
            socket.close(code: 1000, reason: "")
            _ = await socket.closed()
        }
    }

    @Test(
        "at maximum speed a reader gets everything, however slowly it reads",
        .enabled(if: RecordingsFolder.isAvailable))
    func maximum() async throws {
        let path = try #require(RecordingsFolder.file("kraken_v2_btcusd_20260802"))
        let configuration = VenueSimulatorConfiguration(
            address: Self.anyPort, recordings: [path], speed: .maximum)
        try await serving(configuration) { _, address in
            let inbox = Inbox()
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let socket = try await WebSocketConnection.connect(
                to: "ws://127.0.0.1:\(address.port)/kraken/v2", on: loop
            ) { batch in
                _ = inbox.take(batch)
                return .pause
            }
            // Reads on only in the loop's next turn: each burst waits for the one before.
            inbox.whenTaken { loop.execute { socket.resume() } }
            socket.resume()
            socket.send(
                text: #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":25}}"#)
            await inbox.wait {
                $0.filter { $0.contains(#""type":"update","data":[{"symbol""#) }.count == 2_051
            }
            socket.close(code: 1000, reason: "")
            _ = await socket.closed()
        }
    }

    @Test("a port that is taken is a matter of configuration")
    func portInUse() async throws {
        try await serving(VenueSimulatorConfiguration(address: Self.anyPort)) { _, address in
            let taken = NetworkAddress(host: "127.0.0.1", port: address.port)
            let second = try VenueSimulator(
                configuration: VenueSimulatorConfiguration(address: taken),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let expected = ConfigurationError.portInUse("\(taken)", setting: "BITPAL_VENUE_SIMULATOR_ADDRESS")
            await #expect(throws: expected) { try await second.run() }
            await #expect(throws: expected) { _ = try await second.bound() }
        }
    }

    @Test(
        "refuses recordings that it cannot serve before it listens",
        .enabled(if: RecordingsFolder.isAvailable))
    func refusals() throws {
        let path = try #require(RecordingsFolder.file("bitmex_20210722"))
        let other = RecordingsFolder.names { DialectCatalogue.dialect(of: $0.venue) == nil }.first
        var cases: [([String], String)] = [
            ([path, path], "are both of bitmex"), (["/nowhere.jsonl.gz"], "/nowhere.jsonl.gz: no such file"),
        ]
        if let other = other.flatMap({ RecordingsFolder.file($0) }) {
            cases.append(([other], "nothing here speaks as"))
        }
        for (paths, words) in cases {
            let error = #expect(throws: (any Error).self) {
                try VenueSimulator(
                    configuration: VenueSimulatorConfiguration(address: Self.anyPort, recordings: paths),
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            }
            #expect("\(try #require(error))".contains(words))
        }
    }
}

/// What a connection received; waits for a condition on it.
final class Inbox: Sendable {
    private struct State {
        var messages: [String] = []
        var waiters:
            [(condition: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        var afterwards: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var messages: [String] { state.withLock { $0.messages } }

    /// Runs something on the loop after each burst.
    func whenTaken(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.afterwards = body } }

    func take(_ batch: WebSocketBatch) -> WebSocketDemand {
        var new: [String] = []
        for index in 0..<batch.count {
            batch.withMessage(index) { new.append(String(decoding: $0, as: UTF8.self)) }
        }
        let (ready, afterwards) = state.withLock { state in
            state.messages.append(contentsOf: new)
            let ready = state.waiters.filter { $0.condition(state.messages) }.map(\.continuation)
            let messages = state.messages
            state.waiters.removeAll { $0.condition(messages) }
            return (ready, state.afterwards)
        }
        for continuation in ready { continuation.resume() }
        afterwards?()
        return .more
    }

    /// Returns when the condition holds of all messages so far.
    func wait(_ condition: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if condition(state.messages) { return true }
                state.waiters.append((condition, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
