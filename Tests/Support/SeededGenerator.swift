import Glibc
import Testing

/// SplitMix64: the same seed gives the same numbers on every machine.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts at a seed; neighbouring seeds give unrelated numbers.
    package init(seed: UInt64) { state = seed }

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

/// Runs `body` with one generator per case and stops at the first case that throws, naming its seed.
///
/// The body says what must hold with `try #require`, so that a case ends where it fails. Seeds are 1, 2, 3
/// and so on: an ordinary run repeats itself. `SOAK=1` runs a hundred times as many cases, `SEED=n` starts
/// from seed n.
/// `pastFailures` are seeds that once found a mistake, tried first.
package func property(
    cases: Int = 200, pastFailures: [UInt64] = [], fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column, _ body: (inout SeededGenerator) throws -> Void
) {
    let first = environment("SEED").flatMap { UInt64($0) } ?? 1
    let count = environment("SOAK") == "1" ? cases * 100 : cases
    for seed in pastFailures + (0..<UInt64(count)).map({ first &+ $0 }) {
        var generator = SeededGenerator(seed: seed)
        do {
            try body(&generator)
        } catch {
            let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
            Issue.record("fails with seed \(seed): \(error)", sourceLocation: place)
            return
        }
    }
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
