package import Instruments

/// Something that was said on the bus, with when we heard it and of whom.
package struct ReceivedValue<Value: Sendable>: Sendable {
    /// What was said.
    package var value: Value
    /// By our own clock; of what the broker had kept, when it was published if that is earlier.
    package var time: Timestamp
    /// Who said it.
    var producer: String

    /// Nanoseconds since it was heard, 0 or more.
    func age(at now: Timestamp) -> Int64 { max(0, now.nanoseconds(since: time)) }
}

/// How well this process is connected to the bus.
package struct BusConnectionState: Sendable, Hashable {
    /// In the words that a person sees.
    package enum Word: String, CaseIterable, Sendable, Hashable {
        /// What is shown is what the venue has.
        case live
        /// On the way there.
        case connecting
        /// The bus or the venue cannot be reached.
        case offline
        /// It was right and may not be any more.
        case stale
        /// Something contradicts what is shown.
        case error
    }

    /// `connecting` until the broker has confirmed the subscriptions.
    package private(set) var word = Word.connecting
    /// Producers of which nothing was heard for three seconds.
    private(set) var silentProducers: Set<String> = []

    /// Why what a producer said may be out of date; `nil` when it is not.
    func doubt(about producer: String) -> String? {
        if word == .offline { return "the bus is silent" }
        return silentProducers.contains(producer) ? "nothing is heard of \(producer)" : nil
    }

    /// Whether what was said may be out of date.
    func isDoubted<Value>(_ said: ReceivedValue<Value>) -> Bool { doubt(about: said.producer) != nil }

    /// Says that a message came.
    mutating func hear() { if word == .offline { word = .live } }

    mutating func synchronize() { word = .live }

    mutating func fallSilent() { word = .offline }

    mutating func lose(_ producer: String) { silentProducers.insert(producer) }

    /// Nothing is known any more that they said.
    mutating func forget(_ producers: Set<String>) { silentProducers.subtract(producers) }

    mutating func regain(_ producer: String) { silentProducers.remove(producer) }
}
