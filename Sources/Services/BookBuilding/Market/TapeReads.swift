import Instruments
import Logging
import Metrics
import Store
import Synchronization

/// Reads tapes that are to be read, some at a time, and hands what was read back.
///
/// Each instrument waits at most once, so their number bounds the queue.
final class TapeReads: Sendable {
    struct Request: Sendable {
        let index: Int
        let tape: ReadTape
    }

    private struct State {
        var waiting: [Request] = []
        var isFinished = false
    }

    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state = Mutex(State())
    private let database: Database
    private let logger: Logger
    private let completed = Counter(label: "book_tape_reads_total")
    private let failures = Counter(label: "book_tape_read_failures_total")

    /// Readings at a time.
    private static let workers = 2

    init(database: Database, logger: Logger) {
        self.database = database
        self.logger = logger
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.workers))
    }

    /// Reads wait.
    func offer(_ request: Request) {
        state.withLock { $0.waiting.append(request) }
        signal.yield()
    }

    /// Reads until it is cancelled.
    func run(_ deliver: @escaping @Sendable (Int, TapeReading?) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await _ in signals {
                while let request = take() {
                    if running >= Self.workers {
                        await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { deliver(request.index, await self.read(request)) }
                }
            }
            group.cancelAll()
        }
    }

    private func take() -> Request? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    private func read(_ request: Request) async -> TapeReading? {
        do {
            let reading = try await request.tape(database)
            completed.increment()
            if reading.overflows > 0 {
                logger.error(
                    "Trades do not fit their candles",
                    metadata: ["instrument": "\(request.tape.id)", "trades": "\(reading.overflows)"])
            }
            return reading
        } catch {
            failures.increment()
            if !Task.isCancelled {
                logger.warning(
                    "The tape could not be read",
                    metadata: ["instrument": "\(request.tape.id)", "error": "\(error)"])
            }
            return nil
        }
    }
}
