import Bus
import Instruments
import MarketData
import MarketStore
import Support
import Synchronization
import Wire

/// A feed of several books that change, and begin anew now and then: the same ones for the same seed.
///
/// It answers as feed-ingestor does: with whole books when a broker appears, or asks for one.
struct SeededBooks {
    /// So many that each of two builders has some.
    static let instruments = (0..<12).map { InstrumentID(venue: .kraken, symbol: "B\($0)/USD") }

    let truth = VenueBooks()
    private let wishes: BookWishes
    private let publisher: Publisher
    private var books: [SeededBook] = []
    private var generator: SeededGenerator
    /// Sizes that no level had before.
    private var serial: Int64 = 1_000

    init(_ publisher: Publisher, _ wishes: BookWishes, seed: UInt64) throws {
        self.publisher = publisher
        self.wishes = wishes
        generator = SeededGenerator(seed: seed)
        for id in Self.instruments {
            books.append(
                SeededBook(
                    id: id, delta: try publisher.topic(Topic.bookDelta(id)),
                    whole: try publisher.topic(Topic.bookSnapshot(id))))
        }
    }

    /// Begins each book.
    mutating func begin() async {
        for index in books.indices { await anew(index) }
    }

    /// Changes each book, or begins it anew, after what the bus wants was said.
    mutating func change() async {
        await answer()
        var batch = OutboundBatch()
        for index in books.indices {
            if generator.chance(1) {
                await publisher.publish(batch)
                batch = OutboundBatch()
                await anew(index)
            } else {
                change(index, in: &batch)
            }
        }
        await publisher.publish(batch)
    }

    /// Changes a book as the venue does and says nothing of it, nor leaves a number out: as a builder has it
    /// that passes over a gap.
    mutating func skip(_ index: Int) {
        serial += 1
        books[index].set(.bid, Price(SeededBook.bids.upperBound), Quantity(serial))
        books[index].isSpoiled = true
    }

    /// The last change of each book: one that nobody can have told before.
    mutating func finish() async {
        var batch = OutboundBatch()
        for index in books.indices {
            serial += 1
            let change = BookLevelChange(
                side: .ask, price: Price(SeededBook.asks.lowerBound), size: Quantity(serial))
            say([change], of: index, in: &batch)
        }
        await publisher.publish(batch)
    }

    /// Says the books that the bus wants.
    mutating func answer() async {
        let wanted = wishes.take()
        var batch = OutboundBatch()
        for book in books where !book.isSpoiled && (wanted.isAll || wanted.ids.contains(book.id)) {
            guard let continued = book.delta.lastPosition else { continue }
            batch.append(.bookSnapshot(book.id, book.image(after: continued)), to: book.whole)
        }
        if !batch.isEmpty { await publisher.publish(batch) }
    }

    private mutating func change(_ index: Int, in batch: inout OutboundBatch) {
        var changes: [BookLevelChange] = []
        for _ in 0..<generator.int(1...3) {
            let side = generator.pick([BookSide.bid, .ask])
            let range = side == .bid ? SeededBook.bids : SeededBook.asks
            let price = Price(Int64(generator.int(Int(range.lowerBound)...Int(range.upperBound))))
            guard !changes.contains(where: { $0.side == side && $0.price == price }) else { continue }
            let isRemoval = generator.chance(40) && books[index].mayLose(side, price)
            serial += 1
            changes.append(
                BookLevelChange(side: side, price: price, size: isRemoval ? .zero : Quantity(serial)))
            books[index].set(side, price, changes[changes.count - 1].size)
        }
        say(changes, of: index, in: &batch)
    }

    private mutating func say(
        _ changes: [BookLevelChange], of index: Int, in batch: inout OutboundBatch
    ) {
        for change in changes { books[index].set(change.side, change.price, change.size) }
        let delta = BookDelta(
            priceScale: .zero, sizeScale: .zero, changes: changes, venueTime: nil,
            receivedTime: BusClock.wall())
        batch.append(.bookDelta(books[index].id, delta), to: books[index].delta)
        note(index, books[index].sides)
    }

    /// Empties a book and fills it with other levels, as after a gap at the venue.
    private mutating func anew(_ index: Int) async {
        var batch = OutboundBatch()
        let empty = BookStateChange(state: .syncing, reason: .snapshotPending, receivedTime: .zero)
        batch.append(.bookStateChange(books[index].id, empty), to: books[index].delta)
        note(index, nil)
        await publisher.publish(batch)
        books[index].clear()
        for side in [BookSide.bid, .ask] {
            let range = side == .bid ? SeededBook.bids : SeededBook.asks
            for price in range where generator.chance(60) || price == range.lowerBound {
                serial += 1
                books[index].set(side, Price(price), Quantity(serial))
            }
        }
        note(index, books[index].sides)
        guard let continued = books[index].delta.lastPosition else { return }
        var image = OutboundBatch()
        image.append(
            .bookSnapshot(books[index].id, books[index].image(after: continued)), to: books[index].whole)
        await publisher.publish(image)
    }

    private func note(_ index: Int, _ sides: VenueBooks.Sides?) {
        guard let position = books[index].delta.lastPosition else { return }
        truth.note(books[index].id, position, sides)
    }
}

/// One of them: its levels by price, as plain as can be.
private struct SeededBook {
    static let bids: ClosedRange<Int64> = 1_000...1_011
    static let asks: ClosedRange<Int64> = 1_020...1_031

    let id: InstrumentID
    let delta: PublisherTopic
    let whole: PublisherTopic
    /// A whole book would mend what was skipped.
    var isSpoiled = false
    private var levels: [BookSide: [Price: Quantity]] = [.bid: [:], .ask: [:]]

    init(id: InstrumentID, delta: PublisherTopic, whole: PublisherTopic) {
        (self.id, self.delta, self.whole) = (id, delta, whole)
    }

    mutating func set(_ side: BookSide, _ price: Price, _ size: Quantity) {
        levels[side]?[price] = size == .zero ? nil : size
    }

    mutating func clear() { levels = [.bid: [:], .ask: [:]] }

    /// Whether there is such a level, and another one of its side.
    func mayLose(_ side: BookSide, _ price: Price) -> Bool {
        guard let side = levels[side] else { return false }
        return side[price] != nil && side.count > 1
    }

    var sides: VenueBooks.Sides {
        func side(_ side: BookSide) -> [BookLevel] {
            (levels[side] ?? [:]).map { BookLevel(price: $0.key, size: $0.value) }
                .sorted { $0.price < $1.price }
        }
        return VenueBooks.Sides(bids: side(.bid).reversed(), asks: side(.ask))
    }

    func image(after position: StreamPosition) -> BookSnapshot {
        BookSnapshot(
            state: .live, reason: .verified, priceScale: .zero, sizeScale: .zero, bids: sides.bids,
            asks: sides.asks, continues: position, venueTime: nil, receivedTime: BusClock.wall())
    }
}

/// Whole books that the bus wants from a feed.
final class BookWishes: Sendable {
    private let wanted = Mutex<(isAll: Bool, ids: Set<InstrumentID>)>((false, []))

    func hear(_ event: PublisherEvent) {
        wanted.withLock { wanted in
            switch event {
            case .brokerAppeared: wanted.isAll = true
            case .snapshotWanted(let topic):
                if let id = Topic.instrument(in: topic) { wanted.ids.insert(id) }
            case .brokerLost: break
            }
        }
    }

    /// What was wanted since the last call.
    func take() -> (isAll: Bool, ids: Set<InstrumentID>) {
        wanted.withLock { wanted in
            defer { wanted = (false, []) }
            return wanted
        }
    }
}
