import JSON
import Support
import Testing

@testable import GatewayStream

/// Seconds that pass when a test says so.
struct ManualPause: Sendable {
    private let seconds: AsyncStream<Void>
    private let second: AsyncStream<Void>.Continuation

    init() { (seconds, second) = AsyncStream.makeStream() }

    func pass(_ count: Int) { for _ in 0..<count { second.yield() } }

    /// Waits for the next second, however long a time was asked for.
    func pause(_ duration: Duration) async throws {
        for await _ in seconds { return }
        throw CancellationError()
    }
}

@Suite("Signs of life on the stream", .timeLimit(.minutes(10)))
struct HeartbeatTests {
    private static func run(
        sources: StreamSources = StreamSources(), isPublic: Bool = true,
        _ body: @Sendable (StreamFixture, ManualPause) async throws -> Void
    ) async throws {
        let seconds = ManualPause()
        try await StreamFixture.run(
            sources: sources, isPublic: isPublic, pause: { try await seconds.pause($0) }
        ) { fixture in try await body(fixture, seconds) }
    }

    /// Connects, and is known to the stream from there on.
    private static func connect(
        _ fixture: StreamFixture, _ headers: [(String, String)] = [],
        _ body: (StreamClient) async throws -> Void
    ) async throws {
        try await fixture.connect(headers) { client in
            try await expectAnswer(client)
            try await body(client)
        }
    }

    private static func expectAnswer(_ client: StreamClient) async throws {
        try await client.send(#"{"op":"ping"}"#)
        #expect(try await client.message()["type"] == .string("pong"))
    }

    /// Waits for a ping and the heartbeat that goes with it.
    private static func expectBeat(_ client: StreamClient) async throws {
        #expect(try await client.next() == .ping)
        guard case .text(.object(let beat)) = try await client.next() else {
            throw PropertyFailure("a heartbeat is a text")
        }
        #expect(beat["type"] == .string("heartbeat") && beat["time"] != nil)
    }

    @Test("come every 15 seconds, and who answers none of three is closed 15 seconds after the third")
    func silence() async throws {
        try await Self.run { fixture, seconds async throws in
            try await Self.connect(fixture) { client in
                for _ in 0..<3 {
                    seconds.pass(StreamHub.beatInterval)
                    try await Self.expectBeat(client)
                }
                seconds.pass(StreamHub.beatInterval)
                let end = StreamClient.ServerEvent.close(1008, "nothing was heard for 45 s")
                #expect(try await client.next() == end)
            }
        }
    }

    @Test("come while the database answers nothing that the stream asks it")
    func slowDatabase() async throws {
        var sources = StreamSources()
        sources.firings = { _ in
            let (never, answer) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            answer.finish()
            return []
        }
        try await Self.run(sources: sources) { fixture, seconds async throws in
            try await Self.connect(fixture, [("Authorization", "Bearer alice")]) { client in
                try await client.send(#"{"op":"subscribe","id":"a","channel":"alerts","key":""}"#)
                #expect(try await client.message()["type"] == .string("subscribed"))
                for _ in 0..<2 {
                    seconds.pass(StreamHub.beatInterval)
                    try await Self.expectBeat(client)
                    try await client.send(frame: 0x8A, [])
                }
            }
        }
    }

    @Test("keep the connection of who answers them, and of who says anything else")
    func answers() async throws {
        try await Self.run { fixture, seconds async throws in
            try await Self.connect(fixture) { answering in
                try await Self.connect(fixture) { asking in
                    for _ in 0..<12 {
                        seconds.pass(StreamHub.beatInterval)
                        try await Self.expectBeat(answering)
                        try await answering.send(frame: 0x8A, [])
                        try await Self.expectBeat(asking)
                        try await Self.expectAnswer(asking)
                    }
                    try await Self.expectAnswer(answering)
                }
            }
        }
    }

    @Test("end the connection of nobody in particular at the second, where the market is not public")
    func nobody() async throws {
        try await Self.run(isPublic: false) { fixture, seconds async throws in
            try await Self.connect(fixture, [("Authorization", "Bearer alice")]) { alice in
                try await Self.connect(fixture) { nobody in
                    seconds.pass(StreamHub.beatInterval)
                    try await Self.expectBeat(nobody)
                    seconds.pass(StreamHub.beatInterval)
                    let end = StreamClient.ServerEvent.close(1008, "sign in, or send a token")
                    #expect(try await nobody.next() == end)
                }
                for _ in 0..<2 { try await Self.expectBeat(alice) }
                try await Self.expectAnswer(alice)
            }
        }
    }
}
