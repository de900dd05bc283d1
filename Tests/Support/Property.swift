import Glibc
import Testing

/// Runs `body` with one generator per case and stops at the first case that throws, naming its seed.
///
/// The body says what must hold with `try #require`, so that a case ends where it fails. Seeds are 1, 2, 3
/// and so on: an ordinary run repeats itself. `SOAK=1` runs a hundred times as many cases, `SEED=n` starts
/// from seed n, `CASES=n` runs no more than so many.
///
/// A body that notes decisions (``SeededGenerator/note(_:)``) is a simulation: the first twenty seeds, with
/// `SOAK=1` all, are run twice, and must decide the same both times.
///
/// `pastFailures` are seeds that once found a mistake, tried first.
package func property(
    cases: Int = 200, pastFailures: [UInt64] = [], fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column, _ body: (inout SeededGenerator) throws -> Void
) {
    let first = environment("SEED").flatMap { UInt64($0) } ?? 1
    let isSoak = environment("SOAK") == "1"
    let most = environment("CASES").flatMap { Int($0) } ?? .max
    let count = min(isSoak ? cases * 100 : cases, most)
    let seeds = pastFailures.prefix(most) + (0..<UInt64(count)).map { first &+ $0 }
    for (number, seed) in seeds.enumerated() {
        do {
            try run(seed, twice: isSoak || number < repeatedSeeds, at: "\(fileID):\(line)", body)
        } catch {
            let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
            Issue.record("fails with seed \(seed): \(error)", sourceLocation: place)
            return
        }
    }
}

private let repeatedSeeds = 20

private func run(
    _ seed: UInt64, twice isRepeated: Bool, at place: String, _ body: (inout SeededGenerator) throws -> Void
) throws {
    var generator = SeededGenerator(seed: seed, isTraced: isRepeated)
    try body(&generator)
    guard let trace = generator.outcome else { return }
    DecisionTraces.note(trace, of: seed, at: place)
    var again = SeededGenerator(seed: seed, isTraced: true)
    try body(&again)
    guard let parting = trace.parting(from: again.outcome) else { return }
    throw PropertyFailure("decision \(parting) is another when the seed is run again")
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
