import Instruments

/// Subscriptions that the venue has not confirmed, so that those it was too busy for are asked for again.
struct UnconfirmedTopics: Sendable {
    /// One channel of one instrument.
    struct Topic: Equatable, Sendable {
        var index: InstrumentIndex
        /// A single one.
        var channel: ChannelSet
    }

    private struct Entry: Sendable {
        var topic: Topic
        /// How often it was asked for.
        var attempts = 0
        /// When it is asked for again; `nil` while its answer is awaited.
        var due: Timestamp?
    }

    private var entries: [Entry] = []

    /// A subscription is sent.
    mutating func asked(_ topic: Topic) {
        if let place = entries.firstIndex(where: { $0.topic == topic }) {
            entries[place].attempts += 1
            entries[place].due = nil
        } else {
            entries.append(Entry(topic: topic, attempts: 1))
        }
    }

    /// Whether an answer to a subscription may still come.
    func awaits(_ topic: Topic) -> Bool { entries.contains { $0.topic == topic && $0.due == nil } }

    /// A subscription has to wait for its turn.
    mutating func schedule(_ topic: Topic, at time: Timestamp) {
        settled(topic)
        entries.append(Entry(topic: topic, due: time))
    }

    /// It is answered, or not wanted any more.
    mutating func settled(_ topic: Topic) {
        entries.removeAll { $0.topic == topic }
    }

    /// Its image has come: it need not be asked for again.
    ///
    /// One whose answer is awaited may still be refused.
    mutating func brought(_ topic: Topic) {
        entries.removeAll { $0.topic == topic && $0.due != nil }
    }

    /// Nothing is awaited on a connection that is gone.
    mutating func settle(where isGone: (Topic) -> Bool) {
        entries.removeAll { isGone($0.topic) }
    }

    /// The venue is too busy for a topic; for all that await an answer, where it does not say which.
    ///
    /// Each is asked for again after a random pause that grows with its attempts.
    mutating func postpone(_ topic: Topic?, _ governor: inout ResyncGovernor, at time: Timestamp) {
        for place in entries.indices where entries[place].due == nil {
            guard topic == nil || entries[place].topic == topic else { continue }
            let delay = governor.delay(attempts: entries[place].attempts)
            entries[place].due = time.adding(nanoseconds: max(delay, 1))
        }
    }

    /// Topics that are to be asked for again now, in the order in which they were first.
    func due(at time: Timestamp) -> [Topic] {
        entries.filter { $0.due.map { $0 <= time } ?? false }.map(\.topic)
    }
}
