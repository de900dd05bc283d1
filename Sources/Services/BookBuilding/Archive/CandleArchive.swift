import Instruments
import Logging
import MarketStore
import Metrics
import Operations
import Store

/// Writes closed candles to PostgreSQL under this instance's leases.
///
/// One transaction at a time, repeated until it succeeds, which is harmless: equal candles are left alone.
/// While PostgreSQL is away, or its disk is nearly full, candles wait in the ``CandleQueue``. Candles of
/// instruments whose lease is not held are not written: their new owner makes them from stored trades.
actor CandleArchive {
    private let database: Database
    private let queue: CandleQueue
    private let ownership: Ownership
    private let room: DiskRoom?
    private let logger: Logger
    private let stored = Counter(label: "book_candles_stored_total")
    private let rejected = Counter(label: "book_candles_rejected_total")
    private let foreign = Counter(label: "book_candles_not_ours_total")
    private let retries = Counter(label: "book_candle_retries_total")
    private let short = Gauge(label: "book_store_disk_short")
    private var isTroubled = false

    private static let batch = 2_000

    init(
        database: Database, queue: CandleQueue, ownership: Ownership, room: DiskRoom? = nil, logger: Logger
    ) {
        self.database = database
        self.queue = queue
        self.ownership = ownership
        self.room = room
        self.logger = logger
    }

    /// Runs until the queue is finished and written, or, if PostgreSQL is away then, given up.
    func run() async {
        for await _ in queue.signals { await writeWaiting() }
        await writeWaiting()
    }

    private func writeWaiting() async {
        while true {
            let items = queue.take(Self.batch)
            if items.isEmpty { return }
            await write(items)
        }
    }

    private func write(_ items: [CandleQueue.Item]) async {
        var attempt = 0
        while true {
            guard await hasRoom(attempt: &attempt) else { return }
            let claims = ownership.claims(at: .now)
            let batch = batch(items, claims)
            do {
                let result = try await database.store(batch, under: claims)
                stored.increment(by: result.written)
                if isTroubled { logger.notice("PostgreSQL takes candles again") }
                isTroubled = false
                return
            } catch {
                if case .leaseLost(let shards)? = error.bodyError as? MarketStoreError {
                    ownership.lose(shards, claims)
                    continue
                }
                if await !isWorthAnother(error, items, attempt: &attempt) { return }
            }
        }
    }

    private func batch(_ items: [CandleQueue.Item], _ claims: LeaseClaims) -> CandleBatch {
        var batch = CandleBatch()
        for item in items {
            guard claims.epochs[Shard(of: item.instrument)] == item.epoch else {
                foreign.increment(by: item.candles.count)
                continue
            }
            for candle in item.candles {
                guard let row = CandleRow(candle) else {
                    rejected.increment()
                    continue
                }
                batch.append(row, of: item.instrument)
            }
        }
        return batch
    }

    private func isWorthAnother(
        _ error: StoreError, _ items: [CandleQueue.Item], attempt: inout Int
    ) async -> Bool {
        if !isTroubled { logger.warning("PostgreSQL refuses candles", metadata: ["error": "\(error)"]) }
        isTroubled = true
        // Source: PostgreSQL 15 documentation, appendix A: class 22 is data exceptions, 23 integrity.
        let state = error.sqlState ?? ""
        if state.hasPrefix("22") || state.hasPrefix("23") {
            rejected.increment(by: items.count)
            return false
        }
        return await isWaited(attempt: &attempt)
    }

    /// Waits until there is room; `false` when that did not come until everything stops.
    private func hasRoom(attempt: inout Int) async -> Bool {
        while let shortage = room?.shortage() {
            short.record(1)
            if !isTroubled {
                logger.warning("Neither books nor candles are stored", metadata: ["why": "\(shortage)"])
            }
            isTroubled = true
            guard await isWaited(attempt: &attempt) else { return false }
        }
        short.record(0)
        return true
    }

    /// Waits before another attempt, in short steps; `false` when everything stops.
    private func isWaited(attempt: inout Int) async -> Bool {
        if queue.isFinished || Task.isCancelled { return false }
        retries.increment()
        attempt += 1
        var left = min(Duration.milliseconds(200) * (1 << min(attempt, 5)), .seconds(5))
        while left > .zero, !queue.isFinished, !Task.isCancelled {
            try? await Task.sleep(for: min(left, .milliseconds(200)))
            left -= .milliseconds(200)
        }
        return true
    }
}
