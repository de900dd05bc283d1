import NIOCore
import Support
import Testing

@testable import Web

@Suite("WebSocket address")
struct WebSocketAddressTests {
    @Test(
        "reads host, port and path",
        arguments: [
            ("ws://example.com", "example.com", 80, "/", "example.com"),
            ("wss://ws.kraken.com/v2", "ws.kraken.com", 443, "/v2", "ws.kraken.com"),
            (
                "ws://127.0.0.1:7430/realtime?subscribe=a,b", "127.0.0.1", 7430, "/realtime?subscribe=a,b",
                "127.0.0.1:7430"
            ),
            ("wss://[::1]:443?x=1", "::1", 443, "/?x=1", "[::1]"),
            (
                "wss://stream.binance.com:9443/ws", "stream.binance.com", 9443, "/ws",
                "stream.binance.com:9443"
            ),
        ])
    func reads(text: String, host: String, port: Int, path: String, header: String) throws {
        let address = try WebSocketAddress(parsing: text)
        #expect(address.host == host && address.port == port && address.path == path)
        #expect(address.hostHeader == header)
        #expect(address.isSecure == text.hasPrefix("wss"))
    }

    @Test(
        "refuses what cannot be opened",
        arguments: [
            "", "example.com", "http://example.com", "ws://", "ws://:80", "ws://h:0", "ws://h:65536",
            "ws://h:x",
            "ws://user@h/", "ws://h/a b", "ws://h/\r\nX: y", "ws://h/#f", "ws://[::1", "ws://h/é",
            "ws://[", "ws://]", "ws://[]:1", "ws://[[]]:80", "ws://::1", "ws://[::1]:99999", "ws://[::1]80",
            "ws://]:80", "ws://a]:80", "ws://[a]:80", "ws://a[]:80", "ws://[[::1]]:80", "ws://h\u{0}:80",
            "ws://h:", "ws://h:+80", "ws://" + String(repeating: "[", count: 300) + "]:80",
        ])
    func refuses(text: String) {
        #expect(throws: WebError.self) { try WebSocketAddress(parsing: text) }
    }
}

@Suite("Upgrade")
struct UpgradeTests {
    // The example of RFC 6455, section 1.3.
    private let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private func upgrade(_ headers: [(name: String, value: String)] = []) throws -> Upgrade {
        Upgrade(address: try WebSocketAddress(parsing: "ws://h:8080/p?q"), headers: headers, key: key)
    }

    private func answer(_ text: String) throws -> Upgrade.Answer {
        try upgrade().answer(to: Array(text.utf8))
    }

    @Test("asks with every header of the handshake, and keeps line breaks out of ours")
    func request() throws {
        let text = String(decoding: try upgrade([("X-A", "1\r\nEvil: 2")]).request, as: UTF8.self)
        #expect(
            text == "GET /p?q HTTP/1.1\r\nHost: h:8080\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\nX-A: 1Evil: 2\r\n\r\n")
    }

    @Test("accepts the RFC's own answer, and finds where frames begin")
    func accepts() throws {
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
        #expect(try answer(head + "\u{81}") == .accepted(framesStart: head.utf8.count))
        let bytes = Array(head.utf8)
        for end in bytes.indices {
            #expect(try upgrade().answer(to: Array(bytes[..<end])) == .incomplete)
        }
    }

    @Test(
        "refuses a 101 that breaks the rules",
        arguments: [
            ("Connection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT", "no Upgrade: websocket"),
            ("Upgrade: websocket\r\nSec-WebSocket-Accept: ACCEPT", "no Connection: Upgrade"),
            ("Upgrade: websocket\r\nConnection: Upgrade", "Sec-WebSocket-Accept does not answer our key"),
            (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA",
                "Sec-WebSocket-Accept does not answer our key"
            ),
            (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n"
                    + "Sec-WebSocket-Extensions: permessage-deflate", "an extension that nobody asked for"
            ),
            (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n"
                    + "Sec-WebSocket-Protocol: chat", "a subprotocol that nobody asked for"
            ),
        ])
    func malformed(headers: String, reason: String) throws {
        let text = "HTTP/1.1 101 X\r\n" + headers.replacing("ACCEPT", with: accept) + "\r\n\r\n"
        #expect(try answer(text) == .refused(.upgradeMalformed(reason: reason)))
    }

    @Test("tells a refusal with its status and how long to wait")
    func refused() throws {
        #expect(
            try answer("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\n\r\n")
                == .refused(.upgradeRefused(status: 429, retryAfter: .seconds(7))))
        #expect(
            try answer("HTTP/1.1 403 Forbidden\r\n\r\n")
                == .refused(.upgradeRefused(status: 403, retryAfter: nil)))
    }

    @Test("refuses what is not HTTP at its first bytes, and a head without end")
    func notHTTP() throws {
        #expect(try answer("SSH-2.0") == .refused(.upgradeMalformed(reason: "the answer is not HTTP")))
        let endless = "HTTP/1.1 101 X\r\n" + String(repeating: "a", count: Upgrade.longestHead)
        #expect(try answer(endless) != .incomplete)
    }

    @Test("survives any bytes")
    func anyBytes() {
        property { generator in
            let head = "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            var bytes = Array(head.utf8)
            for _ in 0..<generator.int(0...5) { bytes = generator.damaged(bytes) }
            if case .accepted = try upgrade().answer(to: bytes) {
                Issue.record("accepted without the accept key")
            }
        }
    }
}

