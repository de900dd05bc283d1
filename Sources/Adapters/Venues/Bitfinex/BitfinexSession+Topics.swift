package import Instruments
package import MarketData

extension BitfinexSession {
    /// Asks for a topic where its place is, if that connection is up; otherwise once it opens.
    func subscribe(_ topic: BitfinexTopic, into output: inout VenueOutput) {
        guard let place = places[topic.index.offset][topic.kind], links.indices.contains(place.connection),
            links[place.connection].isUp
        else { return }
        let symbol = core.registry[topic.index].symbol
        var text = "{\"event\":\"subscribe\",\"channel\":\"\(topic.kind.name)\",\"symbol\":\"\(symbol)\""
        if topic.kind == .book {
            text += ",\"prec\":\"P0\",\"freq\":\"F0\",\"len\":\"\(subscribedDepth)\""
        }
        output.actions.append(.send(connection: place.connection, text: text + "}"))
    }

    /// Gives a channel up; what still comes of it is of nobody.
    mutating func unsubscribe(_ channelID: Int64, on connection: Int, into output: inout VenueOutput) {
        links[connection].channels[channelID] = nil
        guard links[connection].isUp else { return }
        output.actions.append(
            .send(connection: connection, text: "{\"event\":\"unsubscribe\",\"chanId\":\(channelID)}"))
    }

    /// Nobody wants a topic any more; one whose channel is not known yet is given up when it is.
    mutating func leave(_ topic: BitfinexTopic, into output: inout VenueOutput) {
        retries.removeAll { $0.topic == topic }
        attempts[topic] = nil
        guard let place = places[topic.index.offset][topic.kind] else { return }
        places[topic.index.offset][topic.kind] = nil
        guard links.indices.contains(place.connection) else { return }
        links[place.connection].load -= 1
        if let id = place.channelID { unsubscribe(id, on: place.connection, into: &output) }
    }

    // MARK: - Recovery

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        places[index.offset].crossed.reset()
        core.lose(index, reason, detail, at: time, into: &output)
    }

    /// Loses every book that a connection brings.
    mutating func loseAll(
        on connection: Int, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        for index in core.registry.indices
        where places[index.offset][.book]?.connection == connection && core.trackers[index.offset].isFollowing
        {
            lose(index, reason, detail, at: time, into: &output)
        }
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            if let place = places[index.offset][.book], let id = place.channelID,
                links.indices.contains(place.connection), links[place.connection].isUp
            {
                places[index.offset][.book]?.channelID = nil
                unsubscribe(id, on: place.connection, into: &output)
            }
            subscribe(BitfinexTopic(index: index, kind: .book), into: &output)
        }
    }

    /// A subscription that the venue refuses for now: it is asked for again after a growing, random pause.
    ///
    /// A book that follows is subscribed already: what is refused is a second subscription.
    mutating func postpone(_ topic: BitfinexTopic, at time: Timestamp) {
        guard topic.kind != .book || core.takesImage(topic.index) else { return }
        let attempt = min(attempts[topic, default: 0] + 1, 16)
        attempts[topic] = attempt
        // Not at once, as the first repetition of an image may be: the venue has just asked for patience.
        let pause = max(core.governor.delay(attempts: attempt), 250_000_000)
        let due = time.adding(nanoseconds: pause)
        if topic.kind == .book {
            core.trackers[topic.index.offset].phase = .scheduled(at: due)
        } else {
            retries.removeAll { $0.topic == topic }
            retries.append((topic, due))
        }
    }

    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        guard !retries.isEmpty else { return }
        let due = retries.filter { $0.due <= time }
        retries.removeAll { $0.due <= time }
        for retry in due { subscribe(retry.topic, into: &output) }
    }
}
