import Instruments
import Wire

/// Finds what somebody meant who typed a symbol that nobody has.
enum InstrumentNames {
    /// The names that are nearest to a symbol, best first, at most `limit`; nothing that is far from it.
    static func nearest(to symbol: String, among names: some Sequence<String>, limit: Int = 5) -> [String] {
        let wanted = essence(symbol)
        let ranked = Set(names).map { name in (name: name, distance: distance(wanted, essence(name))) }
            .filter { $0.distance * 2 <= max(2, wanted.count) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return ranked.prefix(limit).map(\.name)
    }

    /// The line for a symbol that is not there.
    static func notFound(_ id: InstrumentID, known: [InstrumentID]) -> CommandFailure {
        let symbols = Set(known.filter { $0.venue == id.venue }.map(\.symbol))
        let near = nearest(to: id.symbol, among: symbols)
        let hint: String
        if !near.isEmpty {
            hint = "did you mean \(near.joined(separator: ", "))?"
        } else if symbols.isEmpty {
            hint =
                "nothing of \(id.venue) is on the bus; `bitpal feed add \(id.venue) \(id.symbol)` asks for it"
        } else {
            let some = symbols.sorted().prefix(8).joined(separator: ", ")
            hint = "on the bus are \(some)\(symbols.count > 8 ? " and \(symbols.count - 8) more" : "")"
        }
        return CommandFailure(.notFound, "\(id) is not on the bus; \(hint)")
    }

    /// Letters and digits alone, in upper case, with the two names of bitcoin made one.
    private static func essence(_ symbol: String) -> [UInt8] {
        let plain = symbol.uppercased().filter { $0.isLetter || $0.isNumber }
        return Array(plain.replacing("XBT", with: "BTC").utf8)
    }

    /// Insertions, deletions and replacements between two names (Levenshtein, 1965).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

extension BusClient {
    /// Every instrument that the broker retains something of.
    ///
    /// - Throws: ``CommandFailure`` when the broker does not answer.
    func instruments(of venue: Venue) async throws -> [InstrumentID] {
        let name = Topic.escape(venue.rawValue)
        let state = try await state(["book.top.\(name).", "ticker.\(name)."])
        return Set(state.events.compactMap { Topic.instrument(in: $0.topic) }).sorted()
    }
}