@Suite("Response head")
struct ResponseHeadTests {
    @Test("reads status and headers in any case, trimmed")
    func reads() throws {
        let head = try #require(
            ResponseHead(Array("HTTP/2 404\r\nX-One:  a b \r\nx-one: c\r\nno colon\r\n\r\n".utf8)))
        #expect(head.status == 404)
        #expect(head.values(of: "x-one") == ["a b", "c"])
        #expect(head.headers.count == 2)
    }

    @Test(
        "refuses what is no status line",
        arguments: ["", "GET / HTTP/1.1", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 abc"])
    func refuses(line: String) {
        #expect(ResponseHead(Array(line.utf8)) == nil)
    }

    @Test(
        "reads Retry-After in seconds only",
        arguments: [
            ("3", Duration.seconds(3)), ("0", .seconds(0)), ("-1", nil),
            ("Wed, 21 Oct 2015 07:28:00 GMT", nil),
            ("99999999999", nil),
        ] as [(String, Duration?)])
    func retryAfter(value: String, expected: Duration?) throws {
        let head = try #require(ResponseHead(Array("HTTP/1.1 429 X\r\nRetry-After: \(value)\r\n".utf8)))
        #expect(head.retryAfter == expected)
    }
}

@Suite("Frame writer")
struct FrameWriterTests {
    @Test("masks what it sends, in every length form", arguments: [0, 1, 125, 126, 65_535, 65_536])
    func writes(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var buffer = ByteBuffer()
        FrameWriter.write(.binary, payload, key: 0xA1B2_C3D4, into: &buffer)
        FrameWriter.write(.text, Array("x".utf8), key: 0, into: &buffer)
        var bytes = Array(buffer.readableBytesView)
        let frames = RawFrame.take(from: &bytes)
        #expect(bytes.isEmpty)
        #expect(
            frames == [
                ClientFrame(opcode: 2, payload: payload, isMasked: true),
                ClientFrame(opcode: 1, payload: Array("x".utf8), isMasked: true),
            ])
    }

    @Test("writes headers that the other side reads", arguments: [0, 1, 125, 126, 65_535, 65_536])
    func headers(count: Int) {
        for (key, sender) in [(0xA1B2_C3D4, .client), (nil, .server)] as [(UInt32?, FrameHeader.Endpoint)] {
            var buffer = ByteBuffer()
            buffer.writeFrameHeader(.binary, count: count, key: key)
            func read(_ limit: Int, from sender: FrameHeader.Endpoint) -> FrameHeader.Reading {
                FrameHeader.read(buffer.readableBytesUInt8Span, at: 0, limit: limit, from: sender)
            }
            let whole = FrameHeader(
                opcode: .binary, isFinal: true, payloadStart: buffer.readableBytes, payloadCount: count,
                key: key ?? 0)
            #expect(read(count, from: sender) == .header(whole))
            #expect(
                key == nil
                    ? read(count, from: .client) == .fault(.unmaskedByClient)
                    : read(count, from: .server) == .fault(.maskedByServer))
            #expect(
                count == 0
                    || read(count - 1, from: sender)
                        == .fault(.frameTooLarge(bytes: UInt64(count), limit: count - 1))
            )
            buffer.moveWriterIndex(to: buffer.writerIndex - 1)
            #expect(read(count, from: sender) == .incomplete)
        }
    }

    @Test("masks a payload in parts as a whole")
    func parts() {
        var whole = (0..<11).map { UInt8($0) }
        var (first, rest) = (Array(whole[..<3]), Array(whole[3...]))
        whole.withUnsafeMutableBytes { FrameMask.apply(0xA1B2_C3D4, to: $0) }
        first.withUnsafeMutableBytes { FrameMask.apply(0xA1B2_C3D4, to: $0) }
        rest.withUnsafeMutableBytes { FrameMask.apply(0xA1B2_C3D4, to: $0, from: 3) }
        #expect(first + rest == whole)
        #expect(Array(whole[..<4]) == [0xA1, 0xB3, 0xC1, 0xD7])
    }
}

