/// What ZeroMQ asks before it lets somebody in.
///
/// Source: rfc.zeromq.org, 27/ZAP: version, request, domain, address, routing id, mechanism, and of CURVE the
/// client's public key in 32 bytes.
package struct AuthenticationRequest {
    /// Comes back in the answer.
    let id: [UInt8]
    /// The client's, without its port.
    package let address: String
    /// Who wants to come in; the handshake has proved that it has the secret to it.
    package let key: CurveKey

    private static let version = Array("1.0".utf8)

    /// Reads the frames; `nil` for what this broker never lets in: another domain, or no CURVE.
    init?(_ frames: [[UInt8]], domain: String) {
        guard frames.count == 7, frames[0] == Self.version, frames[2].elementsEqual(domain.utf8),
            frames[5].elementsEqual("CURVE".utf8),
            let key = frames[6].withUnsafeBytes({ CurveKey(bytes: $0) })
        else { return nil }
        id = frames[1]
        address = String(decoding: frames[3], as: UTF8.self)
        self.key = key
    }

    /// The frames of an answer: every message of whoever is let in carries its key as its user id.
    static func answer(to id: [UInt8], userID: CurveKey?) -> [[UInt8]] {
        [
            version, id, Array((userID == nil ? "400" : "200").utf8),
            Array((userID == nil ? "unknown key" : "").utf8), Array((userID?.text ?? "").utf8), [],
        ]
    }
}

/// The socket at which ZeroMQ asks whom to let in, one for each context.
package struct Authenticator: ~Copyable {
    /// A question of ZeroMQ has seven frames; more are read off and refused.
    private static let frameLimit = 16

    private let socket: BusSocket
    private let frame = BusFrame()

    /// - Throws: ``BusError/addressInUse(_:)`` when the context has one already.
    package init(context: BusContext) throws(BusError) {
        let socket = try BusSocket(.authenticator, context: context)
        try socket.bind(BusSocket.authenticatorAddress)
        self.socket = socket
    }

    /// Waits for it too, and returns its place.
    @discardableResult
    package func join(_ poll: inout BusPoll) -> Int { poll.add(socket) }

    /// Answers what waits, at most so many questions.
    ///
    /// - Throws: ``BusError`` when the socket fails.
    package func answer(
        atMost limit: Int = 256, _ isLetIn: (AuthenticationRequest) -> Bool
    ) throws(BusError) {
        for _ in 0..<limit {
            switch socket.receive(into: frame) {
            case .nothingWaiting: return
            case .failed(let code): throw .failed("receiving questions about keys", code)
            case .received: break
            }
            var frames = [Array(frame.bytes)]
            while frame.hasMore, frames.count < Self.frameLimit,
                case .received = socket.receive(into: frame)
            {
                frames.append(Array(frame.bytes))
            }
            socket.discardRest(using: frame)
            let request = AuthenticationRequest(frames, domain: BusSocket.authenticationDomain)
            let key = request.flatMap { isLetIn($0) ? $0.key : nil }
            send(AuthenticationRequest.answer(to: frames.count > 1 ? frames[1] : [], userID: key))
        }
    }

    private func send(_ frames: [[UInt8]]) {
        for (index, bytes) in frames.enumerated() {
            frame.fill(bytes)
            // Who asked may be gone; nobody else waits for the answer.
            _ = socket.send(frame, more: index < frames.count - 1)
        }
    }
}
