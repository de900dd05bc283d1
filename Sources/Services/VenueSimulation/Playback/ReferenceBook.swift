import Instruments
import MarketData
import Venues

/// A venue's own book of one instrument at the playback position, with what its texts are made of.
struct ReferenceBook {
    let symbol: String
    let index: InstrumentIndex
    let session: any VenueSession
    let book: Book
    /// The recorded message that was played last of it; `nil` where it came by REST alone.
    let last: [UInt8]?

    /// `nil` while the recording has not given the whole book.
    init?(_ symbol: String, in session: any VenueSession, last: [UInt8]?) {
        guard let index = session.registry.find(symbol), let book = session.book(of: index) else {
            return nil
        }
        switch session.state(of: index) {
        case .live, .suspect: break
        case .syncing, .stale: return nil
        }
        self.symbol = symbol
        self.index = index
        self.session = session
        self.book = book
        self.last = last
    }

    /// The best levels of both sides, best first.
    func top(_ depth: Int) -> BookSides {
        let top = book.top(depth)
        return BookSides(bids: top.bids, asks: top.asks)
    }
}

/// Levels of both sides, best first.
struct BookSides: Hashable, Sendable {
    var bids: [BookLevel] = []
    var asks: [BookLevel] = []

    func levels(_ side: BookSide) -> [BookLevel] { side == .bid ? bids : asks }
}

/// What became of one level of a view of the best levels.
struct ViewChange: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A level that the view did not have.
        case added
        /// Another size.
        case resized
        /// Gone from the book.
        case removed
        /// Still in the book, but below the view.
        case pushedOut
    }

    var kind: Kind
    var side: BookSide
    var level: BookLevel

    /// What leads from one view of a book to the next, best levels first, bids before asks.
    static func between(_ old: BookSides, _ new: BookSides, in book: Book) -> [ViewChange] {
        [BookSide.bid, .ask].flatMap { side in
            let before = Dictionary(old.levels(side).map { ($0.price, $0.size) }) { _, last in last }
            let after = Set(new.levels(side).map(\.price))
            let ladder = side == .bid ? book.bids : book.asks
            var changes: [ViewChange] = []
            for level in old.levels(side) where !after.contains(level.price) {
                let isDeeper = ladder.size(at: level.price) != nil
                changes.append(ViewChange(kind: isDeeper ? .pushedOut : .removed, side: side, level: level))
            }
            for level in new.levels(side) where before[level.price] != level.size {
                let kind: Kind = before[level.price] == nil ? .added : .resized
                changes.append(ViewChange(kind: kind, side: side, level: level))
            }
            return changes
        }
    }
}
