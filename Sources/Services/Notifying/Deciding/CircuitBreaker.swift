/// Keeps a channel from asking a receiver again and again that does not answer.
///
/// After some failures in a row nothing is sent for a while; then one attempt is made, and only if that one
/// succeeds everything flows again. Each time it fails the pause doubles.
struct CircuitBreaker {
    /// Failures in a row that open it.
    static let threshold = 5
    /// Nanoseconds.
    private static let firstPause: Int64 = 30_000_000_000
    /// Nanoseconds.
    private static let longestPause: Int64 = 600_000_000_000

    private var failures = 0
    private var pause = firstPause
    /// Until when nothing is sent; `nil` while closed.
    private(set) var openUntil: Int64?
    private var isProbing = false

    /// Whether an attempt may be made now.
    func allows(at now: Int64) -> Bool {
        guard let openUntil else { return true }
        return now >= openUntil && !isProbing
    }

    /// An attempt begins that ``allows(at:)`` let through.
    mutating func begin() { if openUntil != nil { isProbing = true } }

    /// An attempt was answered, whatever the answer.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - asked: Nanoseconds for which the receiver asks to be left alone; that is no failure.
    mutating func answered(at now: Int64, asked: Int64 = 0) {
        self = CircuitBreaker()
        if asked > 0 { openUntil = now + asked }
    }

    /// An attempt was not made after all.
    mutating func withdrew() { isProbing = false }

    /// An attempt failed.
    ///
    /// - Parameter now: The time.
    mutating func failed(at now: Int64) {
        failures += 1
        let wasProbe = isProbing
        isProbing = false
        if wasProbe { pause = min(pause * 2, Self.longestPause) }
        let isOver = failures >= Self.threshold || wasProbe
        guard isOver else { return }
        openUntil = max(openUntil ?? 0, now + pause)
    }
}
