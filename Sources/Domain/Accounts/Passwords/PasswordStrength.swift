/// How hard a password is to guess, for a meter.
///
/// The cheapest way to build the password out of pieces is found: words of ``CommonPasswords`` and of the
/// account, repetitions, rows of following characters, years, and single characters. What each piece costs an
/// attacker is counted in bits; the sum is the estimate.
package struct PasswordStrength: Hashable, Sendable {
    /// Guesses that are needed, as a power of two.
    package let bits: Int

    /// 0 (guessed at once) to 4 (very hard).
    package var score: Int { [20, 32, 45, 64].count { bits >= $0 } }

    /// Estimates.
    ///
    /// - Parameters:
    ///   - password: At most 256 characters are looked at.
    ///   - context: Words that an attacker who knows the account tries first, in lower case.
    /// - Complexity: Its length times the longest word's.
    init(of password: String, context: Set<String>) {
        let raw = Array(password.lowercased().unicodeScalars.prefix(256))
        let plain = raw.map { Self.unmasked[$0] ?? $0 }
        // The cheapest way to the first n characters, in bits.
        var cheapest = [Int](repeating: 0, count: raw.count + 1)
        for end in 1...max(raw.count, 1) where !raw.isEmpty {
            var best = cheapest[end - 1] + Self.single(raw[end - 1])
            for start in max(0, end - Self.longest)..<end {
                guard let cost = Self.cost(raw[start..<end], plain[start..<end], context) else { continue }
                best = min(best, cheapest[start] + cost)
            }
            cheapest[end] = best
        }
        bits = Self.withoutRepetition(raw, cheapest)
    }

    private static let longest = 26

    /// What digits and signs stand for in words.
    private static let unmasked: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
    ]

    /// A character for itself: out of 10 digits, 26 letters, or all others.
    private static func single(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "0"..."9": 3
        case "a"..."z": 5
        default: scalar.isASCII ? 6 : 7
        }
    }

    private static func cost(
        _ raw: ArraySlice<Unicode.Scalar>, _ plain: ArraySlice<Unicode.Scalar>, _ context: Set<String>
    ) -> Int? {
        guard raw.count >= 3 else { return nil }
        if isRow(raw) { return 6 }
        let text = String(String.UnicodeScalarView(raw))
        if context.contains(text) { return 4 }
        if raw.count == 4, let year = Int(text), CommonPasswords.years.contains(year) { return 7 }
        if CommonPasswords.all.contains(text) { return 12 }
        let word = String(String.UnicodeScalarView(plain))
        if context.contains(word) { return 6 }
        return CommonPasswords.all.contains(word) ? 14 : nil
    }

    /// The same character again and again, or each the next or previous one.
    private static func isRow(_ raw: ArraySlice<Unicode.Scalar>) -> Bool {
        let values = raw.map { Int($0.value) }
        let step = values[1] - values[0]
        return (-1...1).contains(step) && zip(values, values.dropFirst()).allSatisfy { $1 - $0 == step }
    }

    /// What a whole that repeats its beginning costs: the beginning, and how often.
    private static func withoutRepetition(_ raw: [Unicode.Scalar], _ cheapest: [Int]) -> Int {
        var best = cheapest[raw.count]
        for unit in 1..<max(raw.count, 1) where unit <= raw.count / 2 {
            if (unit..<raw.count).allSatisfy({ raw[$0] == raw[$0 - unit] }) {
                best = min(best, cheapest[unit] + 4)
                break
            }
        }
        return best
    }
}
