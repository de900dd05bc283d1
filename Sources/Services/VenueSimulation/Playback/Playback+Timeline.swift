import Instruments
import MarketData
import Recordings
import Venues

extension Playback {
    /// Plays what is due, at the most `limit` recorded messages, and says when to come back.
    ///
    /// At maximum speed everything is due as long as somebody is subscribed: whoever calls must stop calling
    /// while a client's connection takes no more.
    mutating func advance(at now: Timestamp, limit: Int, into actions: inout [PlaybackAction]) -> Pace {
        sendHeartbeats(at: now, into: &actions)
        guard let startedAt else { return .wait(until: nextHeartbeat) }
        for _ in 0..<limit {
            guard stage(), let entry = head else {
                if endOrRestart(into: &actions) { continue }
                return .wait(until: nextHeartbeat)
            }
            // At maximum speed the readers pace: without one nothing moves.
            if speed == .maximum, !hasSubscribers { return .wait(until: nextHeartbeat) }
            if !clock.isRunning { clock.start(entry.time, at: now) }
            let due = clock.due(entry.time)
            if due > now { return .wait(until: earlier(due, nextHeartbeat)) }
            if arrivedAt == nil { arrivedAt = now }
            if let end = hold(entry, since: startedAt), end > now {
                isHolding = true
                return .wait(until: earlier(end, nextHeartbeat))
            }
            if isHolding {
                // Time stood still: what follows comes as much later as the hold lasted.
                isHolding = false
                clock.start(entry.time, at: now)
            }
            head = nil
            arrivedAt = nil
            play(entry, at: now, into: &actions)
        }
        return .again
    }

    // MARK: - What comes next

    /// Brings the next entry that takes time to the head; what takes none is done at once.
    ///
    /// `false` at the end.
    private mutating func stage() -> Bool {
        if head != nil { return true }
        guard !hasEnded else { return false }
        do {
            while let entry = try source.next() {
                if isStaged(entry) {
                    head = entry
                    return true
                }
            }
        } catch {
            fault = error
        }
        return false
    }

    private mutating func isStaged(_ entry: RecordingEntry) -> Bool {
        switch (entry.kind, entry.direction) {
        case (.ws, .in):
            entry.data.withUnsafeBytes { script.dialect.sight($0, &topics, &headSighting) }
            if headSighting.kind == .control {
                teach(entry)
                return false
            }
            return headSighting.kind != .market || isOwner(entry.connection)
        case (.http, .in):
            return entry.url.flatMap { dialect.imageSymbol(ofURL: $0) } != nil
        default: return false
        }
    }

    /// A topic that two connections carry is taken from the later one, so that nothing comes twice.
    private mutating func isOwner(_ connection: Int) -> Bool {
        seenConnections.insert(connection)
        guard seenConnections.count > 1 else {
            for topic in headSighting.topics { owners[topic] = connection }
            return true
        }
        var isOwner = true
        for topic in headSighting.topics {
            let owner = max(owners[topic] ?? connection, connection)
            owners[topic] = owner
            if owner != connection { isOwner = false }
        }
        return isOwner
    }

    /// Until when to hold at an entry; `nil` when nothing is missing.
    private mutating func hold(_ entry: RecordingEntry, since startedAt: Timestamp) -> Timestamp? {
        let opening = startedAt.adding(nanoseconds: patience)
        guard script.holdsForSubscribers else { return nil }
        if entry.kind == .ws {
            guard headSighting.kind == .market else { return nil }
            let isMissing = headSighting.topics.contains { !everSubscribed.contains($0) }
            return isMissing ? opening : nil
        }
        guard let symbol = entry.url.flatMap({ dialect.imageSymbol(ofURL: $0) }), book(of: symbol) == nil,
            let topic = topics.find(.book, symbol), !(subscribers[topic] ?? []).isEmpty,
            !questions.contains(where: { $0.symbol == symbol })
        else { return nil }
        return max(opening, (arrivedAt ?? startedAt).adding(nanoseconds: patience))
    }

    private func earlier(_ time: Timestamp, _ other: Timestamp?) -> Timestamp {
        other.map { min($0, time) } ?? time
    }

    // MARK: - The end

    /// Begins again where that is wanted; `false` at the end.
    private mutating func endOrRestart(into actions: inout [PlaybackAction]) -> Bool {
        guard loops, fault == nil, playedSinceRewind else {
            hasEnded = true
            refuseWaiting(into: &actions)
            return false
        }
        do {
            try source.rewind()
        } catch {
            fault = error
            hasEnded = true
            return false
        }
        playedSinceRewind = false
        truth = Playback.freshTruth(script)
        truthOutput = VenueOutput()
        tape.removeAll()
        candles.removeAll()
        lastFrames.removeAll()
        owners.removeAll()
        seenConnections.removeAll()
        views = views.mapValues { $0.mapValues { View(clients: $0.clients) } }
        clock.stop()
        position = script.started
        guard !dialect.takesUnaskedImages else { return true }
        // Changes would go on from numbers of the past: whoever is connected begins anew, and the clock with
        // it.
        for client in clients.keys.sorted() {
            leave(client)
            actions.append(.close(client))
        }
        startedAt = nil
        return false
    }

    // MARK: - Heartbeats

    /// When a client has to hear something; `nil` where the venue has no such message or nobody listens.
    var nextHeartbeat: Timestamp? {
        guard dialect.heartbeat != nil else { return nil }
        return clients.values.lazy.filter { !$0.subscriptions.isEmpty }.map(\.lastSent).min()?
            .adding(nanoseconds: Playback.heartbeatInterval)
    }

    private mutating func sendHeartbeats(at now: Timestamp, into actions: inout [PlaybackAction]) {
        guard let heartbeat = dialect.heartbeat else { return }
        let silent = clients.filter { _, client in
            !client.subscriptions.isEmpty
                && now.nanoseconds(since: client.lastSent) >= Playback.heartbeatInterval
        }.keys.sorted()
        broadcast(heartbeat, to: silent, at: now, into: &actions)
    }
}
