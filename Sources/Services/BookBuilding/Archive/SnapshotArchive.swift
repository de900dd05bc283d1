import Logging
import MarketStore
import Metrics
import Operations
import Store

/// Writes the last book of each minute to PostgreSQL.
///
/// While PostgreSQL is away books wait in the ``ArchiveQueue``, whose bound decides which are given up. While
/// its disk is nearly full they are let go at once and counted: nothing else is made of them.
actor SnapshotArchive {
    private let database: Database
    private let queue: ArchiveQueue
    private let room: DiskRoom?
    private let logger: Logger
    private let stored = Counter(label: "book_snapshots_stored_total")
    private let superseded = Counter(label: "book_snapshots_superseded_total")
    private let rejected = Counter(label: "book_snapshots_rejected_total")
    private let unroomed = Counter(label: "book_snapshots_without_room_total")
    private let retries = Counter(label: "book_store_retries_total")
    private var isTroubled = false

    init(database: Database, queue: ArchiveQueue, room: DiskRoom?, logger: Logger) {
        self.database = database
        self.queue = queue
        self.room = room
        self.logger = logger
    }

    /// Runs until the queue is finished and written, or, if PostgreSQL is away then, given up.
    func run() async {
        for await _ in queue.signals { await writeWaiting() }
        await writeWaiting()
    }

    private func writeWaiting() async {
        while let item = queue.take() { await write(item) }
    }

    private func write(_ item: ArchiveQueue.Item) async {
        if room?.shortage() != nil {
            unroomed.increment()
            return
        }
        var attempt = 0
        while true {
            do {
                let isStored = try await database.store(item.snapshot, of: item.instrument)
                // Not: a newer book of the minute is there, or the feed has not stored the instrument yet.
                if isStored { stored.increment() } else { superseded.increment() }
                if isTroubled { logger.notice("PostgreSQL takes writes again") }
                isTroubled = false
                return
            } catch {
                if !isTroubled { logger.warning("PostgreSQL refuses books", metadata: ["error": "\(error)"]) }
                isTroubled = true
                // Source: PostgreSQL 15 documentation, appendix A: class 22 is data exceptions, 23 integrity.
                let state = error.sqlState ?? ""
                if state.hasPrefix("22") || state.hasPrefix("23") {
                    rejected.increment()
                    return
                }
                if isStopping { return }
                retries.increment()
                attempt += 1
                await pause(attempt)
            }
        }
    }

    private var isStopping: Bool { queue.isFinished || Task.isCancelled }

    /// 200 ms, doubling to 5 s, in short steps so that stopping does not wait.
    private func pause(_ attempt: Int) async {
        var left = min(Duration.milliseconds(200) * (1 << min(attempt, 5)), .seconds(5))
        while left > .zero, !isStopping {
            try? await Task.sleep(for: min(left, .milliseconds(200)))
            left -= .milliseconds(200)
        }
    }
}
