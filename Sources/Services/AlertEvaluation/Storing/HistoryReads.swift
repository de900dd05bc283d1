import Alerting
import Instruments
import Logging
import MarketData
import MarketState
import MarketStore
import Metrics
import Store

/// Reads stored trades and candles that are to be evaluated, page by page, some instruments at a time.
///
/// Each instrument waits at most once with its tape and once with each interval, so their number bounds the
/// queue.
final class HistoryReads: Sendable {
    enum Request: Hashable, Sendable {
        case trades(Int, TapeRequest)
        /// Closed candles that begin after a time.
        case closes(Int, InstrumentID, interval: Int64, after: Timestamp)
        /// The last closed candles before a new rule, to warm its indicator up.
        case warmth(Int, InstrumentID, interval: Int64, rule: RuleID)
    }

    enum Answer: Sendable {
        /// The last trade before what is wanted.
        case before(Trade)
        /// Trades in their order; false ends the reading.
        case page([Trade])
        /// Everything that was stored was handed over; false when it could not be read.
        case end(isRead: Bool)
        /// Candles in their order; `nil` when they could not be read.
        case closes([ClosedCandle]?)
    }

    private let queue = ReadQueue<Request>(workers: 2)
    private let database: Database
    private let logger: Logger
    private let reads = Counter(label: "alert_tape_reads_total")
    private let failures = Counter(label: "alert_tape_read_failures_total")

    /// Rows of a read.
    private static let page = 2_000
    /// Closed candles that warm an indicator up.
    private static let warmth = 500
    /// Closed candles of one reading: more than two months of minutes.
    private static let closesLimit = 100_000

    init(database: Database, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Reads wait.
    func offer(_ request: Request) { queue.offer(request) }

    /// Reads until it is cancelled; `deliver` says whether to go on.
    func run(_ deliver: @escaping @Sendable (Request, Answer) -> Bool) async {
        await queue.run { await self.read($0, deliver) }
    }

    private func read(_ request: Request, _ deliver: (Request, Answer) -> Bool) async {
        do throws(StoreError) {
            switch request {
            case .trades(_, let tape): try await read(tape) { deliver(request, $0) }
            case .closes(_, let id, let interval, let after):
                let from = after.adding(nanoseconds: 1)
                _ = deliver(request, .closes(try await closes(id, interval, from, Self.closesLimit)))
            case .warmth(_, let id, let interval, _):
                let from = Timestamp(nanoseconds: .min)
                _ = deliver(request, .closes(try await closes(id, interval, from, Self.warmth)))
            }
            reads.increment()
        } catch {
            failures.increment()
            if !Task.isCancelled {
                logger.debug("Stored data could not be read", metadata: ["error": "\(error)"])
            }
            switch request {
            case .trades: _ = deliver(request, .end(isRead: false))
            case .closes, .warmth: _ = deliver(request, .closes(nil))
            }
        }
    }

    private func read(_ tape: TapeRequest, _ deliver: (Answer) -> Bool) async throws(StoreError) {
        if tape.armsBefore,
            let last = try await database.recentTrades(of: tape.id, limit: 1, before: tape.from).first,
            !deliver(.before(last))
        {
            return
        }
        var (from, limit) = (tape.from, Self.page)
        while true {
            let end = Timestamp(nanoseconds: .max)
            let trades = try await database.trades(of: tape.id, from: from, to: end, limit: limit)
            guard deliver(.page(trades)) else { return }
            guard trades.count == limit, let last = trades.last else { break }
            // More of one instant than fit a page.
            if last.venueTime == from { limit *= 2 } else { from = last.venueTime }
        }
        _ = deliver(.end(isRead: true))
    }

    private func closes(
        _ id: InstrumentID, _ interval: Int64, _ from: Timestamp, _ limit: Int
    ) async throws(StoreError) -> [ClosedCandle] {
        guard let length = CandleInterval(seconds: interval / 1_000_000_000) else { return [] }
        let end = Timestamp(nanoseconds: .max)
        let rows = try await database.candles(of: id, length, from: from, to: end, limit: limit)
        return rows.reversed().filter { $0.flags.contains(.closed) }.map { row in
            ClosedCandle(
                interval: interval, start: row.start, close: row.close, priceScale: row.priceScale,
                receivedTime: row.closeTime)
        }
    }
}
