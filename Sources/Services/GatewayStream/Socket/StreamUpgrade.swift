import AccountStore
import Crypto
import Encodings
package import GatewayFrame
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// What a handshake of the stream asks (RFC 6455, section 4.2).
struct StreamHandshake: Sendable {
    /// Where the stream is.
    static let path = "/v1/stream"

    /// Origins from which pages may connect, such as `https://bitpal.example`; the server's own always may.
    var origins: Set<String>

    init(origins: Set<String>) { self.origins = origins }

    /// Takes pages of the one address that a gateway is configured for.
    init(of configuration: ServerConfiguration) {
        origins = Set(configuration.pageURL.map { [$0.lowercased()] } ?? [])
    }

    /// Why a request is no handshake that is accepted; `nil` when it is one.
    func refusal(of head: HTTPRequestHead) -> Problem? {
        func has(_ word: String, in name: String) -> Bool {
            head.headers[canonicalForm: name].contains { $0.lowercased() == word }
        }
        // That `Connection` names it is what the server's own decision asks first.
        guard head.method == .GET, has("websocket", in: "upgrade") else {
            return Problem(.badRequest, "this is a WebSocket: connect with Upgrade: websocket")
        }
        let version = head.headers["sec-websocket-version"].first
        guard version == "13" else {
            return .invalid("Sec-WebSocket-Version", version, accepted: "13")
        }
        let key = head.headers["sec-websocket-key"].first
        guard let key, head.headers["sec-websocket-key"].count == 1, key.utf8.count == 24, key.hasSuffix("==")
        else {
            return .invalid("Sec-WebSocket-Key", key, accepted: "16 bytes in base64")
        }
        // Browsers say where a page that opens a WebSocket comes from; a program with a cookie uses a token.
        if head.headers["origin"].isEmpty, !head.headers["cookie"].isEmpty {
            var problem = Problem(
                .crossSite, "a WebSocket with a cookie needs an Origin; programs use a token")
            problem.field = "Origin"
            return problem
        }
        return originRefusal(head)
    }

    /// A page of another site must not use its visitor's session (RELIABILITY, S4); a program sends no
    /// origin.
    func originRefusal(_ head: HTTPRequestHead) -> Problem? {
        let given = head.headers["origin"]
        // What reads events sends no origin to its own site, but says that it is the same.
        if let site = head.headers["sec-fetch-site"].first, site != "same-origin", site != "none" {
            return Problem(.crossSite, "a page of another site asked for this")
        }
        guard let origin = given.first else { return nil }
        if given.count == 1, origins.contains(origin.lowercased()) { return nil }
        let host = head.headers["host"].first?.lowercased() ?? ""
        if given.count == 1, !host.isEmpty,
            ["http://\(host)", "https://\(host)"].contains(origin.lowercased())
        {
            return nil
        }
        var problem = Problem(.crossSite, "pages of \(origin.prefix(100)) may not connect")
        problem.field = "Origin"
        problem.value = String(origin.prefix(120))
        return problem
    }

    /// The answer to a key.
    static func accept(_ key: String) -> String {
        // The number is the protocol's own (RFC 6455, section 1.3).
        let digest = Insecure.SHA1.hash(data: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        return Base64.text(digest)
    }
}

/// Who may connect, how to find out who asks, and who answers then.
package struct StreamUpgrade: Sendable {
    /// Whose a token is.
    typealias Authenticate = @Sendable (String) async throws -> StreamCaller

    let handshake: StreamHandshake
    /// What reads and writes on a connection that has become a WebSocket.
    let connection: @Sendable (StreamCaller, @escaping Authenticate) -> any ChannelHandler
    /// Who asks, with a place among the live connections.
    ///
    /// - Throws: `Problem` for a credential that is not valid, and for who comes too often or has too many.
    let admit: @Sendable (HTTPRequest, any Channel) async throws -> StreamCaller

    /// The same as a server takes it.
    package var connectionUpgrade: ConnectionUpgrade {
        { StreamUpgrader(stream: self, asked: NIOLoopBoundBox(nil, eventLoop: $0)) }
    }
}

/// Who has a live connection.
struct StreamCaller: Sendable {
    /// `nil` for nobody in particular.
    var identity: Identity?
    /// Held as long as the connection lives.
    var permit: ClientLimit.Permit?
}

/// Makes a connection a WebSocket of the stream.
struct StreamUpgrader: NIOTypedHTTPServerProtocolUpgrader {
    private struct Refused: Error {}

    let stream: StreamUpgrade
    /// Who asked, from the answer to the upgrade.
    let asked: NIOLoopBoundBox<StreamCaller?>

    let supportedProtocol = "websocket"
    let requiredUpgradeHeaders: [String] = []

    func buildUpgradeResponse(
        channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        let path = upgradeRequest.uri.prefix { $0 != "?" }
        guard path == StreamHandshake.path, stream.handshake.refusal(of: upgradeRequest) == nil,
            let key = upgradeRequest.headers["sec-websocket-key"].first,
            let request = try? HTTPRequest(upgradeRequest, secure: false, splitCookie: false)
        else { return channel.eventLoop.makeFailedFuture(Refused()) }
        var headers = initialResponseHeaders
        headers.replaceOrAdd(name: "Upgrade", value: "websocket")
        headers.add(name: "Sec-WebSocket-Accept", value: StreamHandshake.accept(key))
        let (admit, asked, answer) = (stream.admit, asked, headers)
        return channel.eventLoop.makeFutureWithTask { try await admit(request, channel) }.flatMapThrowing {
            caller in
            // It reads HTTP. The frames of a client that did not wait for the answer come before the upgrade,
            // as soon as the decoder goes.
            try channel.pipeline.syncOperations.removeAnswerGuard()
            asked.value = caller
            return answer
        }
    }

    func upgrade(
        channel: any Channel, upgradeRequest: HTTPRequestHead
    ) -> EventLoopFuture<SpokenProtocol> {
        let (connection, asked, admit) = (stream.connection, asked, stream.admit)
        return channel.eventLoop.makeCompletedFuture {
            let caller = asked.value ?? StreamCaller()
            let proxies = upgradeRequest.headers["x-forwarded-for"]
            asked.value = nil
            let handler = connection(caller) { token in
                var request = HTTPRequest(
                    method: .get, scheme: nil, authority: nil, path: StreamHandshake.path)
                request.headerFields[.authorization] = "Bearer \(token)"
                request.headerFields[values: .xForwardedFor] = proxies
                return try await admit(request, channel)
            }
            try channel.syncOptions?.setOption(
                .writeBufferWaterMark, value: .init(low: 16 << 10, high: 64 << 10))
            try channel.pipeline.syncOperations.addHandler(handler)
            channel.read()  // The guard held it.
            return .stream(channel)
        }
    }
}
