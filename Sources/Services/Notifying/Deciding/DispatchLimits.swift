/// How much is sent at once.
struct DispatchLimits: Sendable {
    /// Attempts under way in all.
    var concurrent = 256
    /// Attempts under way by one channel, 1...4.
    var perChannel = 4
    /// Attempts under way to one host by all channels, so that one that hangs takes not all there are.
    var perHost = 64
    /// Attempts by one channel a second, and how many may come at once.
    var perSecond = 50
    /// Letters that wait for one channel that is answered, before no more are taken.
    var waiting = 64
    /// Letters above that which came with the last ones of a channel that is answered.
    var surplus = 64
    /// Letters that wait for one host.
    var waitingPerHost = 128
    /// Letters that wait in all.
    var waitingInAll = 1_024
    /// Nanoseconds that an attempt may take; one with less of its claim left is not begun.
    var attemptTime: Int64 = 15_000_000_000
}
