import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Web

@Suite("WebSocket connection", .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test("keeps frames that come in one write with the 101, and delivers them after resume")
    func greeting() async throws {
        let server = try await RawServer.accepting(greeting: RawFrame.text("welcome") + RawFrame.text("data"))
        let inbox = Inbox()
        let connection = try await inbox.connect(to: server.port)
        #expect(connection.isOpen)
        #expect(connection.counters.messages == 0)
        connection.resume()
        #expect(await inbox.messages.next(2) == ["welcome", "data"])
        connection.close()
    }

    @Test("hands over a burst at once, with one time")
    func burst() async throws {
        let texts = (0..<50).map { "message \($0)" }
        let server = try await RawServer.accepting(greeting: texts.flatMap { RawFrame.text($0) })
        let batches = Mailbox<(texts: [String], time: Int64, kinds: [Bool])>()
        let connection = try await WebSocketConnection.connect(
            to: "ws://127.0.0.1:\(server.port)", on: MultiThreadedEventLoopGroup.singleton.any(),
            configuration: .test
        ) { batch in
            let all = 0..<batch.count
            let texts = all.map { batch.withMessage($0) { String(decoding: $0, as: UTF8.self) } }
            batches.put((texts, batch.receivedNanoseconds, all.map { batch.isText($0) }))
            return .more
        }
        connection.resume()
        let batch = try #require(await batches.next())
        #expect(batch.texts == texts)
        #expect(batch.time == 42)
        #expect(batch.kinds.allSatisfy { $0 })
    }

    @Test("sends masked text, binary and pings from any thread")
    func sends() async throws {
        let frames = Mailbox<ClientFrame>()
        let server = try await RawServer.accepting { _, frame in frames.put(frame) }
        let connection = try await Inbox().connect(to: server.port)
        #expect(connection.send(text: "subscribe") == .accepted)
        #expect(connection.send(binary: [0, 255]) == .accepted)
        #expect(connection.ping([1]) == .accepted)
        #expect(
            await frames.next(3) == [
                ClientFrame(opcode: 1, payload: Array("subscribe".utf8), isMasked: true),
                ClientFrame(opcode: 2, payload: [0, 255], isMasked: true),
                ClientFrame(opcode: 9, payload: [1], isMasked: true),
            ])
    }

    @Test("answers a ping between fragments before the message is whole")
    func pingBetweenFragments() async throws {
        let server = try await RawServer.accepting(
            greeting: RawFrame.text("one ", isFinal: false) + RawFrame.ping("still there?")
        ) { peer, frame in
            // Only the pong lets the message end.
            guard frame.opcode == 10, frame.text == "still there?" else { return }
            peer.send(RawFrame.continuation("two", isFinal: true))
        }
        let inbox = Inbox()
        let connection = try await inbox.connect(to: server.port)
        connection.resume()
        #expect(await inbox.messages.next() == "one two")
        #expect(connection.counters.pongs == 1)
    }

    @Test("answers the latest pings of a flood, not all of it")
    func pingFlood() async throws {
        let pongs = Mailbox<String>()
        let server = try await RawServer.accepting(greeting: (0..<200).flatMap { RawFrame.ping("\($0)") }) {
            _, frame in pongs.put(frame.text)
        }
        let connection = try await Inbox().connect(to: server.port)
        connection.resume()
        #expect(await pongs.next(64) == (136..<200).map { "\($0)" })
        #expect(connection.counters.pongsDropped == 136)
    }

    @Test("tells the server's close code and reason, and answers with the code")
    func closedByServer() async throws {
        let frames = Mailbox<ClientFrame>()
        let server = try await RawServer.accepting(
            greeting: RawFrame.text("bye") + RawFrame.close(4001, "maintenance")
        ) { peer, frame in
            frames.put(frame)
            peer.hangUp()
        }
        let inbox = Inbox()
        let connection = try await inbox.connect(to: server.port)
        connection.resume()
        #expect(await inbox.messages.next() == "bye")
        #expect(await connection.closed() == .closed(code: 4001, reason: "maintenance", byPeer: true))
        #expect(await frames.next()?.closeCode == 4001)
        #expect(connection.send(text: "late") == .closed)
        #expect(!connection.isOpen)
    }

    @Test("closes with a handshake, and drops what comes after its close")
    func closedByUs() async throws {
        let server = try await RawServer.accepting { peer, frame in
            guard frame.opcode == 8 else { return }
            peer.send(RawFrame.text("too late") + RawFrame.close(frame.closeCode ?? 0))
            peer.hangUp()
        }
        let inbox = Inbox()
        let connection = try await inbox.connect(to: server.port)
        connection.resume()
        connection.close(code: 1000, reason: "done")
        connection.close()
        #expect(await connection.closed() == .closed(code: 1000, reason: "done", byPeer: false))
        #expect(connection.counters.messages == 0)
    }

    @Test("does not wait for ever for a server that ignores the close")
    func ignoredClose() async throws {
        let server = try await RawServer.accepting()
        let connection = try await Inbox().connect(
            to: server.port, configuration: .test.with { $0.closeDeadline = .milliseconds(50) })
        connection.close(code: 3000)
        #expect(await connection.closed() == .closed(code: 3000, reason: "", byPeer: false))
    }

    @Test("tells a connection that ends without a close frame")
    func lost() async throws {
        let server = try await RawServer.accepting { peer, _ in peer.hangUp() }
        let connection = try await Inbox().connect(to: server.port)
        connection.resume()
        connection.send(text: "go away")
        #expect(await connection.closed() == .failed(.connectionLost(reason: "the server hung up")))
    }

    @Test(
        "closes with the right code when the server breaks the protocol, after delivering what was right",
        arguments: [
            ([0x81, 0x81, 1, 2, 3, 4, 5], FrameFault.maskedByServer, 1002),
            (RawFrame.bytes(1, [0xFF]), .invalidUTF8, 1007),
            (
                Array(RawFrame.binary(Array(repeating: 0, count: 70_000)).prefix(10)),
                .frameTooLarge(bytes: 70_000, limit: 1 << 16), 1009
            ),
            (RawFrame.close(1005), .closeCode(1005), 1002),
            (RawFrame.bytes(1, [], bits: 4), .reservedBits(4), 1002),
        ] as [([UInt8], FrameFault, UInt16)])
    func violation(bytes: [UInt8], fault: FrameFault, code: UInt16) async throws {
        let frames = Mailbox<ClientFrame>()
        let server = try await RawServer.accepting(greeting: RawFrame.text("right") + bytes) { _, frame in
            frames.put(frame)
        }
        let inbox = Inbox()
        let connection = try await inbox.connect(to: server.port)
        connection.resume()
        #expect(await connection.closed() == .failed(.protocolViolation(fault)))
        #expect(await frames.next()?.closeCode == code)
        #expect(WebError.protocolViolation(fault).disposition == .retry(after: nil))
    }

    @Test("reads nothing while paused, and everything after it")
    func pause() async throws {
        // Far more than socket buffers and one burst hold, so that the server cannot finish while we pause.
        let count = 2000
        let server = try await RawServer.accepting { peer, _ in
            peer.send((0..<count).flatMap { _ in RawFrame.binary(Array(repeating: 7, count: 8000)) })
        }
        let batches = Mailbox<Int>()
        let connection = try await WebSocketConnection.connect(
            to: "ws://127.0.0.1:\(server.port)", on: MultiThreadedEventLoopGroup.singleton.any(),
            configuration: .test
        ) { batch in
            batches.put(batch.count)
            return .pause
        }
        connection.resume()
        connection.send(text: "go")
        var received = 0
        while received < count {
            received += try #require(await batches.next())
            // Paused: one batch for one resume.
            #expect(connection.counters.messages <= received)
            connection.resume()
        }
        #expect(received == count)
    }

    @Test("refuses to keep more to send than allowed, and counts it")
    func outboundBound() async throws {
        let server = try await RawServer.accepting { peer, _ in peer.stopReading() }
        let connection = try await Inbox().connect(to: server.port)
        let piece = [UInt8](repeating: 1, count: 60_000)
        var outcome = WebSocketSendOutcome.accepted
        while outcome == .accepted { outcome = connection.send(binary: piece) }
        #expect(outcome == .full)
        #expect(connection.counters.sendsRefused == 1)
        #expect(connection.counters.outboundBytes <= 1 << 16)
    }

    @Test("gives up a server that accepts and then is silent")
    func silent() async throws {
        let pings = Mailbox<ClientFrame>()
        let server = try await RawServer.accepting { _, frame in pings.put(frame) }
        let rule = IdleRule(pingAfter: .milliseconds(20), closeAfter: .milliseconds(20), ping: .text("ping"))
        let connection = try await Inbox().connect(
            to: server.port, configuration: .test.with { $0.idle = rule })
        connection.resume()
        let closure = await connection.closed()
        guard case .failed(.silent(let time)) = closure else {
            Issue.record("ended with \(closure)")
            return
        }
        #expect(time >= .milliseconds(40))
        #expect(await pings.next()?.text == "ping")
    }

    @Test("gives up a server that drips a frame byte by byte")
    func drip() async throws {
        let server = try await RawServer.accepting { peer, frame in
            guard frame.opcode == 1 else { return }
            let drops = Drops(RawFrame.text(String(repeating: "x", count: 60_000)))
            peer.channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(1)) {
                task in
                guard let drop = drops.next(), peer.channel.isActive else { return task.cancel() }
                peer.send([drop])
            }
        }
        let rule = IdleRule(pingAfter: .milliseconds(60), closeAfter: .milliseconds(60))
        let connection = try await Inbox().connect(
            to: server.port, configuration: .test.with { $0.idle = rule })
        connection.resume()
        connection.send(text: "drip")
        let closure = await connection.closed()
        guard case .failed(.silent) = closure else {
            Issue.record("ended with \(closure)")
            return
        }
        #expect(connection.counters.frames == 0)
    }

    @Test("stays with a server that answers pings")
    func answersPings() async throws {
        let pongs = Mailbox<Int>()
        let server = try await RawServer.accepting { peer, frame in
            guard frame.opcode == 9 else { return }
            peer.send(RawFrame.pong(frame.text))
            pongs.put(1)
        }
        let rule = IdleRule(pingAfter: .milliseconds(10), closeAfter: .seconds(50))
        let connection = try await Inbox().connect(
            to: server.port, configuration: .test.with { $0.idle = rule })
        connection.resume()
        #expect(await pongs.next(3).count == 3)
        #expect(connection.isOpen)
    }

    @Test("an actor on the event loop takes batches without a hop")
    func actorOnLoop() async throws {
        let server = try await RawServer.accepting(greeting: RawFrame.text("a") + RawFrame.text("b"))
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let feed = Feed(loop: loop)
        let connection = try await WebSocketConnection.connect(
            to: "ws://127.0.0.1:\(server.port)", on: loop, configuration: .test
        ) { batch in feed.assumeIsolated { $0.receive(batch) } }
        connection.resume()
        #expect(await feed.done.next() == 2)
    }

    private actor Feed {
        private let loop: any EventLoop
        private var count = 0
        nonisolated let done = Mailbox<Int>()
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

        init(loop: any EventLoop) {
            self.loop = loop
        }

        func receive(_ batch: WebSocketBatch) -> WebSocketDemand {
            count += batch.count
            if count == 2 { done.put(count) }
            return .more
        }
    }

    @Test("hands messages through a transform that keeps state, and ends when it refuses one")
    func transform() async throws {
        let server = try await RawServer.accepting(greeting: RawFrame.binary([7]) + RawFrame.binary([8])) {
            peer, _ in peer.send(RawFrame.binary([0]))
        }
        let configuration = WebSocketConfiguration.test.with {
            $0.makeTransform = {
                var number = 0
                return { _, bytes, _, output in
                    guard bytes[0] != 0 else { throw FrameFault.invalidUTF8 }
                    number += 1
                    output += Array("\(number):\(bytes[0])".utf8)
                }
            }
        }
        let inbox = Inbox()
        let connection = try await inbox.connect(to: server.port, configuration: configuration)
        connection.resume()
        #expect(await inbox.messages.next(2) == ["1:7", "2:8"])
        connection.send(text: "now a bad one")
        #expect(
            await connection.closed()
                == .failed(.transformFailed(bytes: 1, reason: "text that is not UTF-8")))
    }

    @Test("closes when the waiting task is cancelled")
    func cancelled() async throws {
        let frames = Mailbox<ClientFrame>()
        let server = try await RawServer.accepting { peer, frame in
            frames.put(frame)
            peer.hangUp()
        }
        let connection = try await Inbox().connect(to: server.port)
        connection.resume()
        let waiting = Task { await connection.closed() }
        waiting.cancel()
        #expect(await waiting.value == .closed(code: 1000, reason: "", byPeer: false))
        #expect(await frames.next()?.closeCode == 1000)
    }

    @Test("is closed when nobody holds it any more")
    func dropped() async throws {
        let gone = Mailbox<Bool>()
        let server = try await RawServer.start { peer, event in
            switch event {
            case .request(let head): peer.send(RawServer.acceptance(of: head))
            case .gone: gone.put(true)
            case .frame: break
            }
        }
        _ = try await Inbox().connect(to: server.port)
        #expect(await gone.next() == true)
    }
}

/// Bytes that are given out one at a time.
private final class Drops: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) {
        rest = Mutex(bytes[...])
    }

    func next() -> UInt8? { rest.withLock { $0.popFirst() } }
}