@Suite("Close status")
struct CloseStatusTests {
    @Test("reads code and reason")
    func reads() throws {
        #expect(try CloseStatus(payload: []) == CloseStatus(code: nil, reason: ""))
        #expect(try CloseStatus(payload: [3, 232]) == CloseStatus(code: 1000, reason: ""))
        #expect(
            try CloseStatus(payload: [15, 160] + Array("é".utf8)) == CloseStatus(code: 4000, reason: "é"))
    }

    @Test(
        "refuses codes that may not be sent",
        arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535])
    func refuses(code: UInt16) {
        #expect(throws: FrameFault.closeCode(code)) {
            try CloseStatus(payload: [UInt8(code >> 8), UInt8(code & 255)])
        }
    }

    @Test("refuses one byte and a reason that is not UTF-8")
    func malformed() {
        #expect(throws: FrameFault.closeCode(nil)) { try CloseStatus(payload: [3]) }
        #expect(throws: FrameFault.invalidUTF8) { try CloseStatus(payload: [3, 232, 0xFF]) }
    }

    @Test("cuts a long reason between characters")
    func cuts() {
        let payload = CloseStatus(code: 1000, reason: String(repeating: "é", count: 100)).payload
        #expect(payload.count == 124)
        #expect(String(validating: payload[2...], as: UTF8.self) != nil)
    }
}

@Suite("Idle watch")
struct IdleWatchTests {
    private let second: Int64 = 1_000_000_000
    private var watch: IdleWatch { IdleWatch(rule: IdleRule(), at: 0) }

    @Test("pings after 5 s of silence and gives up 5 s later")
    func silence() {
        var watch = watch
        #expect(watch.look(at: 4 * second) == .wait(until: 5 * second))
        #expect(watch.look(at: 5 * second) == .ping(lookAgainAt: 10 * second))
        #expect(watch.look(at: 9 * second) == .wait(until: 10 * second))
        #expect(watch.look(at: 10 * second) == .close(after: 10 * second))
    }

    @Test("an answer to a ping starts the wait for the next, however long the end is away")
    func answer() {
        var watch = IdleWatch(rule: IdleRule(closeAfter: .seconds(60)), at: 0)
        #expect(watch.look(at: 5 * second) == .ping(lookAgainAt: 10 * second))
        #expect(watch.look(at: 10 * second) == .wait(until: 15 * second))
        watch.received(frames: 1, bytes: 2, at: 11 * second)
        #expect(watch.look(at: 15 * second) == .wait(until: 16 * second))
    }

    @Test("a frame at any time starts the wait again")
    func life() {
        var watch = watch
        _ = watch.look(at: 5 * second)
        watch.received(frames: 1, bytes: 2, at: 7 * second)
        #expect(watch.look(at: 10 * second) == .wait(until: 12 * second))
    }

    @Test("dripped bytes are no life, 4 KiB of a long frame are")
    func drip() {
        var watch = watch
        watch.received(frames: 0, bytes: 4095, at: 4 * second)
        #expect(watch.look(at: 5 * second) == .ping(lookAgainAt: 10 * second))
        watch.received(frames: 0, bytes: 4096, at: 6 * second)
        #expect(watch.look(at: 7 * second) == .wait(until: 11 * second))
    }

    @Test("after a pause the wait begins anew")
    func revival() {
        var watch = watch
        watch.revive(at: 100 * second)
        #expect(watch.look(at: 101 * second) == .wait(until: 105 * second))
    }
}
