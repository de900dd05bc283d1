package import MarketData
import MarketState

/// The newest trades of an instrument: stored ones and those that came live.
package struct TradeRing: Sendable {
    /// How many are kept.
    package static let limit = 100

    /// By the venue's time, and as they came among equals; the newest last.
    private(set) var trades: [Trade] = []
    /// The number of the last trade that came live, from 1.
    private(set) var number: UInt64 = 0
    /// How often stored trades changed what was there.
    private(set) var renewals: UInt64 = 0
    /// Whether a trade may be missing between the stored and the live ones.
    var seam: TapeSeam
    /// The last that came live, as they came.
    private var arrivals: [Trade] = []

    /// An empty one; its number is another one for each of an instrument.
    init(number: UInt64 = 0) { seam = TapeSeam(number: number) }

    /// Adds a live trade; one that is there already changes nothing.
    mutating func append(_ trade: Trade) {
        seam.hear(trade)
        guard !Self.contains(trades, trade), !Self.contains(arrivals, trade) else { return }
        arrivals.append(trade)
        number += 1
        if arrivals.count > Self.limit { arrivals.removeFirst() }
        // Venues tell late ones late.
        let place = trades.lastIndex { $0.venueTime <= trade.venueTime }.map { $0 + 1 } ?? 0
        trades.insert(trade, at: place)
        if trades.count > Self.limit { trades.removeFirst() }
    }

    /// Puts the newest stored trades, newest first, where they belong.
    ///
    /// - Returns: Whether anything is different now.
    @discardableResult
    mutating func fill(_ stored: [Trade]) -> Bool {
        let newest = Self.joined(trades, stored).suffix(Self.limit)
        guard !newest.elementsEqual(trades) else { return false }
        trades = Array(newest)
        renewals += 1
        return true
    }

    /// What is kept and what is stored in one list, oldest first.
    ///
    /// Trades are stored in the order in which they came: of one instant those that came after the last one
    /// that is stored are newer than what is stored, the others older than what was read of it.
    private static func joined(_ kept: [Trade], _ stored: [Trade]) -> [Trade] {
        let names = Set(stored.map(Name.init))
        let split = kept.lastIndex { names.contains(Name($0)) } ?? -1
        let older = kept.prefix(split + 1).filter { !names.contains(Name($0)) }
        let all = older + stored.reversed() + kept.suffix(from: split + 1)
        return all.enumerated().sorted {
            ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset)
        }.map(\.element)
    }

    /// The newest trades, without a hole, followed by stored ones that are older; both newest first.
    package static func continued(_ newest: [Trade], by stored: [Trade]) -> [Trade] {
        let names = Set(newest.map(Name.init))
        return newest + stored.filter { !names.contains(Name($0)) }
    }

    private struct Name: Hashable {
        let id: String
        let isAggregate: Bool

        init(_ trade: Trade) { (id, isAggregate) = (trade.id, trade.isAggregate) }
    }

    /// Whether live trades after a number are kept no more.
    func hasForgotten(after number: UInt64) -> Bool {
        self.number > number && self.number - number > UInt64(arrivals.count)
    }

    /// Live trades after a number, as they came, as far as they are kept.
    func trades(after number: UInt64) -> ArraySlice<Trade> {
        arrivals.suffix(Int(clamping: self.number - min(number, self.number)))
    }

    private static func contains(_ trades: [Trade], _ trade: Trade) -> Bool {
        trades.contains { $0.id == trade.id && $0.isAggregate == trade.isAggregate }
    }
}
