import Instruments
import MarketState
import Synchronization

/// The bounded hand-over of closed candles to what writes them to PostgreSQL, which never blocks.
///
/// What belongs together is written together, and in the order in which it came. When too many candles wait,
/// the oldest are let go, and their instruments are named: they are made again from stored trades.
final class CandleQueue: Sendable {
    /// Candles of an instrument that belong into one transaction.
    struct Item: Sendable {
        let instrument: InstrumentID
        let candles: [Candle]
        /// Of the lease under which they were made: under a later one they may be out of date.
        let epoch: Int64
    }

    /// What the queue holds and has seen.
    struct Figures: Hashable, Sendable {
        var waiting = 0
        var highWater = 0
        var dropped: UInt64 = 0
    }

    private struct State {
        var items: [Item] = []
        var waiting = 0
        var unwritten: Set<InstrumentID> = []
        var figures = Figures()
        var isFinished = false
    }

    /// Says that there is something to write; for one consumer.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let maximum: Int
    private let state = Mutex(State())

    /// - Parameter maximum: Candles that may wait.
    init(maximum: Int) {
        self.maximum = maximum
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds candles of an instrument.
    func offer(_ candles: [Candle], of instrument: InstrumentID, epoch: Int64) {
        state.withLock { state in
            state.items.append(Item(instrument: instrument, candles: candles, epoch: epoch))
            state.waiting += candles.count
            var surplus = 0
            while state.waiting > maximum, surplus < state.items.count - 1 {
                let item = state.items[surplus]
                surplus += 1
                state.waiting -= item.candles.count
                state.figures.dropped &+= UInt64(item.candles.count)
                state.unwritten.insert(item.instrument)
            }
            if surplus > 0 { state.items.removeFirst(surplus) }
            state.figures.highWater = max(state.figures.highWater, state.waiting)
        }
        signal.yield()
    }

    /// The oldest items, of at most so many candles together but at least one item.
    func take(_ limit: Int) -> [Item] {
        state.withLock { state in
            var count = 0
            var candles = 0
            while count < state.items.count, count == 0 || candles < limit {
                candles += state.items[count].candles.count
                count += 1
            }
            let items = Array(state.items.prefix(count))
            state.items.removeFirst(count)
            state.waiting -= candles
            return items
        }
    }

    /// Instruments with candles that were not written, once nothing waits.
    func takeUnwritten() -> Set<InstrumentID> {
        state.withLock { state in
            guard state.items.isEmpty, !state.unwritten.isEmpty else { return [] }
            defer { state.unwritten = [] }
            return state.unwritten
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
            figures.waiting = state.waiting
            return figures
        }
    }
}
