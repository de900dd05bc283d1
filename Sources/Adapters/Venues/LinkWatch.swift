import Instruments

/// The watch over a connection beside the first, which ``SessionCore`` watches itself.
struct LinkWatch: Sendable {
    private(set) var isConnected = false
    private var lastReceived = Timestamp.zero
    private var pingedAt: Timestamp?

    mutating func connected(at time: Timestamp) {
        isConnected = true
        received(at: time)
    }

    mutating func received(at time: Timestamp) {
        lastReceived = time
        pingedAt = nil
    }

    mutating func disconnected() { isConnected = false }

    /// What silence asks for.
    mutating func watch(at time: Timestamp, _ limit: SilenceLimit) -> SessionCore.Watch {
        guard isConnected else { return .nothing }
        return limit.watch(since: lastReceived, pinged: &pingedAt, at: time)
    }
}
