import Instruments

/// Keeps candles open while the bus is silent, and a moment longer: what is held back on the way, or was in
/// the broker when it stood still, comes after the silence, and belongs to them.
struct CandleCloseDelay: Sendable {
    /// How long after a silence what was held back may still be coming, in nanoseconds: two seconds.
    static let catchingUp: Int64 = 2_000_000_000

    private var silentAt: Timestamp?

    /// Says how it is now.
    mutating func note(isSilent: Bool, at now: Timestamp) {
        if isSilent { silentAt = now }
    }

    /// Whether venues' time may close candles now.
    func mayClose(at now: Timestamp) -> Bool {
        silentAt.map { now.nanoseconds(since: $0) > Self.catchingUp } ?? true
    }
}
