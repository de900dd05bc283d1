import NIOCore
import NIOPosix
import Operations
import Testing
import Web

@testable import VenueSimulation

/// Faults over real sockets, seen by our own clients.
@Suite("Faults of a simulator that is served", .timeLimit(.minutes(5)))
struct FaultServingTests {
    private func configuration(_ faults: String...) -> VenueSimulatorConfiguration {
        var configuration = VenueSimulatorConfiguration(address: VenueSimulatorTests.anyPort)
        configuration.faults = faults.compactMap { Fault($0) }
        return configuration
    }

    private func connect(_ port: Int, _ inbox: Inbox) async throws -> WebSocketConnection {
        let connection = try await WebSocketConnection.connect(
            to: "ws://127.0.0.1:\(port)/bitmex/realtime",
            on: MultiThreadedEventLoopGroup.singleton.next(), receive: inbox.take)
        connection.resume()
        return connection
    }

    @Test("parts of a message come as one")
    func drip() async throws {
        try await VenueSimulatorTests().serving(configuration("slow-drip:1")) { _, address in
            let inbox = Inbox()
            let connection = try await connect(address.port, inbox)
            await inbox.wait { !$0.isEmpty }
            #expect(inbox.messages[0].contains("Welcome") && inbox.messages[0].hasSuffix("}"))
            connection.close(code: 1000, reason: "")
            _ = await connection.closed()
        }
    }

    @Test("a connection that is cut ends without a goodbye")
    func cut() async throws {
        try await VenueSimulatorTests().serving(configuration("disconnect:1")) { simulator, address in
            let connection = try await connect(address.port, Inbox())
            if case .closed = await connection.closed() { Issue.record("the venue said goodbye") }
            #expect(await simulator.faultCounts == [.disconnect: 1])
        }
    }

    @Test("requests and openings are refused, with the time to wait", arguments: [429, 503])
    func refusals(status: Int) async throws {
        try await VenueSimulatorTests().serving(configuration("\(status):1")) { _, address in
            let answer = try await HTTPClient().get(
                "http://127.0.0.1:\(address.port)/bitmex/api/v1/instrument/active")
            #expect(answer.status == status && (answer.retryAfter ?? .zero) >= .seconds(1))
            let error = await #expect(throws: WebError.self) {
                _ = try await connect(address.port, Inbox())
            }
            #expect("\(try #require(error))".contains("\(status)"))
        }
    }

    @Test("whoever asks of nothing wrong gets all")
    func none() async throws {
        try await VenueSimulatorTests().serving(configuration()) { simulator, address in
            let inbox = Inbox()
            let connection = try await connect(address.port, inbox)
            await inbox.wait { !$0.isEmpty }
            #expect(await simulator.faultCounts.isEmpty)
            connection.close(code: 1000, reason: "")
            _ = await connection.closed()
        }
    }
}
