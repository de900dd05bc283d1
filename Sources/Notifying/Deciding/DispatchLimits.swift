/// How much is sent at once.
struct DispatchLimits: Sendable {
    /// Attempts under way in all.
    var concurrent = 256
    /// Attempts under way to one receiver, 1...4.
    var perDestination = 4
    /// Attempts to one receiver a second, and how many may come at once.
    var perSecond = 50
    /// Letters that wait for one receiver that answers, before no more are taken.
    var waiting = 64
    /// Letters that wait for all receivers together.
    var waitingInAll = 1_024
    /// Nanoseconds that an attempt may take; one with less of its claim left is not begun.
    var attemptTime: Int64 = 15_000_000_000
}
