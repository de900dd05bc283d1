import Instruments

/// Subscriptions that a venue refused because it was busy: each is asked for again after a growing pause.
struct RefusedTopics: Sendable {
    /// The least pause, nanoseconds.
    static let pause: Int64 = 1_000_000_000

    private var attempts: [String: Int] = [:]
    private var due: [(topic: String, at: Timestamp)] = []

    /// Has a topic asked for again, unless that is planned already.
    mutating func refuse(_ topic: String, at time: Timestamp, _ governor: inout ResyncGovernor) {
        guard !due.contains(where: { $0.topic == topic }) else { return }
        let attempt = attempts[topic, default: 0] + 1
        attempts[topic] = attempt
        let delay = Self.pause + governor.delay(attempts: attempt)
        due.append((topic, time.adding(nanoseconds: delay)))
    }

    /// The topic was granted, or nobody wants it any more.
    mutating func forget(_ topic: String) {
        guard !attempts.isEmpty else { return }
        attempts[topic] = nil
        due.removeAll { $0.topic == topic }
    }

    /// The topics to ask for now.
    mutating func takeDue(at time: Timestamp) -> [String] {
        guard !due.isEmpty else { return [] }
        let ready = due.filter { $0.at <= time }.map(\.topic)
        due.removeAll { $0.at <= time }
        return ready
    }

    /// A new connection begins without any.
    mutating func removeAll() {
        attempts.removeAll()
        due.removeAll()
    }
}
