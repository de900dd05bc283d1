/// SplitMix64: the same seed gives the same numbers on every machine.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    private var trace: DecisionTrace?

    /// Starts at a seed; neighbouring seeds give unrelated numbers.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - isTraced: Whether what a simulation decides is compared with another run of the seed.
    package init(seed: UInt64, isTraced: Bool = false) {
        state = seed
        trace = isTraced ? DecisionTrace() : nil
    }

    /// Notes what a simulation has decided, in words that are the same in each process.
    package mutating func note(_ decision: @autoclosure () -> String) { trace?.add(decision()) }

    /// What was decided, and how much chance was used for it; `nil` where nothing was noted.
    ///
    /// Source: FoundationDB, "Simulation and Testing": two runs of a seed end with the same random number.
    package var outcome: DecisionTrace? {
        guard var trace, !trace.isEmpty else { return nil }
        trace.add("then \(state)")
        return trace
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range.
    package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True so many times in a hundred.
    package mutating func chance(_ percent: Int) -> Bool { int(1...100) <= percent }

    /// One of these.
    ///
    /// - Precondition: `choices` is not empty.
    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[int(0...choices.count - 1)] }
}
