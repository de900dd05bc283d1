/// What trades, where: a venue and the venue's own symbol, written `kraken:BTC/USD`.
public struct InstrumentID: Hashable, Sendable, Comparable {
    /// The venue that trades it.
    public let venue: Venue
    /// The symbol in the venue's own spelling; never empty.
    public let symbol: String

    /// Joins a venue and a symbol.
    public init(venue: Venue, symbol: String) {
        self.venue = venue
        self.symbol = symbol
    }

    /// Orders by venue, then by symbol.
    public static func < (left: InstrumentID, right: InstrumentID) -> Bool {
        left.venue == right.venue ? left.symbol < right.symbol : left.venue < right.venue
    }
}

extension InstrumentID: LosslessStringConvertible {
    /// Splits `venue:symbol` at the first colon; `nil` when either part is empty.
    public init?(_ text: String) {
        // Bytes, not characters: a combining mark at the start of a symbol would join on to the colon.
        guard let colon = text.utf8.firstIndex(of: 0x3A) else { return nil }
        let venue = text[..<colon]
        let symbol = text[text.utf8.index(after: colon)...]
        guard !venue.isEmpty, !symbol.isEmpty else { return nil }
        self.init(venue: Venue(rawValue: String(venue)), symbol: String(symbol))
    }

    /// `venue:symbol`.
    public var description: String { "\(venue.rawValue):\(symbol)" }
}
