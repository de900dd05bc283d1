import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The opening handshake of RFC 6455, section 4: what is sent, and what the answer must be.
struct Upgrade: Sendable {
    /// The longest response head that is read, bytes.
    static let longestHead = 16 * 1024

    let address: WebSocketAddress
    let key: String
    let headers: [(name: String, value: String)]

    /// What the bytes received so far say.
    enum Answer: Hashable {
        /// The head is not complete.
        case incomplete
        /// The connection speaks WebSocket; frames begin at the offset.
        case accepted(framesStart: Int)
        case refused(WebError)
    }

    /// Prepares a handshake.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - headers: Further request headers; those of the handshake itself are ours.
    ///   - key: Sixteen random bytes in base64.
    init(
        address: WebSocketAddress, headers: [(name: String, value: String)],
        key: String = NIOWebSocketClientUpgrader.randomRequestKey()
    ) {
        self.address = address
        self.headers = headers
        self.key = key
    }

    /// The request, ready to be written.
    ///
    /// A line break in a configured header would be a second header or request: it is dropped.
    var request: [UInt8] {
        var text = "GET \(address.path) HTTP/1.1\r\nHost: \(address.hostHeader)\r\n"
        text += "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        text += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
        for header in headers {
            let line = "\(header.name): \(header.value)"
            text += line.filter { !$0.isNewline } + "\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// Reads what the server answered.
    func answer(to bytes: [UInt8]) -> Answer {
        guard let end = Self.headEnd(bytes) else {
            guard bytes.count < Self.longestHead else {
                return .refused(.upgradeMalformed(reason: "no end of the head in \(bytes.count) bytes"))
            }
            // TLS alerts and other protocols are told apart by their first bytes, without waiting for a
            // deadline.
            let begin = Array("HTTP/1.".utf8)
            guard bytes.prefix(begin.count).elementsEqual(begin.prefix(bytes.count)) else {
                return .refused(.upgradeMalformed(reason: "the answer is not HTTP"))
            }
            return .incomplete
        }
        guard let head = ResponseHead(bytes[..<end]) else {
            return .refused(.upgradeMalformed(reason: "the answer is not HTTP"))
        }
        guard head.status == 101 else {
            return .refused(.upgradeRefused(status: head.status, retryAfter: head.retryAfter))
        }
        if let reason = violation(in: head) { return .refused(.upgradeMalformed(reason: reason)) }
        return .accepted(framesStart: end)
    }

    /// The checks of section 4.1 on a `101`, in its order; `nil` when it is right.
    private func violation(in head: ResponseHead) -> String? {
        guard head.value(of: "upgrade")?.lowercased() == "websocket" else { return "no Upgrade: websocket" }
        let connection = head.value(of: "connection")?.lowercased() ?? ""
        guard connection.split(separator: ",").contains(where: { $0.trimmed == "upgrade" }) else {
            return "no Connection: Upgrade"
        }
        // NIO computes the SHA-1 of key and GUID and compares; its own upgrader is not used for more.
        let accept = head.values(of: "sec-websocket-accept")
        let response = HTTPResponseHead(
            version: .http1_1, status: .switchingProtocols,
            headers: HTTPHeaders(accept.map { ("Sec-WebSocket-Accept", $0) }))
        let upgrader = NIOWebSocketClientUpgrader(requestKey: key) { channel, _ in
            channel.eventLoop.makeSucceededVoidFuture()
        }
        guard upgrader.shouldAllowUpgrade(upgradeResponse: response) else {
            return "Sec-WebSocket-Accept does not answer our key"
        }
        guard head.value(of: "sec-websocket-extensions") == nil else {
            return "an extension that nobody asked for"
        }
        guard head.value(of: "sec-websocket-protocol") == nil || asksForProtocol else {
            return "a subprotocol that nobody asked for"
        }
        return nil
    }

    private var asksForProtocol: Bool {
        headers.contains { $0.name.lowercased() == "sec-websocket-protocol" }
    }

    /// The offset behind the empty line that ends a head.
    static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 3..<bytes.count where bytes[index] == 0x0A {
            if bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A, bytes[index - 3] == 0x0D {
                return index + 1
            }
        }
        return nil
    }
}
