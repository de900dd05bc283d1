import Bus

/// What the bus itself says of our connection to it.
struct BusLink: Sendable, Hashable {
    /// `connecting` until the broker has confirmed the subscriptions.
    private(set) var word = ConnectionWord.connecting
    /// Producers that were not heard for a while.
    private(set) var silentProducers: Set<String> = []

    mutating func note(_ event: BusEvent) {
        switch event {
        case .synchronized: word = .live
        case .busSilent: word = .offline
        case .message: if word == .offline { word = .live }
        case .producerSilent(let name): silentProducers.insert(name)
        case .producerBack(let name), .producerRestarted(let name, _): silentProducers.remove(name)
        case .gap, .overflow, .stateAnswered, .forgotten: break
        }
    }
}
