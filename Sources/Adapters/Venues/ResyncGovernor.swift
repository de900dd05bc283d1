import Instruments

/// Decides when images may be asked for: the first attempt at once, later ones after a full-jitter delay, all
/// of them within a venue's rate.
///
/// Source of the delay: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015, full jitter:
/// random between 0 and min(cap, base × 2^attempt).
struct ResyncGovernor: Sendable {
    /// Images a second in the long run.
    let rate: Int64
    /// Images at once.
    let burst: Int64
    private var credit: Int64
    private var creditedAt = Timestamp.zero
    private var random: UInt64

    /// Nanoseconds.
    private static let second: Int64 = 1_000_000_000
    /// Nanoseconds.
    private static let base: Int64 = 500_000_000
    /// Nanoseconds.
    private static let cap: Int64 = 60_000_000_000

    init(rate: Int64, burst: Int64, seed: UInt64) {
        self.rate = rate
        self.burst = burst
        credit = burst * ResyncGovernor.second
        random = seed
    }

    /// Nanoseconds to wait before an attempt; 0 for the first.
    mutating func delay(attempts: Int) -> Int64 {
        guard attempts > 0 else { return 0 }
        let ceiling = min(ResyncGovernor.cap, ResyncGovernor.base << Int64(min(attempts, 7)))
        return Int64(next() % UInt64(ceiling))
    }

    /// Takes the right to ask for one image now, if there is one.
    mutating func take(at time: Timestamp) -> Bool {
        let elapsed = max(0, time.nanoseconds(since: creditedAt))
        creditedAt = max(time, creditedAt)
        credit = min(
            burst * ResyncGovernor.second, credit &+ min(elapsed, 3_600 * ResyncGovernor.second) &* rate)
        guard credit >= ResyncGovernor.second else { return false }
        credit -= ResyncGovernor.second
        return true
    }

    /// SplitMix64.
    ///
    /// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
    private mutating func next() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        var value = random
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
