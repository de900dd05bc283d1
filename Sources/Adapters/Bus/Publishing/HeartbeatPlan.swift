import Wire

/// Decides which last sequences a heartbeat names: those of every topic that was sent to in the last beats,
/// and a rotating part of the others.
///
/// Holds one number pair per topic; a beat's cost is proportional to the topics, a message's is one store.
struct HeartbeatPlan {
    /// A heartbeat is cut into messages of at most so many topics.
    static let topicsPerMessage = 2_000
    /// Beats for which a topic counts as active after it was last sent to.
    static let activeBeats: UInt32 = 5
    /// Idle topics that a beat names.
    static let idlePerBeat = 500

    private var topics: [PublisherTopic] = []
    private var lastSequence: [UInt64] = []
    private var lastBeat: [UInt32] = []
    private var beat: UInt32 = 1
    private var rotation = 0
    private var started: UInt64 = 0

    /// Remembers that a message of the topic was sent or lost.
    mutating func note(_ topic: PublisherTopic, _ sequence: UInt64) {
        // Another topic may have its place already.
        guard !topic.hasEnded else { return }
        if topic.index >= topics.count || lastSequence[topic.index] == 0 {
            learn(topic)
            started += 1
        }
        if sequence > lastSequence[topic.index] { lastSequence[topic.index] = sequence }
        lastBeat[topic.index] = beat
    }

    /// The topic's last message was sent: it is not named any more, and its place is another's.
    mutating func end(_ topic: PublisherTopic) {
        guard topic.index < topics.count, topics[topic.index] === topic, lastSequence[topic.index] != 0
        else { return }
        lastSequence[topic.index] = 0
        started -= 1
    }

    /// The messages of the next heartbeat: at least one, also when there is no topic.
    mutating func next() -> [Bitpal_V1_Heartbeat] {
        var messages: [Bitpal_V1_Heartbeat] = []
        var message = empty()
        for index in due() {
            message.topics.append(topics[index].text)
            message.sequences.append(lastSequence[index])
            if message.topics.count == Self.topicsPerMessage {
                messages.append(message)
                message = empty()
            }
        }
        if messages.isEmpty || !message.topics.isEmpty { messages.append(message) }
        beat &+= 1
        return messages
    }

    private func empty() -> Bitpal_V1_Heartbeat {
        var message = Bitpal_V1_Heartbeat()
        message.topicCount = started
        return message
    }

    private mutating func due() -> [Int] {
        var due: [Int] = []
        for index in topics.indices where lastSequence[index] != 0 && isActive(index) { due.append(index) }
        var looked = 0
        var idle = 0
        while looked < topics.count, idle < Self.idlePerBeat {
            rotation = rotation + 1 < topics.count ? rotation + 1 : 0
            looked += 1
            guard lastSequence[rotation] != 0, !isActive(rotation) else { continue }
            due.append(rotation)
            idle += 1
        }
        return due
    }

    private func isActive(_ index: Int) -> Bool { beat &- lastBeat[index] < Self.activeBeats }

    private mutating func learn(_ topic: PublisherTopic) {
        while topics.count <= topic.index {
            // Topics are handed out in order, but their first messages may come in another: the places
            // between are taken by their own topics when those come.
            topics.append(topic)
            lastSequence.append(0)
            lastBeat.append(0)
        }
        topics[topic.index] = topic
    }
}
