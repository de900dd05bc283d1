import Instruments
import Synchronization

/// The bounded hand-over from the feeds to what writes to PostgreSQL, which never blocks.
final class WriteQueue: Sendable {
    /// What is to be written next.
    struct Work: Sendable {
        var instruments: [Instrument]
        var trades: [QueuedTrade]

        var isEmpty: Bool { instruments.isEmpty && trades.isEmpty }
    }

    /// What the queue holds and has seen.
    struct Figures: Hashable, Sendable {
        var waiting = 0
        var highWater = 0
        var refused: UInt64 = 0
    }

    private struct State {
        var backlog: TradeBacklog
        /// The latest definition of each instrument that is not written yet; as many as there are
        /// instruments.
        var instruments: [InstrumentID: Instrument] = [:]
        var isFinished = false
    }

    /// Says that there is something to write; for one consumer.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state: Mutex<State>

    init(maximumTrades: Int) {
        state = Mutex(State(backlog: TradeBacklog(maximum: maximumTrades)))
        // One waiting signal says as much as many.
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds trades; returns how many were refused.
    func offer(_ trades: [QueuedTrade]) -> Int {
        let (refused, wasEmpty) = state.withLock { state in
            let wasEmpty = state.backlog.isEmpty
            return (state.backlog.append(trades), wasEmpty)
        }
        if wasEmpty { signal.yield() }
        return refused
    }

    /// Adds what a venue says of an instrument.
    func offer(_ instrument: Instrument) {
        state.withLock { $0.instruments[instrument.id] = instrument }
        signal.yield()
    }

    /// Takes nothing more to wait for: what waits is still written.
    func finish() {
        state.withLock { $0.isFinished = true }
        signal.finish()
    }

    /// Whether ``finish()`` was called.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Definitions, and the oldest trades up to `limit`.
    func take(_ limit: Int) -> Work {
        state.withLock { state in
            let instruments = state.instruments.values.sorted { $0.id < $1.id }
            state.instruments.removeAll(keepingCapacity: true)
            return Work(instruments: instruments, trades: state.backlog.take(limit))
        }
    }

    /// Where trades were refused since the last call; they go on being refused until ``resume(_:)``.
    func takeHoles() -> [TradeHole] { state.withLock { $0.backlog.takeHoles() } }

    /// Takes trades of an instrument again: whoever resumes it sees to what is missing before them.
    func resume(_ instrument: InstrumentID) { state.withLock { $0.backlog.resume(instrument) } }

    /// Trades that wait.
    var count: Int { state.withLock { $0.backlog.count } }

    /// Trades of one venue that wait.
    func count(of venue: Venue) -> Int { state.withLock { $0.backlog.count(of: venue) } }

    /// What the queue holds and has seen.
    var figures: Figures {
        state.withLock { state in
            Figures(
                waiting: state.backlog.count, highWater: state.backlog.highWater,
                refused: state.backlog.refused)
        }
    }
}
