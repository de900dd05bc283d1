import Bus
import Instruments
import Logging
import Metrics
import NIOCore
import Venues
import Web

extension VenueFeed {
    /// Connects, and connects again whenever the connection ends, until the task is cancelled.
    func keepOpen(_ connection: Int) async {
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            guard let url = addresses[connection] else { return }
            await parts.gate.wait(for: .connection)
            if Task.isCancelled || addresses[connection] == nil { return }
            let (healthy, atLeast) = await connect(connection, url)
            if Task.isCancelled || addresses[connection] == nil { return }
            let wait = backoff.delay(afterHealthy: healthy, atLeast: atLeast, using: &generator)
            metrics.reconnects.increment()
            status.reconnects &+= 1
            parts.logger.info(
                "Connecting again",
                metadata: ["connection": "\(connection)", "after.ms": "\(wait / 1_000_000)"])
            try? await Task.sleep(for: .nanoseconds(wait))
        }
    }

    /// One connection from its opening to its end: how long it brought data, and how long the venue asks to
    /// wait.
    private func connect(_ connection: Int, _ url: String) async -> (healthy: Int64, atLeast: Int64) {
        let generation = (links[connection]?.generation ?? 0) + 1
        links[connection] = FeedLink(
            generation: generation, outgoing: SendQueue(parts.configuration.description.connections.messages),
            lastReceived: links[connection]?.lastReceived ?? .zero)
        let clock = parts.clock
        // Its own watch over silence stays on: it sees the answers to ping frames, which no session does.
        var configuration = WebSocketConfiguration(
            closeDeadline: .seconds(1), idle: idleRule, wallClock: { clock().nanoseconds },
            makeTransform: parts.configuration.description.compression.packing?.makeTransform)
        configuration.pins = pins
        configuration.proxies = parts.ingestion.proxies
        do throws(WebError) {
            let socket = try await WebSocketConnection.connect(
                to: url, on: loop, configuration: configuration
            ) { burst in
                self.assumeIsolated { $0.receive(burst, connection: connection, generation: generation) }
            }
            // Given up meanwhile; whom nobody holds is closed.
            guard addresses[connection] != nil else { return (0, 0) }
            opened(connection, socket)
            let closure = await socket.closed()
            note(closure)
            closed(connection, generation, "\(closure)")
            connections[connection] = nil
            return (links[connection].map { $0.lastReceived.nanoseconds(since: $0.openedAt) } ?? 0, 0)
        } catch {
            status.detail = error.description
            // What only an operator can mend is not one failure among others.
            let level: Logger.Level = if case .pinMismatch = error { .error } else { .info }
            parts.logger.log(
                level: level, "Cannot connect",
                metadata: ["connection": "\(connection)", "error": "\(error)"])
            return (0, patience(after: error))
        }
    }

    /// The keys that the venue's servers may have.
    var pins: KeyPins { KeyPins(parts.configuration.pins) ?? .any }

    /// What the venue allows of silence.
    private var idleRule: IdleRule {
        let silence = parts.configuration.description.silence
        return IdleRule(pingAfter: silence.ping, closeAfter: silence.answer)
    }

    /// How long the venue asks to wait after it has refused a connection, in nanoseconds; all of its
    /// connections do, where it says that there were too many.
    private func patience(after error: WebError) -> Int64 {
        guard case .upgradeRefused(let status, let after) = error else { return 0 }
        let pause = parts.gate.refusedConnection(status: status, retryAfter: after)
        if pause > 0 {
            parts.logger.warning(
                "The venue asks to wait with connections",
                metadata: ["status": "\(status)", "seconds": "\(pause / 1_000_000_000)"])
        }
        return max(pause, after?.wholeNanoseconds ?? 0)
    }

    private func opened(_ connection: Int, _ socket: WebSocketConnection) {
        let now = parts.clock()
        connections[connection] = socket
        links[connection]?.isUp = true
        links[connection]?.openedAt = now
        links[connection]?.lastReceived = now
        status.detail = ""
        parts.logger.info("Connected", metadata: ["connection": "\(connection)"])
        session.opened(connection: connection, at: now, into: &output)
        absorb()
        if session.counts(connection) { missTrades() }
        flush()
        socket.resume()
        noteConnections()
    }

    /// What happened before the connection was open is asked for.
    func missTrades() {
        backfill.grow(to: session.registry.count)
        for (symbol, channels) in parts.configuration.subscriptions where channels.contains(.trade) {
            if let index = session.registry.find(symbol) { backfill.reconnected(index) }
        }
        askForTrades()
    }

    /// A packed message that cannot be unpacked never reaches the session, and counts as one that it cannot
    /// read: what it would have changed is lost, so the connection begins anew.
    private func note(_ closure: WebSocketClosure) {
        guard case .failed(.transformFailed(let bytes, _)) = closure else { return }
        output.counters.malformed &+= 1
        output.latestMalformed = ("packed message", bytes)
        absorb()
    }

    /// The books that depended on the connection are declared before anything else is done.
    private func closed(_ connection: Int, _ generation: Int, _ reason: String) {
        guard links[connection]?.generation == generation, links[connection]?.isUp == true else { return }
        links[connection]?.isUp = false
        beginEpoch()
        session.closed(connection: connection, at: parts.clock(), into: &output)
        absorb()
        flush()
        status.detail = reason
        parts.logger.notice("Disconnected", metadata: ["connection": "\(connection)", "reason": "\(reason)"])
        noteConnections()
    }

    /// What a session wants when the venue is silent.
    func reconnectIfSilent(_ connection: Int, _ reason: String) {
        if let socket = connections[connection], answersPingFrames(socket) { return }
        reconnect(connection, reason)
    }

    private func reconnect(_ connection: Int, _ reason: String) {
        guard let link = links[connection], link.isUp, let socket = connections[connection] else { return }
        closed(connection, link.generation, reason)
        socket.close(code: 1_000, reason: reason)
    }

    /// Whether a venue that is silent is alive all the same: the answers to ping frames end in the
    /// connection, and a session whose venue has no ping of its own takes them for silence.
    func answersPingFrames(_ socket: WebSocketConnection) -> Bool {
        parts.configuration.description.ping == .frame && socket.silence < silenceLimit + .seconds(1)
    }

    func send(_ text: String, _ connection: Int) {
        guard connections[connection] != nil else { return }
        links[connection]?.outgoing.add(text)
        sendDue(connection)
    }

    /// Sends what has waited for its turn.
    func sendDue() {
        for (connection, link) in links where !link.outgoing.isEmpty { sendDue(connection) }
    }

    private func sendDue(_ connection: Int) {
        guard let socket = connections[connection] else { return }
        let due = links[connection]?.outgoing.takeDue(at: parts.clock(), parts.gate.takeMessage) ?? []
        for text in due {
            switch socket.send(text: text) {
            case .accepted, .closed: break
            // A subscription that was not sent would be missed for ever.
            case .full: return reconnect(connection, "too much is waiting to be sent")
            }
        }
    }

    /// Whether every connection that the session asked for is up.
    var isConnected: Bool {
        let counting = countingLinks
        return !counting.isEmpty && counting.allSatisfy(\.isUp)
    }

    /// The connections whose end would be missed.
    var countingLinks: [FeedLink] { links.filter { session.counts($0.key) }.map(\.value) }

    func noteConnections() {
        let now = parts.clock()
        parts.board.note(figures(at: now), of: parts.number, isNews: true, at: now)
    }
}
