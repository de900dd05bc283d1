import Bus

/// Shows, before a broker says that it is ready, that it refuses a key that nobody knows: by trying.
///
/// What protects the bus is a handful of options and a socket that answers. A mistake in any of them would
/// let everybody in without a word.
enum StrangerProof {
    /// Nanoseconds in which each address has to refuse.
    private static let patience: Int64 = 10_000_000_000

    /// Tries all three addresses.
    ///
    /// - Parameters:
    ///   - addresses: Where the broker really listens.
    ///   - server: The broker's public key.
    ///   - access: Answers meanwhile.
    /// - Throws: ``BusError/openToStrangers(_:reason:)``.
    static func run(
        _ addresses: BusAddresses, server: CurveKey, _ access: BrokerGuard
    ) throws(BusError) {
        let stranger = BusKeys(pair: try CurveKeyPair.make(), serverKey: server)
        access.ownStranger = stranger.pair.publicKey
        let context = try BusContext(keys: stranger)
        let doors: [(BusSocket.Kind, String)] = [
            (.publisher, addresses.publish), (.subscriber, addresses.subscribe),
            (.stateClient, addresses.state),
        ]
        for (kind, address) in doors {
            let socket = try BusSocket(kind, context: context)
            let watch = try HandshakeWatch(of: socket, in: context)
            try socket.connect(near(address))
            try wait(for: watch, address, access)
        }
    }

    private static func wait(
        for watch: HandshakeWatch, _ address: String, _ access: BrokerGuard
    ) throws(BusError) {
        var poll = BusPoll(capacity: 2)
        watch.join(&poll)
        access.join(&poll)
        let end = BusClock.monotonic() + patience
        while BusClock.monotonic() < end {
            poll.wait(milliseconds: 100)
            try access.answerHandshakes()
            switch watch.next() {
            case .refused: return
            case .accepted: throw .openToStrangers(address, reason: "it let one in")
            // No proof: somebody else may answer there, or nobody yet.
            case .failed, nil: continue
            }
        }
        throw .openToStrangers(address, reason: "no answer within \(patience / 1_000_000_000) s")
    }

    /// The address as this machine reaches it: a listener on every interface also listens on loopback.
    static func near(_ address: String) -> String {
        for (every, own) in [("tcp://0.0.0.0:", "tcp://127.0.0.1:"), ("tcp://[::]:", "tcp://[::1]:")]
        where address.hasPrefix(every) {
            return own + address.dropFirst(every.count)
        }
        return address
    }
}
