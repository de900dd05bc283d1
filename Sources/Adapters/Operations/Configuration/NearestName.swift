/// Finds what somebody meant who wrote a name that nobody knows.
enum NearestName {
    /// The name with the fewest edits, or `nil` when a third or more of it would have to change.
    static func of(_ text: String, among names: some Sequence<String>) -> String? {
        let ranked = names.map { (name: $0, edits: distance(text, $0)) }
        guard let best = ranked.min(by: { ($0.edits, $0.name) < ($1.edits, $1.name) }) else { return nil }
        return best.edits * 3 <= max(text.utf8.count, best.name.utf8.count) ? best.name : nil
    }

    /// Levenshtein's distance: insertions, deletions and replacements of bytes, ASCII case ignored.
    static func distance(_ first: String, _ second: String) -> Int {
        let other = Array(second.lowercased().utf8)
        var row = Array(0...other.count)
        for (index, byte) in first.lowercased().utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (other[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
