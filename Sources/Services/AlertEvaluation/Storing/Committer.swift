import AlertStore
import Instruments
import Logging
import MarketStore
import Metrics
import Store
import Synchronization

/// Commits what is decided, one transaction at a time, until it succeeds.
struct Committer: Sendable {
    let database: Database
    let queue: CommitQueue
    let term: LeaseTerm
    let logger: Logger
    let figures: CommitFigures

    /// Runs until the queue is finished and committed, or PostgreSQL is away then.
    ///
    /// What is not committed is decided again from what is stored. `ended` gets a shard of which another
    /// state is stored, and its lease.
    func run(_ ended: @Sendable (Shard, Int64) -> Void) async {
        for await _ in queue.signals { await commitWaiting(ended) }
        await commitWaiting(ended)
        // What waits for its lease to be ours again is given some rounds of tending.
        for _ in 0..<40 where queue.isParked && !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(50))
            await commitWaiting(ended)
        }
    }

    private func commitWaiting(_ ended: (Shard, Int64) -> Void) async {
        var isTroubled = false
        while let work = queue.take(at: .now) {
            do {
                let claims = LeaseClaims(service: term.service, instance: term.instance, epochs: work.epochs)
                let results = try await database.commit(work.commits, under: claims)
                settle(work, results, ended)
                // Only a hint: without it they are found a little later.
                if work.hasFirings { _ = try? await database.withSession { try $0.hintOutbox() } }
                if isTroubled { logger.notice("PostgreSQL takes firings again") }
                isTroubled = false
            } catch {
                for commit in work.commits { queue.failed(commit) }
                figures.fail()
                if !isTroubled, !Task.isCancelled {
                    logger.warning("Firings wait for PostgreSQL", metadata: ["error": "\(error)"])
                }
                isTroubled = true
                if queue.isFinished || Task.isCancelled { return }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func settle(
        _ work: CommitQueue.Work, _ results: [Shard: CommitResult], _ ended: (Shard, Int64) -> Void
    ) {
        for commit in work.commits {
            switch results[commit.shard] {
            case .committed(let told):
                queue.succeeded(commit)
                figures.succeed(told: told, of: commit.steps.count)
            case .alreadyCommitted: queue.succeeded(commit)
            case .conflict:
                queue.failed(commit)
                ended(commit.shard, work.epochs[commit.shard] ?? 0)
            case .leaseLost: queue.park(commit, under: work.epochs[commit.shard] ?? 0)
            // Of a transaction in which another shard's lease was lost.
            case nil: queue.failed(commit)
            }
        }
        if results.values.contains(where: { if case .committed = $0 { true } else { false } }) {
            figures.note(work.received)
        }
    }
}

/// What was committed, and how soon.
final class CommitFigures: Sendable {
    struct Totals: Hashable, Sendable {
        var commits: UInt64 = 0
        /// Firings and notices that were stored.
        var told: UInt64 = 0
        /// Firings of rules that their owner changed meanwhile.
        var overtaken: UInt64 = 0
        var failures: UInt64 = 0
    }

    private let totals = Mutex(Totals())
    private let clock: @Sendable () -> Timestamp
    private let delay = Metrics.Timer(label: "alert_fire_seconds")

    init(clock: @escaping @Sendable () -> Timestamp) { self.clock = clock }

    var latest: Totals { totals.withLock { $0 } }

    func succeed(told: Int, of steps: Int) {
        totals.withLock { totals in
            totals.commits &+= 1
            totals.told &+= UInt64(told)
            totals.overtaken &+= UInt64(max(0, steps - told))
        }
    }

    func fail() { totals.withLock { $0.failures &+= 1 } }

    /// Times from receipt to commit of firings that were found in time.
    func note(_ received: [Timestamp]) {
        let committed = clock()
        for time in received { delay.recordNanoseconds(max(0, committed.nanoseconds(since: time))) }
    }
}
