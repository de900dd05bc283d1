import Bus
import Instruments
import MarketData
import Metrics

/// What a book-builder says about itself.
struct BuilderFigures: Sendable {
    /// A book that is being recovered is explained for so many nanoseconds.
    static let patience: Int64 = 10_000_000_000

    var counts: BookSet.Counts
    var malformed: UInt64
    var refused: UInt64
    var isSynchronized: Bool
    var books: Int
    var live = 0
    /// Books that have not been live for longer than a recovery should take, with their states.
    var unexplained: [String] = []
    var gaps: UInt64 = 0
    var archive = ArchiveQueue.Figures()
    var candleArchive = CandleQueue.Figures()
    /// Instruments that are ours.
    var owned = 0
    /// Instruments whose tape is being read before anything is told of them.
    var recovering = 0
    var market = InstrumentMarket.Counts()
    var candles: UInt64
    var tickers: UInt64
    var unbelieved: UInt64
    /// Writes that PostgreSQL refused because another instance holds the lease.
    var violations: UInt64 = 0

    init(_ core: borrowing BuilderCore, at now: Timestamp) {
        counts = core.set.counts
        malformed = core.malformed
        refused = core.refused
        isSynchronized = core.isSynchronized
        books = core.set.entries.count
        candles = core.market.candles
        tickers = core.market.tickers
        unbelieved = core.board.unbelieved
        for market in core.board.markets {
            if market.phase != .idle { owned += 1 }
            if market.phase == .recovering { recovering += 1 }
            self.market.trades &+= market.counts.trades
            self.market.duplicates &+= market.counts.duplicates
            self.market.lost &+= market.counts.lost
            self.market.repairs &+= market.counts.repairs
        }
        for entry in core.set.entries {
            if entry.replica.state == .live { live += 1 }
            // Nobody wants an instrument that was unsubscribed, and nobody has one that the venue does not
            // list: that its book is empty is no fault.
            guard ![.unsubscribed, .unlisted].contains(entry.replica.reason), let since = entry.notLiveSince,
                now.nanoseconds(since: since) > Self.patience
            else { continue }
            unexplained.append("\(entry.id) \(entry.replica.state.name) (\(entry.replica.reason.name))")
        }
    }
}

/// Publishes `service.status` and the metrics, once a second.
final class BuilderStatus: Sendable {
    private let voice: StatusVoice?
    private let totals: RunningTotals
    private let books = Gauge(label: "book_books")
    private let live = Gauge(label: "book_books_live")
    private let waiting = Gauge(label: "book_archive_waiting")
    private let waitingMaximum = Gauge(label: "book_archive_waiting_max")
    private let owned = Gauge(label: "book_instruments_owned")
    private let recovering = Gauge(label: "book_instruments_recovering")
    private let waitingCandles = Gauge(label: "book_candles_waiting")

    private static let labels = [
        "book_deltas_total", "book_snapshots_total", "book_tops_published_total", "book_state_requests_total",
        "book_messages_refused_total", "book_messages_malformed_total", "book_publications_refused_total",
        "book_archive_dropped_total", "book_candles_published_total", "book_tickers_published_total",
        "book_trades_total", "book_trades_duplicate_total", "book_trades_lost_total",
        "book_trades_unbelieved_total", "book_tape_repairs_total", "book_candles_dropped_total",
        "book_epoch_violations_total",
    ]

    init(publisher: Publisher, instance: String, started: Timestamp) {
        // Whose name makes no topic is not in `bitpal status`, and works all the same.
        voice = try? StatusVoice(of: "book-builder", instance: instance, started: started, publisher)
        totals = RunningTotals(Self.labels)
    }

    func report(_ figures: BuilderFigures, _ counters: PublisherCounters) {
        totals.report([
            figures.counts.deltas, figures.counts.snapshots, figures.counts.tops, figures.counts.requests,
            figures.counts.refused, figures.malformed, figures.refused, figures.archive.dropped,
            figures.candles, figures.tickers, figures.market.trades, figures.market.duplicates,
            figures.market.lost, figures.unbelieved, figures.market.repairs, figures.candleArchive.dropped,
            figures.violations,
        ])
        books.record(figures.books)
        live.record(figures.live)
        waiting.record(figures.archive.waiting)
        waitingMaximum.record(figures.archive.highWater)
        owned.record(figures.owned)
        recovering.record(figures.recovering)
        waitingCandles.record(figures.candleArchive.waiting)
        publish(figures, counters)
    }

    private func publish(_ figures: BuilderFigures, _ counters: PublisherCounters) {
        voice?.say(
            ServiceStatus(
                isReady: figures.isSynchronized,
                figures: [
                    "books": Int64(figures.books), "books_live": Int64(figures.live),
                    "deltas": Int64(clamping: figures.counts.deltas),
                    "tops": Int64(clamping: figures.counts.tops),
                    "gaps": Int64(clamping: figures.gaps), "malformed": Int64(clamping: figures.malformed),
                    "messages_sent": Int64(clamping: counters.sent),
                    "messages_refused": Int64(clamping: counters.refused),
                    "instruments_owned": Int64(figures.owned), "recovering": Int64(figures.recovering),
                    "trades": Int64(clamping: figures.market.trades),
                    "candles": Int64(clamping: figures.candles),
                    "repairs": Int64(clamping: figures.market.repairs),
                    "epoch_violations": Int64(clamping: figures.violations),
                ]))
    }
}
