import Bus

/// What answers about state are made of.
extension RetainedStore {
    /// One thing that an answer consists of.
    ///
    /// It is good while the topic or book lives that had the number when it was asked for.
    enum Unit: Hashable {
        case value(topic: Int, life: UInt64)
        case book(Int, life: UInt64, snapshot: Bool, deltas: Bool)
    }

    /// What an answer about these prefixes consists of, each topic once.
    mutating func units(under prefixes: [String]) -> [Unit] {
        sort()
        var units: [Unit] = []
        var placeOfBook: [Int: Int] = [:]
        var seen: Set<Int32> = []
        for prefix in prefixes {
            let bytes = Array(prefix.utf8)
            for topic in retained[range(of: bytes)] where seen.insert(topic).inserted {
                switch records[Int(topic)].kind {
                case .passing, .heartbeat: break
                case .lastValue:
                    units.append(.value(topic: Int(topic), life: records[Int(topic)].life))
                case .delta(let book), .snapshot(let book):
                    var isDelta = false
                    if case .delta = records[Int(topic)].kind { isDelta = true }
                    let life = books[book].life
                    if let place = placeOfBook[book] {
                        units[place] = .book(book, life: life, snapshot: true, deltas: true)
                    } else {
                        placeOfBook[book] = units.count
                        units.append(.book(book, life: life, snapshot: !isDelta, deltas: isDelta))
                    }
                }
            }
        }
        return units
    }

    /// Appends what is kept of the unit now; returns the book if it is incomplete and should be asked for.
    mutating func append(_ unit: Unit, to answer: inout AnswerFrames, now: Int64) -> Int? {
        switch unit {
        case .value(let topic, let life):
            guard records[topic].life == life, !records[topic].value.isEmpty else { return nil }
            records[topic].value.withUnsafeBytes { value in
                topics.withName(topic) { answer.append($0, value) }
            }
            return nil
        case .book(let book, let life, let snapshot, let deltas):
            guard books[book].life == life, books[book].topics > 0 else { return nil }
            let name = bookTable.text(book)
            let retention = books[book].retention
            if snapshot, !retention.snapshot.isEmpty {
                answer.append(Array("book.snapshot.\(name)".utf8), retention.snapshot)
            }
            if deltas {
                let topic = Array("book.delta.\(name)".utf8)
                topic.withUnsafeBytes { topic in retention.forEachDelta { answer.append(topic, $0) } }
            }
            guard !retention.isComplete else { return nil }
            answer.appendIncomplete("book.\(deltas ? "delta" : "snapshot").\(name)")
            return ask(book, now) ? book : nil
        }
    }

    private mutating func sort() {
        guard sortedCount < retained.count else { return }
        let topics = topics
        retained.sort { left, right in
            topics.withName(Int(left)) { left in
                topics.withName(Int(right)) { right in left.lexicographicallyPrecedes(right) }
            }
        }
        sortedCount = retained.count
    }

    /// Where the topics with this prefix lie among the sorted ones.
    private func range(of prefix: [UInt8]) -> Range<Int> {
        func first(_ isBefore: (UnsafeRawBufferPointer) -> Bool) -> Int {
            var (low, high) = (0, retained.count)
            while low < high {
                let middle = (low + high) / 2
                if topics.withName(Int(retained[middle]), isBefore) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }
        let start = first { $0.lexicographicallyPrecedes(prefix) }
        let end = first { $0.lexicographicallyPrecedes(prefix) || $0.starts(with: prefix) }
        return start..<end
    }
}
