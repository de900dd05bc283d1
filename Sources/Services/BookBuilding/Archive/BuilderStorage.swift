import Instruments
import Logging
import MarketStore
import Store

/// What a book-builder does with PostgreSQL.
struct BuilderStorage: Sendable {
    /// What PostgreSQL said.
    enum StoreEvent: Sendable {
        case claims
        case reading(TapeReads.Request, StoredTape?)
        /// Not PostgreSQL but a venue, where PostgreSQL lacks trades.
        case answer(CandleRequests.Answer)
        case instruments([Instrument])
        /// Instruments of which something is stored.
        case tapes([InstrumentID])
    }

    let books: ArchiveQueue
    let candles: CandleQueue
    let reads: TapeReads
    let mends: CandleRequests?
    let keeper: LeaseKeeper
    private let bookArchive: SnapshotArchive
    private let candleArchive: CandleArchive
    private let database: Database
    private let retention: RetentionPolicy
    private let logger: Logger

    private static let service = "book-builder"

    init(
        _ database: Database, _ configuration: BookBuildingConfiguration, member: String, logger: Logger
    ) {
        self.database = database
        self.logger = logger
        retention = configuration.retention
        books = ArchiveQueue(maximumLevels: configuration.maximumWaitingLevels)
        candles = CandleQueue(maximum: configuration.maximumWaitingCandles)
        reads = TapeReads(database: database, logger: logger)
        keeper = LeaseKeeper(
            database: database,
            term: LeaseTerm(
                service: Self.service, instance: member, duration: configuration.leaseDuration),
            silence: .ofWon(.milliseconds(200)), logger: logger)
        let ownership = keeper.ownership
        mends =
            configuration.isBackfilling
            ? CandleRequests(
                restURL: configuration.backfillURL, sharers: { ownership.members }, logger: logger) : nil
        bookArchive = SnapshotArchive(
            database: database, queue: books, room: configuration.room, logger: logger)
        candleArchive = CandleArchive(
            database: database, queue: candles, ownership: ownership, room: configuration.room, logger: logger
        )
    }

    /// Which instruments may be published and stored.
    var ownership: Ownership { keeper.ownership }

    /// Writes until everything is written after ``finish()``.
    func write() async {
        async let first: Void = bookArchive.run()
        await candleArchive.run()
        await first
    }

    /// Nothing more is to be written.
    func finish() {
        books.finish()
        candles.finish()
    }

    /// Tends leases, reads tapes and instruments, and keeps the partitions, until it is cancelled.
    func keepUp(
        _ say: @escaping @Sendable (StoreEvent) -> Void, needsInstruments: @escaping @Sendable () -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run(changed: { say(.claims) }) }
            group.addTask { await reads.run { say(.reading($0, $1)) } }
            if let mends { group.addTask { await mends.run { say(.answer($0)) } } }
            group.addTask { await readInstruments(say, needsInstruments) }
            group.addTask { await sweep() }
            await group.waitForAll()
        }
    }

    /// Reads what is known of instruments when one is met, and every minute.
    ///
    /// Those of which something is stored are named at once: nobody has to wait for a trade to see them.
    private func readInstruments(_ say: (StoreEvent) -> Void, _ needsInstruments: () -> Bool) async {
        var seconds = 0
        var hasMet = false
        while !Task.isCancelled {
            // One that nobody has described yet is asked for less and less often within the minute.
            if seconds % 60 == 0 || seconds.nonzeroBitCount == 1 && needsInstruments() {
                // What cannot be read now is asked for again; the writers say that PostgreSQL is away.
                if let instruments = try? await database.instruments() {
                    say(.instruments(instruments))
                }
            }
            if seconds % 60 == 0 || !hasMet, let tapes = try? await database.tapes() {
                say(.tapes(tapes))
                hasMet = true
            }
            seconds += 1
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Makes the partitions that will be needed and drops those that are over; one instance does it.
    private func sweep() async {
        while !Task.isCancelled {
            do {
                for sweep in try await database.sweepPartitions(retention) where !sweep.dropped.isEmpty {
                    logger.notice(
                        "Partitions dropped", metadata: ["tables": "\(sweep.dropped.joined(separator: " "))"])
                }
            } catch {
                if !Task.isCancelled {
                    logger.warning("Partitions could not be kept", metadata: ["error": "\(error)"])
                }
            }
            try? await Task.sleep(for: .seconds(600))
        }
    }
}
