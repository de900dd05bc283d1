import Instruments
import MarketData
import Support

/// A random publisher of one book, with what is true after each of its messages.
struct BookProducer {
    enum Message {
        case delta(BookDelta, StreamPosition)
        case state(BookStateChange, StreamPosition)
        case snapshot(BookSnapshot)
    }

    private(set) var position = StreamPosition(producer: "feed", epoch: 10, sequence: 0)
    private(set) var book = Book(priceScale: .zero, sizeScale: .zero)
    private(set) var state = BookState.syncing
    /// The book and its state after every message of every life.
    private(set) var truth: [StreamPosition: (book: Book, state: BookState)] = [:]

    /// What the producer does next: one message of the delta stream, a snapshot, both, or a new life.
    mutating func step(_ rng: inout SeededGenerator) -> [Message] {
        switch rng.int(1...100) {
        case 1...2: return startAgain(&rng)
        case 3...8: return [empty(.sequenceGap)]
        case 9...20: return [snapshot()]
        case 21...24: return [lowered()]
        case 25...32: return [declare(rng.pick([.live, .suspect, .stale]))]
        default: return state == .syncing ? [fill(&rng)] : [change(&rng)]
        }
    }

    /// Empties the book and fills it, without a word of it, and returns the snapshot that says it all.
    mutating func freshSnapshot(_ rng: inout SeededGenerator) -> Message {
        _ = empty(.snapshotReplaced)
        return fill(&rng)
    }

    mutating func change(_ rng: inout SeededGenerator) -> Message {
        if rng.chance(5), let finer = Scale(min(book.priceScale.places + 1, 4)) {
            // The levels are small: they always fit.
            try? book.refine(price: finer, size: rng.chance(50) ? finer : .zero)
        }
        let changes = (0..<rng.int(1...4)).map { _ in
            BookLevelChange(
                side: rng.pick(BookSide.allCases), price: Price(Int64(rng.int(1...8))),
                size: Quantity(Int64(rng.int(0...4))))
        }
        for change in changes { book.apply(change) }
        let delta = BookDelta(
            priceScale: book.priceScale, sizeScale: book.sizeScale, changes: changes, venueTime: nil,
            receivedTime: .zero)
        return .delta(delta, advance())
    }

    mutating func fill(_ rng: inout SeededGenerator) -> Message {
        book = Book(priceScale: .zero, sizeScale: .zero)
        for _ in 0..<rng.int(0...5) {
            book.set(
                rng.pick(BookSide.allCases), Price(Int64(rng.int(1...8))), Quantity(Int64(rng.int(1...4))))
        }
        state = .live
        truth[position] = (book, state)
        return snapshot()
    }

    func snapshot() -> Message {
        let (bids, asks) = book.top(.max)
        return .snapshot(
            BookSnapshot(
                state: state, reason: .verified, priceScale: book.priceScale, sizeScale: book.sizeScale,
                bids: bids,
                asks: asks, continues: position, venueTime: nil, receivedTime: .zero))
    }

    /// A snapshot by a follower that heard nothing for a while.
    private func lowered() -> Message {
        guard state == .live, case .snapshot(var lowered) = snapshot() else { return snapshot() }
        lowered.state = .stale
        lowered.reason = .busSilent
        return .snapshot(lowered)
    }

    private mutating func empty(_ reason: BookStateReason) -> Message {
        book.clear()
        state = .syncing
        return .state(BookStateChange(state: .syncing, reason: reason, receivedTime: .zero), advance())
    }

    /// A book without levels stays `syncing`, whatever is declared of it.
    private mutating func declare(_ declared: BookState) -> Message {
        if state != .syncing { state = declared }
        let change = BookStateChange(state: declared, reason: .feedSilent, receivedTime: .zero)
        return .state(change, advance())
    }

    private mutating func startAgain(_ rng: inout SeededGenerator) -> [Message] {
        position = StreamPosition(
            producer: rng.pick(["feed", "other"]), epoch: position.epoch + UInt64(rng.int(1...3)), sequence: 0
        )
        book.clear()
        state = .syncing
        truth[position] = (book, state)
        return rng.chance(80) ? [empty(.connecting)] : []
    }

    private mutating func advance() -> StreamPosition {
        position.sequence += 1
        truth[position] = (book, state)
        return position
    }
}

/// What the broker answers with: the last snapshot and every message of the delta stream since it.
struct RetainedBook {
    private(set) var messages: [BookProducer.Message] = []

    mutating func keep(_ message: BookProducer.Message) {
        if case .snapshot = message { messages = [] }
        messages.append(message)
    }
}
