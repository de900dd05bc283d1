/// Decides when a failed server is tried again: the pause doubles, with full jitter.
struct ConnectBackoff {
    private let bounds: ClosedRange<Duration>
    private var failures = 0
    private var blockedUntil: ContinuousClock.Instant?

    init(bounds: ClosedRange<Duration>) { self.bounds = bounds }

    /// How long no attempt is due; `nil` when one may be made.
    func remaining(at now: ContinuousClock.Instant) -> Duration? {
        guard let blockedUntil, blockedUntil > now else { return nil }
        return blockedUntil - now
    }

    mutating func succeeded() {
        failures = 0
        blockedUntil = nil
    }

    /// Notes a failure; the jitter is 0..<1.
    mutating func failed(at now: ContinuousClock.Instant, jitter: Double) {
        let ceiling = min(bounds.upperBound, bounds.lowerBound * (1 << min(failures, 16)))
        failures += 1
        blockedUntil = now + ceiling * jitter
    }
}
