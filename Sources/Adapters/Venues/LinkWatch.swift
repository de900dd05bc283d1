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

    /// What its silence asks for, by the same limits.
    mutating func watch(at time: Timestamp) -> SessionCore.Watch {
        guard isConnected, time.nanoseconds(since: lastReceived) > SessionCore.idleLimit else {
            return .nothing
        }
        guard let pinged = pingedAt else {
            pingedAt = time
            return .ping
        }
        return time.nanoseconds(since: pinged) > SessionCore.idleLimit ? .reconnect : .nothing
    }
}
