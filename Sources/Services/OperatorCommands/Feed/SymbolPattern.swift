import Instruments

/// Many instruments of a venue in one word, such as `*/USDT`: each `*` stands for any text, also none.
///
/// It is compared with the venue's symbol and with base and quote, `BTC/USDT`, whichever way the venue writes
/// them; large and small letters are the same.
struct SymbolPattern: Hashable, Sendable {
    private let pieces: [String]

    /// Whether a word is a pattern, and no symbol.
    static func isOne(_ text: String) -> Bool { text.contains("*") }

    init(_ text: String) {
        pieces = text.lowercased().split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether it means an instrument.
    func matches(_ instrument: Instrument) -> Bool {
        matches(instrument.id.symbol) || matches("\(instrument.base)/\(instrument.quote)")
    }

    /// Whether it means a symbol.
    func matches(_ symbol: String) -> Bool {
        var rest = symbol.lowercased()[...]
        guard let first = pieces.first, let last = pieces.last, rest.hasPrefix(first) else { return false }
        guard pieces.count > 1 else { return rest == first }
        rest = rest.dropFirst(first.count)
        // The earliest place for each piece leaves the most to the next.
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
