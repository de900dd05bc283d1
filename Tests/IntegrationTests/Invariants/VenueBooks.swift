import Bus
import Instruments
import MarketData
import Support
import Synchronization
import Wire

/// What the venue's books are after each message of a feed, and what is wrong with what is told of them.
///
/// Invariant I1: a book that is told as live is the venue's, level by level, at the message that it names.
/// Whoever is behind is not wrong, so that nothing here depends on who is how fast.
final class VenueBooks: Sendable {
    /// All levels, best first.
    struct Sides: Hashable, Sendable {
        var bids: [BookLevel]
        var asks: [BookLevel]
    }

    private struct Place: Hashable { var id: InstrumentID; var position: StreamPosition }

    private struct State {
        var books: [Place: Sides] = [:]
        var last: [InstrumentID: StreamPosition] = [:]
        var toldLive: [InstrumentID: StreamPosition] = [:]
        var faults: [String] = []
        var judged = 0
        /// Topics that something was lost of.
        var lost: Set<String> = []
    }

    private let state = Mutex(State())

    /// What was told that the invariant forbids; empty where it holds.
    var faults: [String] { state.withLock { $0.faults } }

    /// How many messages of live books were compared.
    var judged: Int { state.withLock { $0.judged } }

    /// Says what a book is after a message; `nil` for one of which nothing is known there.
    ///
    /// Said before the message is: whoever follows cannot be faster.
    func note(_ id: InstrumentID, _ position: StreamPosition, _ sides: Sides?) {
        state.withLock { state in
            state.books[Place(id: id, position: position)] = sides
            state.last[id] = position
        }
    }

    /// Topics of which something was lost since the last call.
    func takeLost() -> [String] {
        state.withLock { state in
            defer { state.lost = [] }
            return state.lost.sorted()
        }
    }

    /// A book that was not told as live after its last message; `nil` where all were.
    func missing() -> String? {
        state.withLock { state in
            let behind = state.last.filter { state.toldLive[$0.key] != $0.value }
            guard let one = behind.min(by: { $0.key.symbol < $1.key.symbol }) else { return nil }
            let told = state.toldLive[one.key].map { "\($0)" } ?? "nothing"
            return "\(behind.count) books are behind; \(one.key) is at \(one.value), told is \(told)"
        }
    }

    /// Judges what was told.
    func take(_ batch: BusBatch) throws {
        for event in batch.events {
            switch event {
            case .gap(let gap):
                let topic = batch.topic(gap.topic)
                if topic.hasPrefix("book.") { state.withLock { _ = $0.lost.insert(topic) } }
            case .message(let message):
                let producer = batch.producer(message.producer)
                guard producer.hasPrefix("book-builder") else { continue }
                if let told = ToldBook(try batch.decode(message)) { judge(told, by: producer) }
            default: break
            }
        }
    }

    private func judge(_ told: ToldBook, by producer: String) {
        guard told.isLive else { return }
        state.withLock { state in
            state.judged += 1
            if let fault = Self.fault(of: told, in: state.books) {
                if state.faults.count < 20 { state.faults.append("\(fault), by \(producer)") }
            }
            // What the broker keeps may come after what is newer.
            guard told.isWholeDepth, let at = told.at, state.last[told.id] == at else { return }
            state.toldLive[told.id] = at
        }
    }

    private static func fault(of told: ToldBook, in books: [Place: Sides]) -> String? {
        guard let at = told.at else { return "\(told.id) is told as live and names no message" }
        guard let sides = books[Place(id: told.id, position: at)] else {
            return "\(told.id) is told as live at \(at), where the venue's book is not known"
        }
        if told.says(sides) { return nil }
        return "\(told.id) is told as live at \(at) with \(told.text), and is \(sides)"
    }
}

/// What a message tells of a book: all of it, its best levels, or its best prices.
private struct ToldBook {
    var id: InstrumentID
    var at: StreamPosition?
    var isLive: Bool
    var bids: [BookLevel]
    var asks: [BookLevel]
    /// How many levels of a side are told at the most.
    var limit: Int
    /// Levels of both sides of the whole book, where they are told.
    var counts: [Int]?

    var isWholeDepth: Bool { counts != nil }
    var text: String { "bids \(bids), asks \(asks)" }

    init?(_ event: WireEvent) {
        switch event {
        case .bookSnapshot(let id, let book):
            self.init(
                id: id, at: book.continues, isLive: book.state == .live, bids: book.bids, asks: book.asks,
                limit: .max, counts: nil)
        case .bookTop(let id, let top):
            self.init(
                id: id, at: top.at, isLive: top.state == .live, bids: top.bid.map { [$0] } ?? [],
                asks: top.ask.map { [$0] } ?? [], limit: 1, counts: nil)
        case .bookDepth(let id, let depth):
            let at = StreamPosition(
                producer: depth.at.producer, epoch: depth.at.epoch, sequence: depth.at.sequence)
            self.init(
                id: id, at: depth.hasAt ? at : nil, isLive: depth.state == .live,
                bids: Self.levels(depth.bidPrices, depth.bidSizes),
                asks: Self.levels(depth.askPrices, depth.askSizes), limit: 25,
                counts: [Int(depth.bidCount), Int(depth.askCount)])
        default: return nil
        }
    }

    private init(
        id: InstrumentID, at: StreamPosition?, isLive: Bool, bids: [BookLevel], asks: [BookLevel],
        limit: Int, counts: [Int]?
    ) {
        (self.id, self.at, self.isLive) = (id, at, isLive)
        (self.bids, self.asks, self.limit, self.counts) = (bids, asks, limit, counts)
    }

    private static func levels(_ prices: [Int64], _ sizes: [Int64]) -> [BookLevel] {
        zip(prices, sizes).map { BookLevel(price: Price(rawValue: $0), size: Quantity(rawValue: $1)) }
    }

    func says(_ sides: VenueBooks.Sides) -> Bool {
        guard counts == nil || counts == [sides.bids.count, sides.asks.count] else { return false }
        return bids == Array(sides.bids.prefix(limit)) && asks == Array(sides.asks.prefix(limit))
    }
}
