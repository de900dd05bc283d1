import Instruments
import MarketData
import Venues

/// All markets of a venue as it told of them last, put together in parts; which part is to be told, and when.
///
/// A market keeps its part as long as it is listed. Decides by the times that it is given.
struct TickerTable: Sendable {
    /// Markets of a part: some 25 kilobytes of a message, ten parts of a venue of 2,500.
    static let partSize = 250
    /// Markets of a venue at most; further ones are left out and counted.
    static let limit = 20_000
    /// How long a part that stands still is silent while the venue is heard, in nanoseconds.
    static let repeatAfter: Int64 = 10_000_000_000

    private struct Place: Sendable {
        /// `nil` for a place that is free.
        var ticker: MarketTicker?
        /// The page that it was read of last; `nil` before any.
        var page: Int?
        /// Of which answer of that page.
        var answer: UInt64 = 0
    }

    private struct Part: Sendable {
        var isChanged = true
        var isStale = false
        var toldAt = Timestamp.zero
    }

    private let venue: Venue
    private let patience: Int64
    private var places: [Place] = []
    private var placesBySymbol: [String: Int] = [:]
    private var free: [Int] = []
    private var parts: [Part] = []
    private var heard = Timestamp.zero
    private var answers: UInt64 = 0
    /// Rows that there was no room for, each time.
    private(set) var refused: UInt64 = 0

    /// Nothing is known yet.
    ///
    /// - Parameters:
    ///   - venue: Whose markets.
    ///   - patience: How long the venue may be silent before its prices are not of now, in nanoseconds.
    init(_ venue: Venue, patience: Int64) { (self.venue, self.patience) = (venue, patience) }

    /// Markets that are known.
    var count: Int { placesBySymbol.count }

    /// Takes what the venue says.
    ///
    /// - Parameters:
    ///   - rows: Of some markets.
    ///   - page: The page that they are an answer of; a market of it that a whole answer does not name is no
    ///     more. `nil` for what was pushed.
    ///   - time: When it was read.
    mutating func take(_ rows: TickerRows, of page: Int?, at time: Timestamp) {
        heard = max(heard, time)
        answers += 1
        for ticker in rows.tickers { take(ticker, of: page) }
        guard let page, rows.isWhole, !rows.tickers.isEmpty else { return }
        for (index, place) in places.enumerated()
        where place.page == page && place.answer != answers && place.ticker != nil { remove(index) }
    }

    private mutating func take(_ ticker: MarketTicker, of page: Int?) {
        guard let index = placesBySymbol[ticker.symbol] ?? add(ticker.symbol) else { return refused += 1 }
        if let page { (places[index].page, places[index].answer) = (page, answers) }
        if let known = places[index].ticker {
            // A page may be older than what was pushed meanwhile.
            if let then = known.venueTime, let now = ticker.venueTime, now < then { return }
            guard known != ticker else { return }
        }
        places[index].ticker = ticker
        parts[index / Self.partSize].isChanged = true
    }

    private mutating func add(_ symbol: String) -> Int? {
        let index: Int
        if let place = free.popLast() {
            index = place
        } else {
            guard places.count < Self.limit else { return nil }
            index = places.count
            places.append(Place())
            if index / Self.partSize == parts.count { parts.append(Part()) }
        }
        placesBySymbol[symbol] = index
        return index
    }

    private mutating func remove(_ index: Int) {
        guard let ticker = places[index].ticker else { return }
        placesBySymbol[ticker.symbol] = nil
        places[index] = Place()
        free.append(index)
        parts[index / Self.partSize].isChanged = true
    }

    /// The parts that are to be told now: what changed, what stood still while the venue was heard, and what
    /// is not of now any more.
    mutating func takeDue(at now: Timestamp) -> [MarketTickerPart] {
        let isStale = now.nanoseconds(since: heard) > patience
        return parts.indices.compactMap { number in
            let told = parts[number]
            let isSilent = now.nanoseconds(since: told.toldAt) >= Self.repeatAfter && heard > told.toldAt
            guard told.isChanged || isSilent || told.isStale != isStale else { return nil }
            parts[number] = Part(isChanged: false, isStale: isStale, toldAt: now)
            return part(number, isStale: isStale)
        }
    }

    private func part(_ number: Int, isStale: Bool) -> MarketTickerPart {
        let start = number * Self.partSize
        let range = start..<min(start + Self.partSize, places.count)
        var part = MarketTickerPart(
            venue: venue, number: number, count: parts.count, receivedTime: heard,
            tickers: places[range].compactMap(\.ticker))
        if isStale { part.stale = "\(venue) has not told of its markets since \(heard.plain)" }
        return part
    }

    /// All of it is to be told, as when a broker knows nothing.
    mutating func owe() {
        for number in parts.indices { parts[number].isChanged = true }
    }

    /// One part is to be told again.
    mutating func owe(_ number: Int) {
        if parts.indices.contains(number) { parts[number].isChanged = true }
    }
}
