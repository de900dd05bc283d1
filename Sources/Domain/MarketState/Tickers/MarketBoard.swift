public import Instruments
public import MarketData

/// What venues told last of all their markets, put together from parts; see ``MarketTickerPart``.
///
/// Bounded: what is beyond its bounds is refused. Knows no clock.
public struct MarketBoard: Sendable {
    /// What is known of a market that way.
    public struct Entry: Hashable, Sendable {
        public var ticker: MarketTicker
        /// Why it is not of now; empty when it is.
        public var stale: String
    }

    /// Venues at most.
    public static let venueLimit = 64
    /// Parts of a venue at most.
    public static let partLimit = 100
    /// Markets of a part at most.
    public static let rowLimit = 1_000

    fileprivate struct Place: Sendable {
        var part: Int
        var row: Int
    }

    fileprivate struct VenueBoard: Sendable {
        var parts: [MarketTickerPart?] = []
        var places: [String: Place] = [:]
    }

    private var venues: [Venue: VenueBoard] = [:]

    public init() {}

    /// Markets that are known.
    public var count: Int { venues.values.reduce(0) { $0 + $1.places.count } }

    /// What is known of a market.
    public subscript(id: InstrumentID) -> Entry? {
        guard let board = venues[id.venue], let place = board.places[id.symbol],
            let part = board.parts[place.part]
        else { return nil }
        return Entry(ticker: part.tickers[place.row], stale: part.stale)
    }

    /// Takes a part in the place of what it said before.
    ///
    /// - Returns: The markets of which something else is known now; `nil` where the part is beyond what is
    ///   kept.
    public mutating func take(_ part: MarketTickerPart) -> [InstrumentID]? {
        guard part.number >= 0, part.number < part.count, part.count <= Self.partLimit,
            part.tickers.count <= Self.rowLimit,
            venues[part.venue] != nil || venues.count < Self.venueLimit
        else { return nil }
        let changed = venues[part.venue, default: VenueBoard()].take(part)
        return changed.map { InstrumentID(venue: part.venue, symbol: $0) }
    }
}

extension MarketBoard.VenueBoard {
    /// Takes a part; the symbols of which something else is known.
    fileprivate mutating func take(_ part: MarketTickerPart) -> [String] {
        var changed: [String] = []
        // A venue that was begun anew may have fewer parts than before.
        while parts.count > part.count { drop(parts.count - 1, &changed) }
        while parts.count < part.count { parts.append(nil) }
        let old = parts[part.number]
        parts[part.number] = part
        let isSame = old?.stale == part.stale
        for (row, ticker) in part.tickers.enumerated() {
            let before = old.flatMap { row < $0.tickers.count ? $0.tickers[row] : nil }
            if isSame, before == ticker { continue }
            changed.append(ticker.symbol)
            // As a rule a market stays in its row, and nothing is looked up.
            if before?.symbol != ticker.symbol {
                places[ticker.symbol] = MarketBoard.Place(part: part.number, row: row)
            }
        }
        for (row, ticker) in (old?.tickers ?? []).enumerated() {
            if row < part.tickers.count, part.tickers[row].symbol == ticker.symbol { continue }
            forget(ticker.symbol, of: part.number, row, &changed)
        }
        return changed
    }

    private mutating func drop(_ number: Int, _ changed: inout [String]) {
        for (row, ticker) in (parts[number]?.tickers ?? []).enumerated() {
            forget(ticker.symbol, of: number, row, &changed)
        }
        parts.removeLast()
    }

    /// Forgets a market, unless it has another place by now.
    private mutating func forget(_ symbol: String, of part: Int, _ row: Int, _ changed: inout [String]) {
        guard let place = places[symbol], place.part == part, place.row == row else { return }
        places[symbol] = nil
        changed.append(symbol)
    }
}
