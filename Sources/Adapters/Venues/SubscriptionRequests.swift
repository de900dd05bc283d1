import Instruments

/// What a session has asked its venue to send and has no answer to yet, and what it will ask for again.
struct SubscriptionRequests: Sendable {
    /// Topics that are asked for again at a time.
    private struct Retry: Sendable {
        var topics: [String]
        var due: Timestamp
    }

    private var number = 0
    /// Topics of subscriptions without an answer, by their number.
    private var open: [Int: [String]] = [:]
    private var retries: [Retry] = []
    /// How often a topic was put off since the connection was opened.
    private var attempts: [String: Int] = [:]

    /// A number for a request that is no subscription.
    mutating func next() -> Int {
        number += 1
        return number
    }

    /// A number for a subscription, whose topics are kept until its answer.
    mutating func next(subscribingTo topics: [String]) -> Int {
        number += 1
        open[number] = topics
        return number
    }

    /// The topics of a subscription that has been answered; none where no other had this number.
    mutating func answered(_ number: Int?) -> [String] {
        number.flatMap { open.removeValue(forKey: $0) } ?? []
    }

    /// The venue has too much to do: topics are asked for again after a random pause, which grows each time.
    mutating func putOff(_ topics: [String], at time: Timestamp, by governor: inout ResyncGovernor) {
        var most = 1
        for topic in topics {
            let count = (attempts[topic] ?? 0) + 1
            attempts[topic] = count
            most = max(most, count)
        }
        let due = time.adding(nanoseconds: governor.delay(attempts: most))
        retries.append(Retry(topics: topics, due: due))
    }

    /// Topics that are to be asked for again now.
    mutating func takeDue(at time: Timestamp) -> [String] {
        guard retries.contains(where: { $0.due <= time }) else { return [] }
        let due = retries.filter { $0.due <= time }.flatMap(\.topics)
        retries.removeAll { $0.due <= time }
        return due
    }

    /// A new connection knows nothing of what was asked on the one before.
    mutating func forget() {
        open = [:]
        retries = []
        attempts = [:]
    }
}

extension UnsafeRawBufferPointer {
    /// The first quoted text that begins with a literal; for the rare frame that could not be read.
    func quoted(beginning literal: StaticString) -> UnsafeRawBufferPointer? {
        let length = literal.utf8CodeUnitCount
        let wanted = UnsafeBufferPointer(start: literal.utf8Start, count: length)
        for text in split(separator: 0x22) where text.starts(with: wanted) {
            return UnsafeRawBufferPointer(rebasing: text)
        }
        return nil
    }
}
