import Instruments
import MarketData

/// One instrument's book with what may be believed of it and how far its recovery is.
///
/// It decides which events tell the story of a book truthfully: a state that takes trust away is said before
/// the levels that need it, a state that gives trust back after them.
struct BookTracker: Sendable {
    /// How far the book is on its way to being whole.
    enum Phase: Hashable, Sendable {
        /// Nobody wants it.
        case idle
        /// The image has been asked for.
        case waiting(since: Timestamp)
        /// The image will be asked for at a time.
        case scheduled(at: Timestamp)
        /// Whole, and following the venue.
        case following
    }

    let index: InstrumentIndex
    var book: Book
    private(set) var state = BookState.syncing
    private(set) var reason = BookStateReason.connecting
    var phase = Phase.idle
    /// Images asked for since the book was last healthy for long.
    var attempts = 0
    private var liveSince = Timestamp.zero

    init(index: InstrumentIndex, priceScale: Scale, sizeScale: Scale) {
        self.index = index
        book = Book(priceScale: priceScale, sizeScale: sizeScale)
    }

    @inline(__always) var isFollowing: Bool {
        if case .following = phase { return true }
        return false
    }

    /// Says a state if it is not the one already said.
    mutating func declare(
        _ newState: BookState, _ newReason: BookStateReason, _ detail: String = "", at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard newState != state || newReason != reason else { return }
        if newState == .live { liveSince = time }
        state = newState
        reason = newReason
        output.events.append(
            .state(
                index,
                BookStateChange(state: newState, reason: newReason, detail: detail, receivedTime: time)))
    }

    /// Empties the book and says why; the image is due at `due`.
    mutating func lose(
        _ reason: BookStateReason, _ detail: String, due: Timestamp, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        // A minute of health forgives the attempts before it.
        if state == .live, time.nanoseconds(since: liveSince) > 60_000_000_000 { attempts = 0 }
        declare(.syncing, reason, detail, at: time, into: &output)
        book.clear()
        phase = .scheduled(at: due)
    }

    /// Says the whole book, which replaces whatever was there, and makes it live or, if it is crossed,
    /// suspect.
    mutating func publishSnapshot(venueTime: Timestamp?, at time: Timestamp, into output: inout VenueOutput) {
        if state != .syncing { declare(.syncing, .snapshotReplaced, at: time, into: &output) }
        phase = .following
        let start = output.levels.count
        output.levels.reserveCapacity(start + book.bidCount + book.askCount)
        book.bids.forEachLevel { level in
            output.levels.append(BookLevelChange(side: .bid, price: level.price, size: level.size))
        }
        book.asks.forEachLevel { level in
            output.levels.append(BookLevelChange(side: .ask, price: level.price, size: level.size))
        }
        state = book.isCrossed ? .suspect : .live
        reason = book.isCrossed ? .crossed : .verified
        liveSince = time
        append(from: start, isSnapshot: true, venueTime: venueTime, at: time, into: &output)
    }

    /// Says changes that were applied, with the state around them.
    ///
    /// Returns whether the book is crossed for the second message in a row, which no venue's order of
    /// messages explains.
    @inline(__always)
    mutating func publishDelta(
        from start: Int, venueTime: Timestamp?, at time: Timestamp, into output: inout VenueOutput
    ) -> Bool {
        let isCrossed = book.isCrossed
        let wasCrossed = state == .suspect && reason == .crossed
        if isCrossed, !wasCrossed { declare(.suspect, .crossed, at: time, into: &output) }
        append(from: start, isSnapshot: false, venueTime: venueTime, at: time, into: &output)
        if !isCrossed, wasCrossed { declare(.live, .verified, at: time, into: &output) }
        return isCrossed && wasCrossed
    }

    @inline(__always)
    private func append(
        from start: Int, isSnapshot: Bool, venueTime: Timestamp?, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        output.events.append(
            .book(
                BookEvent(
                    instrument: index, isSnapshot: isSnapshot, levels: start..<output.levels.count,
                    priceScale: book.priceScale, sizeScale: book.sizeScale, venueTime: venueTime,
                    receivedTime: time, summary: BookSummary(book))))
    }
}
