/// Names come and go: an instance that is started again has a new one. What was silent for long is forgotten,
/// so that the tables hold what lives and not all that ever did.
extension StreamTracker {
    /// What counts as long where a table is three quarters full, nanoseconds.
    private static let crowdedSilence: Int64 = 60_000_000_000

    /// Lets time pass; that nothing at all is heard is no silence of anybody.
    mutating func listen(until now: Int64, isHearing: Bool) {
        listened.advance(to: now, isHearing: isHearing)
    }

    /// A topic's last message came.
    mutating func end(_ index: Int) {
        streams[index].hasEnded = true
        nextSweep = 0
    }

    /// What was silent for so many nanoseconds, or has ended; `nil` when nothing did or it is too early to
    /// look again.
    ///
    /// A topic is silent when neither a message of it comes nor a heartbeat names it: that of a quiet market
    /// whose publisher lives is not.
    mutating func forgettable(after silence: Int64) -> BusForgotten? {
        let isCrowded =
            producerTable.count * 4 > producerTable.limit * 3 || topics.count * 4 > topics.limit * 3
        guard isCrowded || listened.nanoseconds >= nextSweep else { return nil }
        let shorter = isCrowded ? min(silence, Self.crowdedSilence) : silence
        nextSweep = listened.nanoseconds + min(shorter / 16, Self.crowdedSilence)
        let limit = listened.nanoseconds - shorter
        var gone = BusForgotten()
        for index in streams.indices
        where topics.isUsed(index)
            && (isForgettable(streams[index], before: limit)
                || streams[index].heardAt < listened.nanoseconds - silence)
        {
            gone.topics.append(BusTopicIndex(rawValue: Int32(index)))
        }
        for index in producers.indices
        where producerTable.isUsed(index) && producers[index].listenedAt < limit {
            gone.producers.append(BusProducerIndex(rawValue: Int32(index)))
        }
        return gone.isEmpty ? nil : gone
    }

    /// Whether nobody is there who speaks on a topic: one who is there may take minutes to name it.
    private func isForgettable(_ stream: Stream, before limit: Int64) -> Bool {
        if stream.hasEnded { return true }
        guard stream.heardAt < limit else { return false }
        return stream.producer < 0 || producers[Int(stream.producer)].listenedAt < limit
    }

    /// Forgets them; their numbers are given to others from now on.
    mutating func forget(_ gone: BusForgotten, names: SubscriberNames) {
        self.names = names
        hasForgotten = true
        for topic in gone.topics {
            topics.remove(Int(topic.rawValue))
            streams[Int(topic.rawValue)] = Stream()
        }
        for producer in gone.producers {
            producerTable.remove(Int(producer.rawValue))
            producers[Int(producer.rawValue)] = Producer()
        }
        let absent = Set(gone.producers.map(\.rawValue))
        others = others.filter { key, stream in
            topics.isUsed(Int(key >> 32)) && !absent.contains(stream.producer)
        }
        for index in streams.indices where absent.contains(streams[index].producer) {
            streams[index] = Stream(isWanted: streams[index].isWanted, heardAt: streams[index].heardAt)
        }
        promote()
    }

    /// Puts the stream of another producer in the place of one that is gone, so that none stays beside an
    /// empty place.
    private mutating func promote() {
        for (key, stream) in others.sorted(by: { $0.key < $1.key }) {
            let index = Int(key >> 32)
            guard streams[index].producer < 0 else { continue }
            let (isWanted, heardAt) = (streams[index].isWanted, streams[index].heardAt)
            streams[index] = stream
            (streams[index].isWanted, streams[index].heardAt) = (isWanted, heardAt)
            others[key] = nil
        }
    }
}
