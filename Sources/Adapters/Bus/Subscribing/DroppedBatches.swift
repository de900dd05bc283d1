/// Remembers what was in batches that the consumer had no room for, so that nothing is lost without a word.
///
/// Holds one gap per topic and producer and one notice per subject, however many batches are dropped.
struct DroppedBatches {
    private struct StreamKey: Hashable {
        var topic: BusTopicIndex
        var producer: BusProducerIndex
    }

    /// Live messages dropped since the consumer was last told.
    private(set) var messages = 0
    private var gaps: [StreamKey: BusGap] = [:]
    private var order: [StreamKey] = []
    private var notices: [String: BusEvent] = [:]
    /// Subscriptions that the broker confirmed; `nil` when it confirmed none.
    private var confirmed: Set<String>?

    var isEmpty: Bool { messages == 0 && gaps.isEmpty && notices.isEmpty && confirmed == nil }

    /// What of a dropped batch concerns retained state: it has to be asked for again.
    struct Lost {
        var hasRetained = false
        var answers: [BusStateAnswer] = []
        var messages = 0
    }

    /// Takes down a batch that was refused.
    mutating func note(_ batch: BusBatch) -> Lost {
        var lost = Lost()
        for event in batch.events {
            switch event {
            case .message(let message) where message.isRetained: lost.hasRetained = true
            case .message(let message):
                lost.messages += 1
                note(
                    BusGap(
                        topic: message.topic, producer: message.producer, expected: message.sequence,
                        received: nil,
                        cause: .overflow))
            case .gap(let gap):
                note(
                    BusGap(
                        topic: gap.topic, producer: gap.producer, expected: gap.expected, received: nil,
                        cause: .overflow))
            case .overflow(let count): messages += count
            case .producerSilent(let name), .producerBack(let name): notices["producer \(name)"] = event
            case .producerRestarted(let name, _):
                // It is heard again with that; what comes later does not undo that it began anew.
                notices["producer \(name)"] = nil
                notices["new \(name)"] = event
            case .busSilent: notices["bus"] = event
            case .synchronized(let prefixes):
                confirmed = (confirmed ?? []).union(prefixes)
                notices["bus"] = nil
            case .stateAnswered(let answer): lost.answers.append(answer)
            // Nothing is forgotten before the consumer has taken this: it is offered again.
            case .forgotten: break
            }
        }
        messages += lost.messages
        return lost
    }

    /// What the consumer must be told before anything else; the ledger is empty afterwards.
    mutating func settle() -> [BusEvent] {
        if isEmpty { return [] }
        var events: [BusEvent] = confirmed.map { [.synchronized($0.sorted())] } ?? []
        events += notices.sorted { $0.key < $1.key }.map(\.value)
        if messages > 0 { events.append(.overflow(messages: messages)) }
        for key in order {
            if let gap = gaps[key] { events.append(.gap(gap)) }
        }
        self = DroppedBatches()
        return events
    }

    private mutating func note(_ gap: BusGap) {
        let key = StreamKey(topic: gap.topic, producer: gap.producer)
        guard gaps[key] == nil else { return }
        gaps[key] = gap
        order.append(key)
    }
}
