/// Which faults happen, by a seed, and how many of each did.
struct FaultDice: Sendable {
    private(set) var counts: [FaultKind: Int] = [:]
    private var rates: [FaultKind: Int] = [:]
    private var random: SplitMix64

    /// Of a kind that is named twice the later rate holds.
    init(_ faults: [Fault], seed: UInt64) {
        for fault in faults { rates[fault.kind] = fault.rate }
        random = SplitMix64(seed: seed)
    }

    /// Whether a fault of this kind may happen at all.
    func knows(_ kind: FaultKind) -> Bool { rates[kind] != nil }

    /// Whether one of these kinds happens now.
    mutating func happens(_ kind: FaultKind) -> Bool {
        guard let rate = rates[kind] else { return false }
        return number(0...Fault.whole - 1) < rate
    }

    /// Takes down that one happened.
    mutating func note(_ kind: FaultKind) { counts[kind, default: 0] += 1 }

    /// A number of a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// A length of time of a range of milliseconds, in nanoseconds.
    mutating func time(milliseconds: ClosedRange<Int>) -> Int64 { Int64(number(milliseconds)) * 1_000_000 }

    /// Nothing happens from now on.
    mutating func rest() { rates = [:] }
}
