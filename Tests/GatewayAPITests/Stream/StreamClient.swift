import JSON
import NIOCore
import NIOPosix
import Support

@testable import GatewayFrame

/// A WebSocket client over a bare socket, so that it can break every rule.
final class StreamClient {
    /// What a server said.
    enum ServerEvent: Hashable {
        case text(JSONValue)
        case ping
        case pong([UInt8])
        case close(UInt16?, String)
        /// The connection is closed.
        case end
    }

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var bytes = ByteBuffer()

    private init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// Connects, shakes hands, and runs `body` with the client and the status and head of the answer.
    ///
    /// `early` follows the request in the same segment, as of a client that does not wait for the answer.
    static func run<Value: Sendable>(
        port: Int, headers: [(String, String)] = [], early: [UInt8] = [],
        _ body: (StreamClient, String) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let client = StreamClient(inbound, outbound)
            var head = "GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            let standard = [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ]
            let given = Set(headers.map { $0.0 })
            for (name, value) in standard.filter({ !given.contains($0.0) }) + headers {
                head += "\(name): \(value)\r\n"
            }
            try await client.send(raw: Array("\(head)\r\n".utf8) + early)
            return try await body(client, try await client.head())
        }
    }

    /// A message of text, in one frame.
    func send(_ text: String) async throws { try await send(frame: 0x81, Array(text.utf8)) }

    /// A frame with this first byte, masked as it must be.
    func send(frame first: UInt8, _ payload: [UInt8]) async throws {
        try await send(raw: Self.frame(first, payload))
    }

    /// Bytes as they are.
    func send(raw: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: raw)) }

    static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        var frame = [first]
        switch payload.count {
        case ...125: frame.append(0x80 | UInt8(payload.count))
        case ...0xFFFF: frame += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [0xFF] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return frame + key + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }

    /// The next thing that the server says.
    func next() async throws -> ServerEvent {
        while true {
            if let said = try read() { return said }
            guard try await more() else { return .end }
        }
    }

    /// The next message of text that is no heartbeat.
    func message() async throws -> JSONObject {
        while true {
            switch try await next() {
            case .text(.object(let members)):
                if members["type"] != .string("heartbeat") { return members }
            case .ping, .pong: continue
            case let other: throw PropertyFailure("expected a message, found \(other)")
            }
        }
    }

    /// Reads until the end; how the server closed.
    func closing() async throws -> (UInt16?, String) {
        while true {
            switch try await next() {
            case .close(let code, let reason): return (code, reason)
            case .end: throw PropertyFailure("the connection ended without a close")
            case .text, .ping, .pong: continue
            }
        }
    }

    private func more() async throws -> Bool {
        guard var part = try await inbound.next(isolation: #isolation) else { return false }
        bytes.writeBuffer(&part)
        return true
    }

    private func head() async throws -> String {
        while true {
            let text = String(buffer: bytes)
            if let end = text.range(of: "\r\n\r\n") {
                let head = String(text[..<end.lowerBound])
                bytes.moveReaderIndex(forwardBy: head.utf8.count + 4)
                return head
            }
            guard try await more() else { throw PropertyFailure("no answer to the handshake: \(text)") }
        }
    }

    private func read() throws -> ServerEvent? {
        let start = bytes.readerIndex
        guard let first: UInt8 = bytes.getInteger(at: start),
            let second: UInt8 = bytes.getInteger(at: start + 1)
        else { return nil }
        guard first & 0x70 == 0, first & 0x80 != 0, second < 0x80 else {
            throw PropertyFailure("a server's frame begins with \(first), \(second)")
        }
        var (count, size) = (Int(second), 2)
        if second == 126 {
            guard let long: UInt16 = bytes.getInteger(at: start + 2) else { return nil }
            (count, size) = (Int(long), 4)
        } else if second == 127 {
            guard let long: UInt64 = bytes.getInteger(at: start + 2) else { return nil }
            (count, size) = (Int(long), 10)
        }
        guard bytes.readableBytes >= size + count else { return nil }
        bytes.moveReaderIndex(forwardBy: size)
        let payload = bytes.readBytes(length: count) ?? []
        switch first & 0x0F {
        case 1: return .text(try JSONInput.read(payload))
        case 8:
            guard payload.count >= 2 else { return .close(nil, "") }
            return .close(
                UInt16(payload[0]) << 8 | UInt16(payload[1]), String(decoding: payload[2...], as: UTF8.self))
        case 9: return .ping
        case 10: return .pong(payload)
        default: throw PropertyFailure("a server's frame begins with \(first)")
        }
    }
}

extension String {
    /// Where a text is; without Foundation.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
