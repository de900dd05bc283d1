import Logging
import NIOCore
import NIOPosix
import Operations
import Support
import Testing
import Web

@testable import VenueSimulation

/// What only shows on sockets: messages that are packed, and questions that are posted.
@Suite("Packed and posted", .enabled(if: RecordingsFolder.isAvailable), .timeLimit(.minutes(5)))
struct PackedVenueTests {
    /// Runs a simulator of a recording while `body` does.
    private func serving(
        _ name: String, _ body: @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let path = try #require(RecordingsFolder.file(name))
        let simulator = try VenueSimulator(
            configuration: VenueSimulatorConfiguration(
                address: NetworkAddress(host: "127.0.0.1", port: 0), recordings: [path], speed: .maximum),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await simulator.run() }
            try await body(try await simulator.bound().port)
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
    }

    @Test("HTX' messages are packed, and our client unpacks them")
    func gzip() async throws {
        try await serving("huobi_20210417") { port in
            let inbox = Inbox()
            var configuration = WebSocketConfiguration()
            configuration.makeTransform = MessagePacking.gzip.makeTransform
            let socket = try await WebSocketConnection.connect(
                to: "ws://127.0.0.1:\(port)/huobi/ws", on: MultiThreadedEventLoopGroup.singleton.next(),
                configuration: configuration, receive: inbox.take)
            socket.resume()
            socket.send(text: #"{"sub":"market.trioeth.depth.step0","id":"1"}"#)
            await inbox.wait { $0.filter { $0.contains(#""ch":"market.trioeth.depth.step0""#) }.count > 3 }
            #expect(inbox.messages[0].contains(#""subbed":"market.trioeth.depth.step0""#))
            socket.close(code: 1000, reason: "")
            _ = await socket.closed()
        }
    }

    @Test("KuCoin's token is posted for; other venues take no post")
    func post() async throws {
        try await serving("kucoin_20210425") { port in
            let base = "http://127.0.0.1:\(port)/kucoin"
            let client = HTTPClient()
            let answer = try await client.send("POST", "\(base)/api/v1/bullet-public", body: [])
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""token":"simulated""#))
            #expect(try await client.send("PUT", "\(base)/api/v1/bullet-public", body: []).status == 405)
        }
        try await serving("poloniex_20220821") { port in
            let answer = try await HTTPClient().send(
                "POST", "http://127.0.0.1:\(port)/poloniex/markets", body: Array("{}".utf8))
            #expect(answer.status == 405)
        }
    }
}
