package import Instruments

/// Finds what somebody meant who typed a symbol that nobody has.
package enum NearestNames {
    /// The names that are nearest to a symbol, best first, at most `limit`; nothing that is far from it.
    package static func symbols(
        to symbol: String, among names: some Sequence<String>, limit: Int = 5
    ) -> [String] {
        let wanted = essence(symbol)
        let ranked = Set(names).map { name in (name: name, distance: distance(wanted, essence(name))) }
            .filter { $0.distance * 2 <= max(2, wanted.count) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return ranked.prefix(limit).map(\.name)
    }

    /// The known names that are nearest to one: of its venue, else of any, else some.
    package static func words(to id: InstrumentID, known: [InstrumentID]) -> String {
        let ours = Set(known.filter { $0.venue == id.venue }.map(\.symbol))
        let near = symbols(to: id.symbol, among: ours).map { "\(id.venue):\($0)" }
        let others = symbols(to: id.symbol, among: known.map(\.symbol)).flatMap { symbol in
            known.filter { $0.symbol == symbol }.map(\.description)
        }
        let some = known.sorted().prefix(8).map(\.description)
        let names = !near.isEmpty ? near : !others.isEmpty ? others : some
        return names.joined(separator: ", ")
    }

    /// Letters and digits alone, in upper case, with the two names of bitcoin made one.
    private static func essence(_ symbol: String) -> [UInt8] {
        let plain = symbol.uppercased().filter { $0.isLetter || $0.isNumber }
        return Array(plain.replacing("XBT", with: "BTC").utf8)
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two names (Levenshtein, 1965;
    /// Damerau, 1964).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        var before = row
        for (index, byte) in left.enumerated() {
            let last = row
            row[0] = index + 1
            for column in right.indices {
                let replaced = last[column] + (right[column] == byte ? 0 : 1)
                row[column + 1] = min(replaced, row[column] + 1, last[column + 1] + 1)
                guard index > 0, column > 0, right[column - 1] == byte, right[column] == left[index - 1]
                else { continue }
                row[column + 1] = min(row[column + 1], before[column - 1] + 1)
            }
            before = last
        }
        return row[right.count]
    }
}
