import Instruments
import Logging
import Metrics
import Store

/// Reads tapes that are to be read, some at a time, and hands what was read back.
///
/// Each instrument waits at most once and a lease, so the instruments bound the queue.
final class TapeReads: Sendable {
    struct Request: Sendable {
        /// Of the market.
        let index: Int
        /// Of the market's readings.
        let number: UInt64
        let tape: ReadTape
    }

    private let queue = ReadQueue<Request>(workers: 2)
    private let database: Database
    private let logger: Logger
    private let completed = Counter(label: "book_tape_reads_total")
    private let failures = Counter(label: "book_tape_read_failures_total")

    init(database: Database, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Reads wait.
    func offer(_ request: Request) { queue.offer(request) }

    /// Reads until it is cancelled.
    func run(_ deliver: @escaping @Sendable (Request, StoredTape?) -> Void) async {
        await queue.run { deliver($0, await self.read($0)) }
    }

    private func read(_ request: Request) async -> StoredTape? {
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
