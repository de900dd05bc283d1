import Bus
import Instruments
import Logging
import MarketStore
import Operations
import Metrics
import Store
import Venues
import Web
import Wire

/// Writes trades and instruments to PostgreSQL and says on the bus what is stored.
///
/// One transaction at a time, in arrival order; each is repeated until it succeeds, which the table's key
/// makes harmless. While PostgreSQL is away trades wait in the ``WriteQueue``, whose bound decides what is
/// given up.
actor TradeWriter {
    /// What the writer tells the feeds.
    struct Reports: Sendable {
        /// The newest stored trades of a venue, once in each tenure, before anything of it is stored.
        var marks: @Sendable (Venue, [InstrumentID: TradeMark]) async -> Void
        /// PostgreSQL takes trades again; from these on they were refused, until the queue is told to resume.
        var holes: @Sendable ([TradeHole]) async -> Void
    }

    private enum Outcome { case stored([StoredTrades]), poisoned(StoreError), abandoned }

    private let database: Database
    private let queue: WriteQueue
    private let publisher: Publisher
    private let venues: [VenueDescription]
    private let batchTrades: Int
    private let batchDelay: Duration
    private let room: DiskRoom?
    private let clock: @Sendable () -> Timestamp
    private let logger: Logger
    private let health: HealthComponent?
    private let reports: Reports
    private let metrics = TradeMetrics()
    private var topics: [InstrumentID: PublisherTopic] = [:]
    private var batch = OutboundBatch()
    private var backoff = Backoff(base: 100_000_000, cap: 5_000_000_000)
    /// Whether PostgreSQL refused the last writes.
    private(set) var isTroubled = false
    private var stored: [Venue: UInt64] = [:]
    /// Whether somebody reads where a venue's tape stands, and who waits for that.
    private var isReading = false
    private var readers: [CheckedContinuation<Void, Never>] = []

    init(
        database: Database, queue: WriteQueue, publisher: Publisher,
        configuration: FeedIngestionConfiguration,
        clock: @escaping @Sendable () -> Timestamp, logger: Logger, health: HealthComponent? = nil,
        reports: Reports
    ) {
        self.database = database
        self.queue = queue
        self.publisher = publisher
        venues = configuration.venues.map(\.description)
        batchTrades = configuration.batchTrades
        batchDelay = configuration.batchDelay
        room = configuration.room
        self.clock = clock
        self.logger = logger
        self.health = health
        self.reports = reports
    }

    /// Trades of a venue written since the start, those that were there already included.
    func storedCount(of venue: Venue) -> UInt64 { stored[venue, default: 0] }

    /// Runs until the queue is finished and written, or, if PostgreSQL is away then, given up.
    func run() async {
        for await _ in queue.signals { await writeWaiting() }
        await writeWaiting()
        metrics.report(queue.figures)
    }

    private func writeWaiting() async {
        while true {
            // A batch that is not full waits a little, so that one transaction serves many trades.
            let waiting = queue.count
            if waiting > 0, waiting < batchTrades, !queue.isFinished {
                try? await Task.sleep(for: batchDelay)
            }
            let work = queue.take(batchTrades)
            if work.isEmpty { break }
            if !work.instruments.isEmpty { await write(work.instruments) }
            for hole in work.holes { await write(hole) }
            if !work.trades.isEmpty { await write(work.trades) }
            metrics.report(queue.figures)
        }
        // There is room again, and PostgreSQL takes what comes.
        let holes = isTroubled || isStopping ? [] : queue.takeHoles()
        if !holes.isEmpty { await reportHoles(holes) }
    }

    private var isStopping: Bool { queue.isFinished || Task.isCancelled }

    // MARK: - Where the tape stands

    /// Reads a venue's newest stored trades before any newer one is written over the place where the last
    /// tenure ended.
    ///
    /// One venue after the other: where all are begun at once they do not take all connections.
    func reportMarks(of venue: Venue) async {
        await beginReading()
        defer { endReading() }
        while !isStopping, !Task.isCancelled {
            do {
                let rows = try await database.lastTrades(on: venue)
                succeeded()
                let marks = rows.map { row in
                    (row.instrument, QueuedTrade(instrument: row.instrument, trade: row.trade).mark)
                }
                return await reports.marks(venue, Dictionary(marks) { first, _ in first })
            } catch {
                if Task.isCancelled { return }
                await pause(after: error)
            }
        }
    }

    private func beginReading() async {
        guard isReading else {
            isReading = true
            return
        }
        await withCheckedContinuation { readers.append($0) }
    }

    private func endReading() {
        if readers.isEmpty { isReading = false } else { readers.removeFirst().resume() }
    }

    private func reportHoles(_ holes: [TradeHole]) async {
        metrics.holes.increment(by: holes.count)
        for hole in holes {
            logger.warning(
                "Trades were refused while PostgreSQL was away, fetching them again",
                metadata: [
                    "instrument": "\(hole.instrument)",
                    "after": "\(hole.after?.venueTime.iso8601 ?? "the beginning")",
                ])
        }
        await reports.holes(holes)
    }

    // MARK: - Writing

    private func write(_ instruments: [Instrument]) async {
        while true {
            do {
                _ = try await database.store(instruments, at: clock())
                succeeded()
                return
            } catch {
                if error.isPoison {
                    metrics.rejected.increment(by: instruments.count)
                    logger.error(
                        "Instruments refused",
                        metadata: ["error": "\(error)", "count": "\(instruments.count)"])
                    return
                }
                if isStopping { return }
                await pause(after: error)
            }
        }
    }

    private func write(_ hole: TradeHole) async {
        guard let after = hole.after else { return }
        let span = StoredHole(after: after.venueTime, until: hole.until?.venueTime)
        while true {
            do {
                try await database.record(span, of: hole.instrument)
                succeeded()
                break
            } catch {
                if error.isPoison || isStopping {
                    logger.error("A hole could not be recorded", metadata: ["error": "\(error)"])
                    return
                }
                await pause(after: error)
            }
        }
        guard let topic = topic(of: hole.instrument) else { return }
        // No rows and no trade: whoever follows the tape is to read it again.
        let mark = TradesStored(lastTradeID: "", lastVenueTime: after.venueTime, inserted: 0)
        batch.append(.tradesStored(hole.instrument, mark), to: topic)
        publisher.offer(&batch)
    }

    private func write(_ trades: [QueuedTrade]) async {
        // A batch that PostgreSQL refuses for what is in it is halved until the one bad trade stands alone.
        var pieces = [trades[...]]
        while let piece = pieces.popLast() {
            switch await insert(piece) {
            case .stored(let results): publish(results)
            case .poisoned(let error) where piece.count == 1:
                metrics.rejected.increment()
                logger.error(
                    "Trade refused",
                    metadata: ["instrument": "\(piece[piece.startIndex].instrument)", "error": "\(error)"])
            case .poisoned:
                let middle = piece.startIndex + piece.count / 2
                pieces.append(piece[middle...])
                pieces.append(piece[..<middle])
            case .abandoned:
                metrics.abandoned.increment(by: piece.count)
                logger.warning(
                    "Stopping while PostgreSQL is away; these trades are fetched from the venue on the next start",
                    metadata: ["trades": "\(piece.count)"])
            }
        }
    }

    private func insert(_ trades: ArraySlice<QueuedTrade>) async -> Outcome {
        var batch = TradeBatch()
        for trade in trades { batch.append(trade.trade, of: trade.instrument) }
        var provisional: Set<InstrumentID> = []
        while true {
            if let shortage = room?.shortage() {
                metrics.short.record(1)
                if isStopping { return .abandoned }
                await pause("Trades are not stored", because: "\(shortage)")
                continue
            }
            metrics.short.record(0)
            do {
                let results = try await database.insert(batch)
                succeeded()
                return .stored(results)
            } catch {
                let unknown = Set(error.unknownInstruments).subtracting(provisional)
                if !unknown.isEmpty {
                    provisional.formUnion(unknown)
                    await write(provisionalInstruments(unknown, trades))
                    continue
                }
                if error.isPoison { return .poisoned(error) }
                if isStopping { return .abandoned }
                await pause(after: error)
            }
        }
    }

    private func provisionalInstruments(
        _ ids: Set<InstrumentID>, _ trades: ArraySlice<QueuedTrade>
    ) -> [Instrument] {
        ids.sorted().compactMap { id in
            guard let venue = venues.first(where: { $0.venue == id.venue }),
                let first = trades.first(where: { $0.instrument == id })
            else { return nil }
            return Instrument(provisional: id, of: venue, after: first.trade)
        }
    }

    private func succeeded() {
        if isTroubled {
            logger.notice("PostgreSQL takes writes again")
            health?.setReady(true)
        }
        isTroubled = false
        backoff.reset()
    }

    private func pause(after error: StoreError) async {
        var atLeast: Int64 = 0
        if case .retry(let delay) = error.disposition { atLeast = delay.wholeNanoseconds }
        await pause("PostgreSQL refuses writes", because: "\(error)", atLeast: atLeast)
    }

    /// Waits before it is tried again; says once that, and why.
    private func pause(_ trouble: String, because reason: String, atLeast: Int64 = 0) async {
        metrics.retries.increment()
        if !isTroubled {
            logger.warning(
                "Writing is tried again", metadata: ["trouble": "\(trouble)", "error": "\(reason)"])
        }
        isTroubled = true
        health?.setReady(false, "\(trouble): \(reason)")
        var generator = SystemRandomNumberGenerator()
        var left = Duration.nanoseconds(backoff.delay(atLeast: atLeast, using: &generator))
        // In short steps, so that stopping does not wait for a long pause.
        while left > .zero, !isStopping {
            try? await Task.sleep(for: min(left, .milliseconds(200)))
            left -= .milliseconds(200)
        }
    }

    // MARK: - Telling

    private func publish(_ results: [StoredTrades]) {
        for result in results {
            stored[result.instrument.venue, default: 0] &+= UInt64(result.offered)
            metrics.stored.increment(by: result.inserted)
            guard let topic = topic(of: result.instrument) else { continue }
            batch.append(
                .tradesStored(
                    result.instrument,
                    TradesStored(
                        lastTradeID: result.lastTradeID, lastVenueTime: result.lastVenueTime,
                        inserted: UInt64(result.inserted))), to: topic)
        }
        // A refusal is counted by the publisher; the rows are there all the same.
        publisher.offer(&batch)
    }

    private func topic(of instrument: InstrumentID) -> PublisherTopic? {
        if let known = topics[instrument] { return known }
        // No topic is free above a bound that is far more than what is followed.
        // Who reads the table finds the trades all the same.
        let topic = try? publisher.topic(Topic.tradesStored(instrument))
        topics[instrument] = topic
        return topic
    }
}
