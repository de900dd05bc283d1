import Instruments
import MarketData
import Synchronization

/// The bounded hand-over of whole books to what writes them to PostgreSQL, which never blocks.
final class ArchiveQueue: Sendable {
    /// A book on its way.
    struct Item: Sendable {
        let instrument: InstrumentID
        let snapshot: BookSnapshot

        var levels: Int { snapshot.bids.count + snapshot.asks.count }
    }

    /// What the queue holds and has seen.
    struct Figures: Hashable, Sendable {
        var waiting = 0
        var highWater = 0
        var dropped: UInt64 = 0
    }

    private struct State {
        var items: [Item] = []
        var levels = 0
        var figures = Figures()
        var isFinished = false
    }

    /// Says that there is something to write; for one consumer.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let maximumLevels: Int
    private let state = Mutex(State())

    init(maximumLevels: Int) {
        self.maximumLevels = maximumLevels
        // One waiting signal says as much as many.
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a book; the oldest ones are dropped and counted when too many levels wait.
    func offer(_ snapshot: BookSnapshot, of instrument: InstrumentID) {
        state.withLock { state in
            let item = Item(instrument: instrument, snapshot: snapshot)
            state.items.append(item)
            state.levels += item.levels
            while state.levels > maximumLevels, state.items.count > 1 {
                state.levels -= state.items.removeFirst().levels
                state.figures.dropped &+= 1
            }
            state.figures.highWater = max(state.figures.highWater, state.items.count)
        }
        signal.yield()
    }

    /// The oldest book, `nil` when none waits.
    func take() -> Item? {
        state.withLock { state in
            guard !state.items.isEmpty else { return nil }
            let item = state.items.removeFirst()
            state.levels -= item.levels
            return item
        }
    }

    /// Nothing more comes: what waits is still written.
    func finish() {
        state.withLock { $0.isFinished = true }
        signal.finish()
    }

    /// Whether ``finish()`` was called.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// What the queue holds and has seen.
    var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            figures.waiting = state.items.count
            return figures
        }
    }
}
