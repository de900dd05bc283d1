import Glibc

/// What a simulation decided, in its order, as hashes: one after each decision of all so far.
package struct DecisionTrace: Hashable, Sendable {
    private var hashes: [UInt64] = []

    var isEmpty: Bool { hashes.isEmpty }

    /// FNV-1a of 64 bits: the same in each process, unlike `Hasher`.
    mutating func add(_ decision: String) {
        var hash = hashes.last ?? 0xCBF2_9CE4_8422_2325
        for byte in decision.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hashes.append((hash ^ 0xFF) &* 0x100_0000_01B3)
    }

    /// Where another run of the same seed begins to decide otherwise, from 1; `nil` where it does not.
    func parting(from other: DecisionTrace?) -> Int? {
        let others = other?.hashes ?? []
        guard hashes != others else { return nil }
        return
            (zip(hashes, others).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(hashes.count, others.count)) + 1
    }

    /// How many decisions, and the hash of all.
    var summary: String { "\(hashes.count) \(String(hashes.last ?? 0, radix: 16))" }
}

/// The traces of a whole process, for whoever compares it with another one.
///
/// Two runs in one process cannot show that something is done in the order of a dictionary: that is another
/// in each process, and the same in both runs.
package enum DecisionTraces {
    /// The variable that names the file.
    package static let variable = "DECISION_TRACES"

    /// Notes a seed's trace, if somebody compares.
    static func note(_ trace: DecisionTrace, of seed: UInt64, at place: String) {
        guard let path = getenv(variable).map({ String(cString: $0) }),
            case let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644), file >= 0
        else { return }
        defer { close(file) }
        let bytes = Array("\(place) seed \(seed): \(trace.summary)\n".utf8)
        _ = write(file, bytes, bytes.count)
    }

    /// Seeds whose traces differ between two processes, or that only one of them has; each with its place.
    package static func differences(_ one: String, _ other: String) -> [String] {
        func seeds(_ text: String) -> [Substring: Set<Substring>] {
            let pairs = text.split(separator: "\n").compactMap { line -> (Substring, Set<Substring>)? in
                guard let colon = line.lastIndex(of: ":") else { return nil }
                return (line[..<colon], [line[colon...]])
            }
            return Dictionary(pairs) { $0.union($1) }
        }
        let (first, second) = (seeds(one), seeds(other))
        return Set(first.keys).union(second.keys).filter { first[$0] != second[$0] }.map(String.init).sorted()
    }
}
