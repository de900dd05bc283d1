extension SubscriberLoop {
    /// Begins anew with other sockets: those of now bring nothing any more.
    mutating func recreate() throws(BusError) {
        callbacks.log("Bus silent, making the socket anew")
        counters.recreated &+= 1
        createdAt = now
        tokenNumber += 1
        token = SynchronizationToken(subscriber: subscriberID, number: tokenNumber)
        isTokenAnswered = false
        tokenDeadline = now + Self.tokenLifetime
        unasked = Array(wanted.prefixes)
        tracker.synchronize()
        live = try Self.makeLive(context, configuration, wanted, token)
        exchange.abandon(now: now, jitter: Double.random(in: 0...1))
        state = try Self.makeState(context, configuration)
    }

    /// A socket that is to bring live messages.
    static func makeLive(
        _ context: BusContext, _ configuration: SubscriberConfiguration, _ wanted: PrefixSet,
        _ token: SynchronizationToken
    ) throws(BusError) -> BusSocket {
        let socket = try BusSocket(.subscriber, context: context)
        socket.setReceiveHighWaterMark(configuration.receiveHighWaterMark)
        try socket.connect(configuration.addresses.subscribe)
        socket.subscribe("heartbeat.")
        for prefix in wanted.prefixes.sorted() { socket.subscribe(prefix) }
        socket.subscribe(token.topic)
        return socket
    }

    /// A socket for questions.
    static func makeState(
        _ context: BusContext, _ configuration: SubscriberConfiguration
    ) throws(BusError) -> BusSocket {
        let socket = try BusSocket(.stateClient, context: context)
        try socket.connect(configuration.addresses.state)
        return socket
    }
}
