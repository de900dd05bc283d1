import Instruments
import MarketData

extension VenueOutput {
    /// Says the changes that make one book of another.
    ///
    /// - Parameters:
    ///   - index: Whose books they are.
    ///   - old: What was told.
    ///   - new: What is to be known.
    ///   - venueTime: Of the new one.
    ///   - time: When that is.
    /// - Returns: False when their numbers do not fit the same scales; then nothing was said.
    mutating func tell(
        _ index: InstrumentIndex, from old: Book, to new: Book, venueTime: Timestamp?, at time: Timestamp
    ) -> Bool {
        var (old, new) = (old, new)
        do throws(BookError) {
            try old.refine(price: new.priceScale, size: new.sizeScale)
            try new.refine(price: old.priceScale, size: old.sizeScale)
        } catch {
            return false
        }
        let start = levels.count
        // What goes first, so that the book is not crossed on the way.
        for side in [BookSide.bid, .ask] {
            let (before, after) = side == .bid ? (old.bids, new.bids) : (old.asks, new.asks)
            before.forEachLevel { level in
                guard after.size(at: level.price) == nil else { return }
                levels.append(BookLevelChange(side: side, price: level.price, size: Quantity(0)))
            }
        }
        for side in [BookSide.bid, .ask] {
            let (before, after) = side == .bid ? (old.bids, new.bids) : (old.asks, new.asks)
            after.forEachLevel { level in
                guard before.size(at: level.price) != level.size else { return }
                levels.append(BookLevelChange(side: side, price: level.price, size: level.size))
            }
        }
        guard levels.count > start else { return true }
        events.append(
            .book(
                BookEvent(
                    instrument: index, isSnapshot: false, levels: start..<levels.count,
                    priceScale: new.priceScale, sizeScale: new.sizeScale, venueTime: venueTime,
                    receivedTime: time, summary: BookSummary(new))))
        return true
    }

    /// Says a whole book.
    mutating func tellWhole(
        _ index: InstrumentIndex, _ book: Book, venueTime: Timestamp?, at time: Timestamp
    ) {
        let start = levels.count
        book.bids.forEachLevel { level in
            levels.append(BookLevelChange(side: .bid, price: level.price, size: level.size))
        }
        book.asks.forEachLevel { level in
            levels.append(BookLevelChange(side: .ask, price: level.price, size: level.size))
        }
        events.append(
            .book(
                BookEvent(
                    instrument: index, isSnapshot: true, levels: start..<levels.count,
                    priceScale: book.priceScale, sizeScale: book.sizeScale, venueTime: venueTime,
                    receivedTime: time, summary: BookSummary(book))))
    }

    /// Says what another output says of a book.
    mutating func tell(_ event: BookEvent, of other: borrowing VenueOutput) {
        var event = event
        let start = levels.count
        levels.append(contentsOf: other.levels[event.levels])
        event.levels = start..<levels.count
        events.append(.book(event))
    }

    /// Takes over what another output has counted and met, and what is to be logged of it.
    mutating func count(_ other: borrowing VenueOutput) {
        counters.add(other.counters)
        if let malformed = other.latestMalformed { latestMalformed = malformed }
        if let unusable = other.latestUnusable { latestUnusable = unusable }
    }
}

extension VenueCounters {
    /// Adds what another has counted.
    mutating func add(_ other: VenueCounters) {
        messages &+= other.messages
        malformed &+= other.malformed
        unusableTrades &+= other.unusableTrades
        unexpected &+= other.unexpected
        checksums &+= other.checksums
        checksumsRight &+= other.checksumsRight
        gaps &+= other.gaps
        resyncs &+= other.resyncs
        staleDropped &+= other.staleDropped
        refused &+= other.refused
    }
}
