import Instruments
import Synchronization

/// The bounded hand-over from the feeds to what writes to PostgreSQL, which never blocks.
final class WriteQueue: Sendable {
    /// What is to be written next.
    struct Work: Sendable {
        var instruments: [Instrument]
        /// What cannot be had of their tapes.
        var holes: [TradeHole] = []
        var trades: [QueuedTrade]

        var isEmpty: Bool { instruments.isEmpty && holes.isEmpty && trades.isEmpty }
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
        /// Holes that are not written yet: one per instrument and reconnection.
        var holes: [TradeHole] = []
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

    /// Adds a hole that nobody can fill; of too many the widest is kept of each instrument.
    func offer(_ hole: TradeHole) {
        guard hole.after != nil else { return }
        state.withLock { state in
            state.holes.append(hole)
            if state.holes.count > Self.maximumHoles { state.holes = Self.joined(state.holes) }
        }
        signal.yield()
    }

    private static let maximumHoles = 10_000

    /// One hole of each instrument, from its first to its last.
    private static func joined(_ holes: [TradeHole]) -> [TradeHole] {
        Dictionary(grouping: holes, by: \.instrument).compactMap { id, holes in
            TradeHole(instrument: id, after: holes.first?.after, until: holes.last?.until)
        }
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
            defer { state.holes.removeAll() }
            return Work(
                instruments: instruments, holes: state.holes, trades: state.backlog.take(limit))
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
