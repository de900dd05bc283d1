import Threads

/// One answer about retained state.
public struct RetainedState: Sendable {
    /// A message as it was published.
    public struct Message: Hashable, Sendable {
        /// The topic it was published on.
        public let topic: String
        /// The bytes of its envelope.
        public let envelope: [UInt8]
    }

    /// The messages: of a book the snapshot first, then its deltas.
    public internal(set) var messages: [Message] = []
    /// Topics, or prefixes, that the broker could not answer whole: ask again after the next snapshot.
    public internal(set) var incomplete: [String] = []
}

/// Asks the broker once for retained state, for commands that print it and end.
public struct StateClient: Sendable {
    private let context: BusContext
    private let addresses: BusAddresses

    /// Asks at `addresses.state`.
    public init(context: BusContext, addresses: BusAddresses = .loopback) {
        self.context = context
        self.addresses = addresses
    }

    /// The retained messages under these prefixes, each ending in a dot; "" is everything.
    ///
    /// - Parameters:
    ///   - prefixes: Any number; each question holds as many as fit.
    ///   - timeout: From the call to the last frame.
    /// - Returns: What the broker keeps, and the prefixes that it could not answer whole.
    /// - Throws: ``BusError/stateUnavailable(address:seconds:)`` when no whole answer came in time;
    ///   ``BusError/addressInvalid(_:reason:)``.
    public func fetch(
        _ prefixes: [String], timeout: Duration = .seconds(2)
    ) async throws(BusError) -> RetainedState {
        let (context, addresses) = (context, addresses)
        return try await NamedThread.run(name: "bus-state") { () throws(BusError) in
            try Self.fetch(prefixes, context, addresses.state, timeout)
        }
    }

    private static func fetch(
        _ prefixes: [String], _ context: BusContext, _ address: String, _ timeout: Duration
    ) throws(BusError) -> RetainedState {
        let end = BusClock.monotonic() + Int64(timeout / .nanoseconds(1))
        let socket = try BusSocket(.stateClient, context: context)
        try socket.connect(address)
        let frame = BusFrame()
        var answer = RetainedState()
        var rest = prefixes[...]
        var id: UInt64 = 0
        while !rest.isEmpty {
            id += 1
            let part = Array(rest.prefix(StateExchange.prefixLimit))
            rest = rest.dropFirst(part.count)
            guard send(StateRequest(id: id, prefixes: part), socket, frame, end),
                receive(id, socket, frame, end, &answer)
            else { throw .stateUnavailable(address: address, seconds: timeout / .seconds(1)) }
        }
        return answer
    }

    /// Nothing can be sent before the broker is there, and nothing tells when that is: try every few
    /// milliseconds.
    private static func send(
        _ request: StateRequest, _ socket: borrowing BusSocket, _ frame: borrowing BusFrame, _ end: Int64
    ) -> Bool {
        frame.fill(request.frame)
        var poll = BusPoll(capacity: 1)
        poll.add(socket)
        while socket.send(frame) != .sent {
            if BusClock.monotonic() >= end { return false }
            poll.wait(milliseconds: 5)
        }
        return true
    }

    private static func receive(
        _ id: UInt64, _ socket: borrowing BusSocket, _ frame: borrowing BusFrame, _ end: Int64,
        _ answer: inout RetainedState
    ) -> Bool {
        var poll = BusPoll(capacity: 1)
        poll.add(socket)
        while true {
            let left = end - BusClock.monotonic()
            if left <= 0 { return false }
            poll.wait(milliseconds: Int((left + 999_999) / 1_000_000))
            while case .received = socket.receive(into: frame) {
                guard let reply = StateReplyReader(frame.bytes), reply.requestID == id else { continue }
                answer.incomplete += reply.incomplete
                for message in reply.messages {
                    answer.messages.append(
                        RetainedState.Message(
                            topic: String(decoding: message.topic, as: UTF8.self),
                            envelope: Array(message.envelope)))
                }
                if reply.isLast { return true }
            }
        }
    }
}
