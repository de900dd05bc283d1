import Instruments

/// What a session asked for and the venue has not confirmed; what it refuses because it has too much to do
/// is asked for again after a growing, random pause, each topic for itself.
struct TopicBackoff<Topic: Hashable & Sendable>: Sendable {
    private struct Wait: Sendable {
        /// How often it was refused in a row.
        var refusals = 0
        /// When it is asked for again; `nil` while an answer is awaited.
        var due: Timestamp?
    }

    /// In the order in which they were asked for, so that a run can be repeated.
    private var order: [Topic] = []
    private var waits: [Topic: Wait] = [:]

    /// Topics without a confirmation, in the order in which they were asked for.
    var unconfirmed: [Topic] { order }

    /// A topic was asked for.
    mutating func asked(_ topic: Topic) {
        if waits[topic] == nil {
            order.append(topic)
            waits[topic] = Wait()
        } else {
            waits[topic]?.due = nil
        }
    }

    /// A topic was confirmed, or nobody wants it any more.
    mutating func settled(_ topic: Topic) {
        guard waits.removeValue(forKey: topic) != nil else { return }
        order.removeAll { $0 == topic }
    }

    /// The connection is gone with everything that was asked on it.
    mutating func removeAll() {
        order.removeAll()
        waits.removeAll()
    }

    /// The venue refuses a topic for now.
    mutating func refused(_ topic: Topic, by governor: inout ResyncGovernor, at time: Timestamp) {
        guard var wait = waits[topic], wait.due == nil else { return }
        wait.refusals += 1
        // Never at once: the venue has just asked for patience.
        let pause = max(governor.delay(attempts: wait.refusals), 100_000_000)
        wait.due = time.adding(nanoseconds: pause)
        waits[topic] = wait
    }

    /// Topics that are to be asked for again now; they wait for an answer from here on.
    mutating func takeDue(at time: Timestamp) -> [Topic] {
        guard !order.isEmpty else { return [] }
        let due = order.filter { topic in waits[topic]?.due.map { $0 <= time } ?? false }
        for topic in due { waits[topic]?.due = nil }
        return due
    }
}
