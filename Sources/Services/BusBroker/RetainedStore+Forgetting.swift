import Bus

/// Names come and go: an instance that is started again has a new one. What was silent for long is forgotten,
/// so that memory and answers hold what lives and not all that ever did.
extension RetainedStore {
    /// What counts as long where a table is three quarters full.
    private static let crowdedSilence = BrokerLimits.minute

    /// Forgets what was silent for long and what has ended; called about once a second.
    mutating func forget(now: Int64) {
        listened.advance(to: now)
        let isCrowded =
            producerTable.count * 4 > producerTable.limit * 3 || topics.count * 4 > topics.limit * 3
        guard isCrowded || listened.nanoseconds >= nextSweep else { return }
        let silence = isCrowded ? min(limits.silence, Self.crowdedSilence) : limits.silence
        // Often enough that it is not much more, and not so often that looking costs anything.
        nextSweep = listened.nanoseconds + min(silence / 16, BrokerLimits.minute)
        sweep(before: listened.nanoseconds - silence)
    }

    /// The topic's last message came: what was retained of it goes at once, the name with the next sweep.
    mutating func end(_ index: Int) {
        nextSweep = 0
        switch records[index].kind {
        case .passing, .heartbeat: break
        case .lastValue: dropValue(of: index)
        case .delta(let book), .snapshot(let book): dropRetention(of: book)
        }
    }

    /// A heartbeat names topics that live, also those of which nothing comes: field 1 of the envelope's field
    /// 40.
    ///
    /// Source: `HeartbeatPlan`: a beat names 500 idle ones, all of 200,000 in less than seven minutes.
    mutating func hear(_ envelope: UnsafeRawBufferPointer, of producer: Int) {
        guard let heartbeat = EnvelopeScan.event(40, in: envelope) else { return }
        var reader = ProtoReader(heartbeat)
        while let field = reader.next() {
            guard field.number == 1, let name = field.bytes else { continue }
            producers[producer].namesTopics = true
            if let index = topics.find(name) { records[index].heardAt = listened.nanoseconds }
        }
    }

    private mutating func sweep(before limit: Int64) {
        var isGone = false
        var isNeeded = Array(repeating: false, count: producers.count)
        for index in records.indices where topics.isUsed(index) {
            if isForgettable(records[index], before: limit) {
                forget(topic: index)
                isGone = true
            } else if records[index].producer >= 0 {
                isNeeded[Int(records[index].producer)] = true
            }
        }
        if isGone { closeRetained() }
        forgetProducers(before: limit, except: &isNeeded)
    }

    /// Whether nobody speaks on a topic any more.
    ///
    /// State stays as long as who said it lives and names it, however long ago it was said; of what only
    /// passes there is nothing to keep but its number.
    private func isForgettable(_ record: Record, before limit: Int64) -> Bool {
        if record.hasEnded { return true }
        guard record.heardAt < limit else { return false }
        guard record.kind.isRetained else { return true }
        guard record.producer >= 0 else { return true }
        let producer = producers[Int(record.producer)]
        if producer.listenedAt < limit || producer.epoch != record.epoch { return true }
        // Also where tables are crowded: it takes minutes until all are named.
        return producer.namesTopics && record.heardAt < listened.nanoseconds - limits.silence
    }

    private mutating func forget(topic index: Int) {
        switch records[index].kind {
        case .passing, .heartbeat: break
        case .lastValue: dropValue(of: index)
        case .delta(let book), .snapshot(let book):
            books[book].topics -= 1
            if books[book].topics == 0 {
                dropRetention(of: book)
                bookTable.remove(book)
            }
        }
        records[index] = Record(kind: .passing, life: 0)
        topics.remove(index)
        figures.forgottenTopics &+= 1
    }

    private mutating func dropValue(of index: Int) {
        guard !records[index].value.isEmpty else { return }
        figures.retainedMessages -= 1
        figures.retainedBytes -= records[index].value.count
        records[index].value = []
    }

    private mutating func dropRetention(of book: Int) {
        figures.retainedBytes -= books[book].retention.byteCount
        figures.retainedMessages -= Self.messages(of: books[book].retention)
        books[book].retention = BookRetention()
    }

    /// Takes topics that are gone out of the order, before their numbers are given to others.
    private mutating func closeRetained() {
        sortedCount = retained[..<sortedCount].count { topics.isUsed(Int($0)) }
        retained.removeAll { !topics.isUsed(Int($0)) }
    }

    /// Forgets producers that are silent and that nothing which is left refers to.
    private mutating func forgetProducers(before limit: Int64, except isNeeded: inout [Bool]) {
        for book in books where book.topics > 0 {
            for position in [book.retention.last, book.retention.continues] {
                if let position { isNeeded[Int(position.producer)] = true }
            }
        }
        for index in producers.indices where producerTable.isUsed(index) && !isNeeded[index] {
            guard producers[index].listenedAt < limit else { continue }
            producerTable.remove(index)
            producers[index] = Producer()
            figures.forgottenProducers &+= 1
        }
    }
}
